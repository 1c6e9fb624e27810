// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Left alone: divisions that not every iteration does, divisors that vary or
// are constants, and dividends that are no counters.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK-NOT: replaced by counting
// CHECK: indices-refused.c:[[@LINE+6]]:{{.*}}: a division in a grid-stride loop stays: iterations may leave it out, and no digits are counted
void conditional(int n, int m, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    if (x[i])
      y[i] = i / m;
}
// CHECK: indices-refused.c:[[@LINE+5]]:{{.*}}: a division in a grid-stride loop stays: it divides by what changes in the loop
void varies(int n, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = i / x[i];
}
// CHECK: indices-refused.c:[[@LINE+4]]:{{.*}}: a division in a grid-stride loop stays: it divides by a constant, as a multiplication does
void constant(int n, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = i / 36;
}
void data(int n, int m, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] % m;
}

// CHECK-NOT: a division in a grid-stride loop
// CHECK-NOT: replaced by counting
// CHECK: define {{.*}}conditional
// CHECK: sdiv i32
// CHECK: define {{.*}}varies
// CHECK: sdiv i32
// CHECK: define {{.*}}constant
// CHECK: {{[su]div i32 .*, 36}}
// CHECK: define {{.*}}data
// CHECK: srem i32
