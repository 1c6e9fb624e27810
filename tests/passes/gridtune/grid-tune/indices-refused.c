// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Left alone: divisions that not every iteration does, divisors that vary, and
// dividends that are no counters.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK-NOT: replaced by counting
void conditional(int n, int m, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    if (x[i])
      y[i] = i / m;
}
void varies(int n, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = i / x[i];
}
void data(int n, int m, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] % m;
}

// CHECK: define {{.*}}conditional
// CHECK: sdiv i32
// CHECK: define {{.*}}varies
// CHECK: sdiv i32
// CHECK: define {{.*}}data
// CHECK: srem i32
