// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP program whose data is not present; see absent.c.

int main(void) {
  static float A[100];
// CHECK: omptarget error: absent-openmp.c:[[#@LINE+3]]: 'A' is not present on device 0: 400 bytes at
// CHECK-NEXT: nothing is present there
// CHECK-NEXT: map(to: A) on 'target data' around this construct, or on 'target enter data' before it, makes it present
#pragma omp target map(present, tofrom : A)
  A[0] = 1;
}
// CHECK-NEXT: absent-openmp.c:{{[0-9]+}}:1: omptarget fatal error 1: failure of target construct while offloading is mandatory
