// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// update and host_data: what has to be present, pointers and arrays.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

void use(void *);

// CHECK-LABEL: update(
// CHECK: #pragma omp target update from(present: A[0:N])
// CHECK: #pragma omp target update from(present: A[0:N]) to(present: B[0:N])
// CHECK: #pragma omp target update to(A[0:N]) to(B[2:3])
// CHECK: #pragma omp target update from(present: A[0:N]) if(C)
// CHECK: #pragma omp target update from(present: A[0:N])
void update(int N, float *A, float *B, int C) {
#pragma acc update self(A[0 : N])
#pragma acc update host(A[0 : N]) device(B[0 : N])
#pragma acc update device(A[0 : N], B[2 : 3]) if_present
#pragma acc update self(A[0 : N]) if (C)
  if (C)
#pragma acc update self(A[0 : N])
    B[0] = 1;
}

// CHECK-LABEL: updateWhole(
// CHECK: #pragma omp target update from(present: A) from(present: S)
// CHECK: #pragma omp target update to(present: A[3])
void updateWhole(void) {
  float A[10], S;
#pragma acc update self(A, S)
#pragma acc update device(A[3])
}

// A directive of OpenMP takes one part of a variable.
// CHECK-LABEL: updateParts(
// CHECK: #pragma omp target update from(present: A[I:1][0:9]) from(present: S.P[0:3])
// CHECK-NEXT: #pragma omp target update from(present: A[J:1][0:9]) from(present: S.P[5:I])
// CHECK: if (I) {
// CHECK-NEXT: #pragma omp target update to(A[2]) if(C)
// CHECK-NEXT: #pragma omp target update to(A[4]) if(C)
// CHECK-NEXT: } else
struct Parts {
  float *P;
};
void updateParts(int I, int J, float A[9][9], struct Parts S, int C) {
#pragma acc update self(A[I : 1][0 : 9], S.P[0 : 3], A[J : 1][0 : 9],          \
                        S.P[5 : I])
  if (I)
#pragma acc update device(A[2], A[4]) if_present if (C)
    else J = 1;
}

// CHECK-LABEL: hostData(
// CHECK: #pragma omp target data use_device_ptr(A) use_device_addr(B)
// CHECK: #pragma omp target data use_device_ptr(A) if(C)
void hostData(float *A, int C) {
  float B[10];
#pragma acc host_data use_device(A, B)
  {
    use(A);
    use(B);
  }
#pragma acc host_data use_device(A) if (C) if_present
  use(A);
}
