// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local function keeps its parameters and is not inlined before it has been
// widened, though other passes could drop one and would inline the other.
//
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@sum(
// CHECK: call <8 x i32> @_ZGVdN8vu_digits(
// CHECK: define internal {{.*}}<8 x i32> @_ZGVdN8vu_digits(
// CHECK-NOT: accx-simd-{{kept|not-inlined|wrapper}}
#pragma omp declare simd uniform(unused) notinbranch
static int digits(int x, int unused) {
  int n = 0;
  while (x) {
    x /= 10;
    n++;
  }
  return n;
}

void sum(int *restrict out, const int *restrict in, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = digits(in[i], n);
}
