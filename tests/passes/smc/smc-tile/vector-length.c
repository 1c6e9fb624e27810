// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A length of vectors is the block of a loop that has no block of its own; of
// collapsed loops, and where there are workers, it is a limit.
//
// RUN: %device %s | %plan 2>&1 | FileCheck %s

// CHECK: blocks of 128
// CHECK: vector-length.c:[[#@LINE+4]]: 'x': 130 elements
void constant(int n, const float *x, float *y) {
#pragma acc parallel loop vector_length(128) copyin(x[0 : n]) copyout(y[0 : n])
  for (int i = 1; i < n - 1; ++i)
#pragma acc fcw FETCH_ONLY(x[i : 1 : 1])
    y[i] = x[i - 1] + x[i + 1];
}

// CHECK: blocks of 64
// CHECK: vector-length.c:[[#@LINE+4]]: 'x': 66 elements
void vector(int n, const float *x, float *y) {
#pragma acc parallel loop gang vector(64) copyin(x[0 : n]) copyout(y[0 : n])
  for (int i = 1; i < n - 1; ++i)
#pragma acc fcw FETCH_ONLY(x[i : 1 : 1])
    y[i] = x[i - 1] + x[i + 1];
}

// CHECK: blocks of 32
// CHECK: vector-length.c:[[#@LINE+4]]: 'x': 34 elements
void block(int n, const float *x, float *y) {
#pragma acc parallel loop vector_length(128) copyin(x[0 : n]) copyout(y[0 : n])
  for (int i = 1; i < n - 1; ++i)
#pragma acc fcw FETCH_ONLY(x[i : 1 : 1]) block(32)
    y[i] = x[i - 1] + x[i + 1];
}

// CHECK: blocks of 4 x 16
// CHECK: vector-length.c:[[#@LINE+6]]: 'x': 4 x 18 elements
void collapsed(int n, float (*x)[64], float (*y)[64]) {
#pragma acc parallel loop collapse(2) vector_length(64) copyin(x[0 : n])       \
    copyout(y[0 : n])
  for (int i = 0; i < n; ++i)
    for (int j = 1; j < 63; ++j)
#pragma acc fcw FETCH_ONLY(x[i : 0 : 0][j : 1 : 1])
      y[i][j] = x[i][j - 1] + x[i][j + 1];
}
