// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs of OpenMP that run all of a loop in each team or thread.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#define N 1000
static double a[N];
int main(void) {
// CHECK: omp-loop-unshared.c:[[@LINE+1]]:{{.*}}'target teams' without 'distribute parallel for': every team runs all of the loop in line [[@LINE+2]]
#pragma omp target teams map(tofrom: a)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
// CHECK: omp-loop-unshared.c:[[@LINE+1]]:{{.*}}'target parallel' without 'for': every thread runs all of the loop in line [[@LINE+2]]
#pragma omp target parallel map(tofrom: a)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
}
