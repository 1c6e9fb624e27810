// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A definition has the variants of its prototype, whose parameters have other
// names; callers in another translation unit get them.
//
// RUN: %accxcc -O1 -fopenmp-simd -DDEFINE -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: define {{.*}}@_ZGVdN8uv_scaled(
// CHECK-DAG: define {{.*}}@_ZGVdN8ls1u_strided(
// CHECK-DAG: define {{.*}}@_ZGVdN8l4_loaded(
// CHECK-DAG: define {{.*}}@_ZGVbN4v_twofold(
// CHECK-DAG: define {{.*}}@_ZGVbM4v_twofold(
// The definition's own directive is all there is of variants without a mask.
// CHECK-DAG: define {{.*}}@_ZGVbN2v_own(
// CHECK-NOT: _ZGV{{.*}}_none
//
// Clang by itself names none of them.
// RUN: %plainclang -O1 -fopenmp-simd -DDEFINE -DPLAIN -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CLANG
// CLANG-NOT: _ZGV
//
// RUN: %accxcc -O2 -fopenmp-simd -march=native -DDEFINE -c %s -o %t.o
// RUN: %accxcc -O2 -fopenmp-simd -march=native -c %s -o %t2.o
// RUN: %plainclang %t.o %t2.o -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RESULT: 0 of 1003 differ
#include <stdio.h>

#pragma omp declare simd uniform(factor) notinbranch
float scaled(float factor, float x);
#pragma omp declare simd linear(from : step) uniform(step) notinbranch
float strided(int from, int step);
#pragma omp declare simd linear(from : 1) notinbranch
float loaded(const float *from);
// Two directives, in two declarations.
#pragma omp declare simd notinbranch
float twofold(float x);
#pragma omp declare simd inbranch
float twofold(float y);
float none(float x);

#ifdef DEFINE
float scaled(float a, float b) { return a * b; }
float strided(int i, int by) { return (float)i / 2 + (float)by; }
float loaded(const float *p) { return p[0] + 1; }
float twofold(float z) { return z + z; }
float none(float x) { return x - 1; }
#ifndef PLAIN
#pragma omp declare simd simdlen(2) notinbranch
float own(float x);
#pragma omp declare simd simdlen(2) notinbranch
float own(float x) { return x * 3; }
#endif
#else
int main(void) {
  static float in[1003], out[1003];
  int differ = 0;
  for (int i = 0; i < 1003; i++)
    in[i] = (float)(i % 101);
#pragma omp simd
  for (int i = 0; i < 1003; i++)
    out[i] = scaled(3, in[i]) + strided(i * 2, 2) + loaded(&in[i]);
#pragma omp simd
  for (int i = 0; i < 1003; i++)
    if (in[i] > 20)
      out[i] += twofold(in[i]);
  for (int i = 0; i < 1003; i++)
    differ += out[i] != in[i] * (in[i] > 20 ? 6 : 4) + (float)i + 3;
  printf("%d of 1003 differ\n", differ);
}
#endif
