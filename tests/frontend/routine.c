// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// routine: on prototypes and definitions, by name, in a header.
//
// RUN: %accx_print -Wno-everything -I%S/Inputs %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK: #pragma omp declare target
// CHECK-NEXT: int prototype(int);
// CHECK-NEXT: #pragma omp end declare target
#pragma acc routine seq
int prototype(int);

// CHECK: #pragma omp declare target
// CHECK-NEXT: int definition(int X) {
// CHECK: #pragma omp end declare target
#pragma acc routine seq
int definition(int X) { return X + 1; }

// By its name all of a function's declarations are meant.
// CHECK: #pragma omp declare target
// CHECK-NEXT: int byName(int X);
// CHECK-NEXT: #pragma omp end declare target
// CHECK: #pragma omp declare target
// CHECK-NEXT: int byName(int X) {
// CHECK: #pragma omp end declare target
int byName(int X);
#pragma acc routine(byName) seq
int byName(int X) { return X + 2; }

// CHECK: #pragma omp declare target
// CHECK-NEXT: __attribute__((noinline)) static inline int decorated(int X) {
// CHECK: #pragma omp end declare target
#pragma acc routine seq nohost
static inline __attribute__((noinline)) int decorated(int X) { return X; }

// CHECK: #pragma omp declare target
// CHECK-NEXT: extern void ofWorkers(float *A, int N);
// CHECK-NEXT: #pragma omp end declare target
#pragma acc routine worker
extern void ofWorkers(float *A, int N);

// CHECK: #pragma omp declare target
// CHECK-NEXT: static inline int inHeader(int X) {
// CHECK: #pragma omp end declare target
#include "routine.h"

// CHECK-LABEL: use(
// CHECK: #pragma omp target teams distribute parallel for
void use(int N, int *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    A[I] = prototype(I) + definition(I) + byName(I) + inHeader(I);
}
