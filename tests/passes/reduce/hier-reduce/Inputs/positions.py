#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes programs that reduce in every position of a nest of three loops.

The test suite of "Reduction Operations in Parallel Loops for GPGPUs": seven
positions, every operator on every type, OpenACC and OpenMP spelling. Each case
is one kernel, compared bit by bit with a sequential run; data are such that
results do not depend on the order.

  positions.py write SPELLING PART PARTS > program.c   (SPELLING: acc, omp)
  positions.py count

program [N]: shapes N x 2 x 32, 2 x N x 32, 2 x 32 x N; prints what is wrong and
one line of how many cases are right.
"""

import random
import sys

INTS = {"schar": "signed char", "short": "short", "int": "int", "long": "long",
        "uchar": "unsigned char", "ushort": "unsigned short",
        "uint": "unsigned", "ulong": "unsigned long"}
FLOATS = {"float": "float", "double": "double"}
COMPLEX = {"cfloat": "float _Complex", "cdouble": "double _Complex"}
BOOL = {"bool": "_Bool"}
TYPES = {**INTS, **FLOATS, **COMPLEX, **BOOL}

# Operator: name, types, what an iteration does, which data.
OPERATORS = [
    ("+", "add", [*INTS, *FLOATS, *COMPLEX], "s += x", "ADD"),
    ("*", "mul", [*INTS, *FLOATS, *COMPLEX], "s *= x", "MUL"),
    ("max", "max", [*INTS, *FLOATS], "s = s < x ? x : s", "ANY"),
    ("min", "min", [*INTS, *FLOATS], "s = s > x ? x : s", "ANY"),
    ("&", "and", [*INTS, *BOOL], "s &= x", "ONES"),
    ("|", "or", [*INTS, *BOOL], "s |= x", "BITS"),
    ("^", "xor", [*INTS, *BOOL], "s ^= x", "ANY"),
    ("&&", "land", [*INTS, *FLOATS, *BOOL], "s = s && x", "TRUE"),
    ("||", "lor", [*INTS, *FLOATS, *BOOL], "s = s || x", "FALSE"),
]
POSITIONS = ["g", "w", "v", "gw", "wv", "gwv", "same"]

HEAD = r"""// Written by positions.py: @WHICH@
#include <complex.h>
#undef I
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(K, J, I) (((long)(K) * nj + (J)) * ni + (I))

static unsigned long hash(unsigned long X) {
  X += 0x9e3779b97f4a7c15;
  X = (X ^ X >> 30) * 0xbf58476d1ce4e5b9;
  X = (X ^ X >> 27) * 0x94d049bb133111eb;
  return X ^ X >> 31;
}
// Small sums; products of signs and a few twos; any bits; and rare exceptions.
#define ADD(H, I) ((int)((H) % 5) - 2)
#define MUL(H, I) ((I) % (n / 6 + 1) == 3 ? 2 : (H) % 2 ? 1 : -1)
#define ANY(H, I) ((int)((H) % 20001) - 10000)
#define ONES(H, I) ((H) % 509 ? ~0L : ~(1L << (H) / 509 % 64))
#define BITS(H, I) ((H) % 509 ? 0L : 1L << (H) / 509 % 64)
#define TRUE(H, I) ((H) % 4093 != 0)
#define FALSE(H, I) ((H) % 4093 == 0)

#define DATA(NAME, T, KIND)                                                    \
  static T *NAME(long n) {                                                     \
    T *All = malloc((size_t)n * sizeof(T));                                    \
    for (long I = 0; I < n; ++I)                                               \
      All[I] = (T)KIND(hash((unsigned long)I), I);                             \
    return All;                                                                \
  }
