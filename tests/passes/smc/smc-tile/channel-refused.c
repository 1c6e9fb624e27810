// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be done for a channel type is an error that says why, and what to
// do.
//
// RUN: not %accxcc-device -O2 %s -o - 2>&1 | FileCheck %s

// clang-format off
// CHECK-DAG: [[#@LINE+5]]: 'a' cannot be cached: iterations of a block may disagree on reaching it; put the condition into the statement
void apart(int n, const int *k, int *restrict a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    if (k[i])
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0])
      a[i] = 1;
}

// CHECK-DAG: [[#@LINE+4]]: 'a' cannot be cached: it is written, or has a barrier, in a loop whose iterations are not the same in number for all of a block, or that not all enter; give the loop bounds
void loop(int n, const int *k, int *restrict a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0])
    for (int j = 0; j < k[i]; ++j)
      a[i] += j;
}

// CHECK-DAG: [[#@LINE+4]]: 'a' cannot be cached: an access to it has a form that is not known; access it by subscripts
void chosen(int n, const int *k, int *restrict a, int *restrict b) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0])
    *(k[i] ? &a[i] : &b[i]) = 1;
}

// CHECK-DAG: [[#@LINE+4]]: 'a' cannot be cached: an access to it has a form
void atomic(int n, int *restrict a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0])
  {
#pragma omp atomic
    a[i / 2 * 2] += 1;
  }
}

// CHECK-DAG: [[#@LINE+4]]: 'a' cannot be cached: it does not fit into shared memory (65536 bytes beside 0 of 45056); make blocks or ranges smaller
void large(int n, double *restrict a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 7936]) block(256)
    a[i] = 1;
}

// CHECK-DAG: [[#@LINE+4]]: 'a' cannot be cached: blocks of that shape do not fit
void shape(int n, double *restrict a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(16, 16)
    a[i] = 1;
}
