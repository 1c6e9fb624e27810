// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is only declared: its definition's translation unit has the
// variants, which GCC makes, too. A masked one is called with a mask as the
// vector ABI has it.
//
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@each(
// CHECK: call <8 x float> @_ZGVdN8v_twice(<8 x float>
// CHECK-LABEL: define {{.*}}@some(
// CHECK: sext <8 x i1> %{{.*}} to <8 x i32>
// CHECK: call <8 x float> @_ZGVdM8v_maybe(<8 x float> %{{.*}}, <8 x i32>
//
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -mllvm -accx-simd-extern=false -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: @_ZGV
//
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -c %s -o %t.o
// RUN: gcc -O2 -fopenmp-simd -DDEFINE -c %s -o %t2.o
// RUN: %plainclang %t.o %t2.o -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
//
// A definition without variants: weak ones of the caller's call it lane by
// lane.
// RUN: %plainclang -O2 -DDEFINE -c %s -o %t3.o
// RUN: %plainclang %t.o %t3.o -o %t4
// RUN: %t4 | FileCheck %s --check-prefix=RESULT
// RESULT: 0 of 1003 differ
#include <stdio.h>

#pragma omp declare simd notinbranch
float twice(float x);
#pragma omp declare simd inbranch
float maybe(float x);

#ifdef DEFINE
float twice(float x) { return x * 2; }
float maybe(float x) { return x > 50 ? x * 3 : 1; }
#else
void each(float *restrict out, const float *restrict in, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = twice(in[i]);
}

void some(float *restrict out, const float *restrict in, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    if (in[i] > 20)
      out[i] = maybe(in[i]);
}

int main(void) {
  static float in[1003], out[1003];
  int differ = 0;
  for (int i = 0; i < 1003; i++)
    in[i] = i % 101;
  each(out, in, 1003);
  for (int i = 0; i < 1003; i++)
    differ += out[i] != in[i] * 2;
  some(out, in, 1003);
  for (int i = 0; i < 1003; i++)
    differ += out[i] != (in[i] <= 20 ? in[i] * 2 : in[i] > 50 ? in[i] * 3 : 1);
  printf("%d of 1003 differ\n", differ);
}
#endif