static int wrong(const char *Name, int nk, int nj, int ni, long At) {
  printf("WRONG %s of %d x %d x %d at %ld\n", Name, nk, nj, ni, At);
  return 1;
}
"""

TAIL = r"""
int main(int Count, char **Args) {
  const int N = Count > 1 ? atoi(Args[1]) : 1000;
  const int Shapes[][3] = {{N, 2, 32}, {2, N, 32}, {2, 32, N}};
  int Right = 0, All = 0;
  for (int S = 0; S < 3; ++S)
    for (unsigned C = 0; C < sizeof Cases / sizeof Cases[0]; ++C) {
      if (Count > 2 && strcmp(Args[2], Names[C]))
        continue;
      ++All;
      Right += !Cases[C](Shapes[S][0], Shapes[S][1], Shapes[S][2]);
    }
  printf("%d of %d right\n", Right, All);
  return Right != All;
}
"""


def all_cases():
    cases = [(position, op, kind) for op in OPERATORS for kind in op[2]
             for position in POSITIONS]
    random.Random(5).shuffle(cases)
    return cases


def directives(spelling, position, op, maps):
    """Of the loops over k, j, i; the first with its data."""
    red = [f" reduction({op} : s)" if level in position else ""
           for level in "gwv"]
    if position == "same":
        red = [f" reduction({op} : s)", "", ""]
    if spelling == "acc":
        if position == "same":
            return ["acc parallel loop gang worker vector" + red[0] + maps]
        return ["acc parallel loop gang" + red[0] + maps,
                "acc loop worker" + red[1], "acc loop vector" + red[2]]
    if position == "same":
        return ["omp target teams distribute parallel for" + red[0] + maps]
    return ["omp target teams distribute" + red[0] + maps,
            "omp parallel for" + red[1], "omp simd" + red[2]]


def loops(position, statement, pragmas, start):
    """The nest, and how many results it leaves in out."""
    k, j, i = [f"#pragma {p}\n" if p else "" for p in
               (pragmas + ["", "", ""])[:3]]
    take = lambda at: f"{{ T x = in[AT({at})]; {statement}; }}"
    move = i + "for (int i = 0; i < ni; ++i) tmp[AT(k, j, i)] = in[AT(k, j, i)];\n"
    rows = j + "for (int j = 0; j < nj; ++j) {\n"
    if position == "g":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\n{rows}{move}}}\n"
                f"{take('k, 0, 0')}\n}}\nout[0] = s;\n")
    if position == "w":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\nT s = {start};\n{rows}"
                f"{move}{take('k, j, 0')}\n}}\nout[k] = s;\n}}\n")
    if position == "v":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\n{rows}T s = {start};\n{i}"
                f"for (int i = 0; i < ni; ++i) {take('k, j, i')}\n"
                f"out[k * nj + j] = s;\n}}\n}}\n")
    if position == "gw":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\n{rows}{move}"
                f"{take('k, j, 0')}\n}}\n}}\nout[0] = s;\n")
    if position == "wv":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\nT s = {start};\n{rows}{i}"
                f"for (int i = 0; i < ni; ++i) {take('k, j, i')}\n}}\n"
                f"out[k] = s;\n}}\n")
    if position == "gwv":
        return (f"{k}for (int k = 0; k < nk; ++k) {{\n{rows}{i}"
                f"for (int i = 0; i < ni; ++i) {take('k, j, i')}\n}}\n}}\n"
                f"out[0] = s;\n")
    return (f"{k}for (long at = 0; at < n; ++at) "
            f"{{ T x = in[at]; {statement}; }}\nout[0] = s;\n")


def write_case(spelling, case, name, data):
    position, (op, _, _, statement, _), kind = case
    results = {"v": "(long)nk * nj", "w": "nk", "wv": "nk"}.get(position, "1")
    moves = position in ("g", "w", "gw")
    alone = results == "1"
    if spelling == "acc":
        maps = " copyin(in[0 : n])"
        maps += " copyout(tmp[0 : n])" if moves else ""
        maps += "" if alone else " copyout(out[0 : results])"
    else:
        maps = " map(to : in[ : n])"
        maps += " map(from : tmp[ : n])" if moves else ""
        maps += " map(tofrom : s)" if alone else " map(from : out[ : results])"
    start = 1
    text = [f"static int {name}(int nk, int nj, int ni) {{\n",
            f"typedef {TYPES[kind]} T;\n",
            f"const long n = (long)nk * nj * ni, results = {results};\n",
            f"T *in = {data}(n), *tmp = calloc((size_t)n, sizeof(T)),\n"
            "*out = calloc((size_t)results, sizeof(T)),\n"
            "*want = calloc((size_t)results, sizeof(T));\nint bad = 0;\n"]
    nest = lambda pragmas: loops(position, statement, pragmas, start)
    own = f"T s = {start};\n" if alone else ""
    text.append("{\n" + own + nest(directives(spelling, position, op, maps))
                + "}\n")
    if moves:
        text.append("if (memcmp(in, tmp, (size_t)n * sizeof(T)))\n"
                    f"bad = wrong(\"{name}'s copy\", nk, nj, ni, 0);\n")
    text.append("{\nT *out = want;\n" + own + nest([]) + "}\n")
    text.append("for (long r = 0; !bad && r < results; ++r)\n"
                f"if (out[r] != want[r]) bad = wrong(\"{name}\", nk, nj, ni, r);\n"
                "free(in), free(tmp), free(out), free(want);\nreturn bad;\n}\n")
    return "".join(text)


def write(spelling, part, parts):
    cases = all_cases()[part::parts]
    print(HEAD.replace("@WHICH@", f"{spelling} {part} {parts}"))
    seen = set()
    names = []
    for case in cases:
        position, (_, op, _, _, data), kind = case
        data_name = f"data_{kind}_{data}"
        if data_name not in seen:
            seen.add(data_name)
            print(f"DATA({data_name}, {TYPES[kind]}, {data})")
        names.append(f"{position}_{op}_{kind}")
        print(write_case(spelling, case, names[-1], data_name))
    print("static int (*const Cases[])(int, int, int) = {"
          + ", ".join(names) + "};")
    print("static const char *const Names[] = {"
          + ", ".join(f'"{name}"' for name in names) + "};")
    print(TAIL)


def main():
    if sys.argv[1:] == ["count"]:
        print(len(all_cases()))
    elif len(sys.argv) == 5 and sys.argv[1] == "write":
        write(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
