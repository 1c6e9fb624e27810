// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one file share slots as large as the largest needs.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK-COUNT-2: kernel_environment = {{.*}} i32 16384 }
// CHECK-COUNT-1: @accx.reduce.slots = internal addrspace(3) global [384 x i8]
// CHECK-NOT: addrspace(3) global {{.*}} x i8]
int least(int n, const int *x) {
  int s = 1 << 30;
#pragma omp target teams distribute parallel for reduction(min : s)            \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s = s < x[i] ? s : x[i];
  return s;
}
double sum(int n, const int *x, int *count) {
  double s = 0;
  int c = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, c)           \
    map(to : x[ : n])
  for (int i = 0; i < n; i++) {
    s += x[i];
    c += x[i] > 0;
  }
  *count = c;
  return s;
}
