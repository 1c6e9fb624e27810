// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program may end before its `nowait` constructs have begun: they run, with
// their images, before these go.
//
// RUN: %clang -O1 %s -o %t
// RUN: %run %t && %run %t && %run %t && %run %t && %run %t
static double A[1000];
int main(void) {
  for (int N = 0; N < 3; ++N) {
#pragma omp target teams distribute parallel for map(tofrom : A) nowait
    for (int I = 0; I < 1000; ++I)
      A[I] += 1;
  }
  return 0;
}
