// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of a thread for each iteration has code of its own: one division of 32
// bits, one iteration, and nothing of a next one. Not where the body has a
// loop, is long, or waits for other threads, and not where the option says so.
//
// RUN: %device %s | %tuned 2>/dev/null | FileCheck %s
// RUN: %device %s | %tuned -accx-grid-single=0 2>/dev/null \
// RUN:   | FileCheck --check-prefix=NONE %s
//
// NONE-NOT: is.single
//
// CHECK-LABEL: define {{.*}}nest_l
// CHECK: icmp ult i64 %{{.*}}, 2147483648
// CHECK: br i1 %is.single, label %[[SINGLE:[a-z.]*single]], label %usual
// CHECK: usual:
// CHECK: select i1 %is.runs
// CHECK: [[SINGLE]]:
// CHECK-NOT: phi
// CHECK-NOT: {{[us]div|[us]rem}}
// CHECK: udiv i32
// CHECK-NOT: phi
// CHECK-NOT: {{[us]div|[us]rem}}
// CHECK: store float
// CHECK-NOT: phi
// CHECK: {{^}}}
void nest(int n, int m, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * m]) map(tofrom : c[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] += a[i * m + j] * i;
}
// CHECK-LABEL: define {{.*}}branch_l
// CHECK: br i1 %is.single
void branch(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      c[i] = a[i];
    else if (a[i] < -1)
      c[i] = 1;
}
// CHECK-LABEL: define {{.*}}inner_l
// CHECK-NOT: is.single
void inner(int n, int m, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(to : a[ : m])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i] += a[j] * c[i];
}
// CHECK-LABEL: define {{.*}}calls_l
// CHECK-NOT: is.single
#pragma omp begin declare target
float known(float);
#pragma omp end declare target
void calls(int n, float *c) {
#pragma omp target teams distribute parallel for map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    c[i] = known(c[i]);
}
// CHECK-LABEL: define {{.*}}long_body_l
// CHECK-NOT: is.single
void long_body(int n, const float *a, float *c) {
#define Four(X) X X X X
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++) {
    float x = a[i];
    Four(Four(x = x * x + 1; x = x / (x + 2); x = x * 3 - x * x;)) c[i] = x;
  }
}
