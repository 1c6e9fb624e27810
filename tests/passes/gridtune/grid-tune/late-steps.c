// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How indices move is a matter of threads with several iterations: the others
// do not divide by what a step is.
//
// RUN: %device %s | %tuned -accx-grid-shape=0 2>&1 | FileCheck %s

// CHECK: late-steps.c:[[@LINE+3]]:1: 1 division of a grid-stride loop replaced by counting
// CHECK: late-steps.c:[[@LINE+2]]:1: threads with one iteration of a grid-stride loop do not compute how its indices move
void rows(int n, int m, int k, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : x[ : n * m]) map(tofrom : y[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int t = 0; t < k; t++)
        s += x[t * m + j] * t;
      y[i * m + j] = s;
    }
}
// Without divisions there is nothing to save.
// CHECK-NOT: late-steps.c:{{.*}}: threads with one iteration
void flat(int n, int k, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n + k])         \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int t = 0; t < k; t++)
      s += x[i + t] * t;
    y[i] = s;
  }
}

// CHECK-LABEL: define {{.*}}rows
// What a thread starts with.
// CHECK: {{urem i(32|64)}}
// CHECK-NOT: {{[su](div|rem) }}
// CHECK: br i1 {{.*}}label %second.turn
// CHECK: second.turn:
// CHECK: {{urem i(32|64)}}
// CHECK-NOT: {{[su](div|rem) }}
// CHECK: phi i32 [ {{.*}}, %second.turn ], [ 0,
// CHECK-NOT: {{[su](div|rem) }}
// CHECK-LABEL: define {{.*}}flat
// CHECK-NOT: second.turn
