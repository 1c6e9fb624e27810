// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What else is in the clause goes on as before, with a list, a function and
// records without the array.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK: a block reduces [16 x i32] in shared memory, in 32 copies
// CHECK: reduction over threads of 16 bytes: double i32 written
// CHECK: reduction over teams of 16 bytes: double i32 written
// CHECK: kernel_environment = {{.*}} i32 16, i32 16384 }
// CHECK: call void @accx.reduce.clear()
// CHECK: call void @accx.reduce.flush(ptr
// CHECK: call i32 @accx.reduce.grid(
void rings(int n, const double *x, int q[16], double *sum, int *most) {
  double s = 0;
  int m = 0;
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    reduction(+ : s) reduction(+ : q[ : 16]) reduction(max : m)
  for (int i = 0; i < n; i++) {
    s += x[i];
    q[(int)x[i]]++;
    m = m > i ? m : i;
  }
  *sum = s;
  *most = m;
}
