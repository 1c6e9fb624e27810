# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of random OpenACC loop nests: random-nests.py SEED [COUNT]

Every nest is free of races and prints the same whether its directives count or
not. Values are small integers, so that no order of a reduction matters to the
result, in floating point either. `--only N` writes one nest of the program.
"""

import random
import sys

sys.dont_write_bytecode = True
from nest_mixed import Mixed

PROLOGUE = """\
#include <stdio.h>
#include <stdlib.h>

#define fill(N, X, Y) \\
  for (int At = 0; At < (N); ++At) \\
    (X)[At] = At * 7 % 13, (Y)[At] = At * 5 % 11
#define show(Nest, N, X) \\
  do { \\
    long Sum = 0; \\
    for (int At = 0; At < (N); ++At) \\
      Sum = (Sum * 31 + (long)((X)[At] * 4)) & 0xffffffffffffL; \\
    printf("%d " #X " %ld\\n", Nest, Sum); \\
  } while (0)

#pragma acc routine vector
static void scaleVector(int N, int *A, int F) {
#pragma acc loop vector
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine worker
static void scaleWorker(int N, int *A, int F) {
#pragma acc loop worker vector
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine seq
static void scaleSeq(int N, int *A, int F) {
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine vector
static int sumVector(int N, const int *A) {
  int S = 0;
#pragma acc loop vector reduction(+: S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}
#pragma acc routine seq
static int sumSeq(int N, const int *A) {
  int S = 0;
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}
"""


def main(arguments):
    only = None
    if "--only" in arguments:
        at = arguments.index("--only")
        only = int(arguments[at + 1])
        del arguments[at : at + 2]
    seed = int(arguments[0])
    count = int(arguments[1]) if len(arguments) > 1 else 30
    print(PROLOGUE)
    nests = range(count) if only is None else [only]
    for number in nests:
        print(Mixed(number, random.Random(seed * 1000 + number)).text() + "\n")
    print("int main(void) {")
    for number in nests:
        print(f"  nest{number}();")
    print("  return 0;\n}")


main(sys.argv[1:])
