// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What directives that move data become, one remark each: -Rpass=accx.
//
// RUN: %accx_syntax -Wno-everything -Rpass=accx -Xclang -verify %s
// RUN: %accx_syntax -Wno-everything %s 2>&1 | FileCheck %s --allow-empty --implicit-check-not=remark

// clang-format off
void moves(int N, float *A, float *B, int Late) {
#pragma acc enter data copyin(A[0:N]) create(B[0:N]) if(Late)
// expected-remark@-1 {{'enter data' becomes 'target enter data' map(to: A[0:N]) map(alloc: B[0:N]) if(Late)}}
#pragma acc data present(A[0:N])
// expected-remark@-1 {{'data' becomes 'target data' map(ompx_hold, present, alloc: A[0:N])}}
  {
#pragma acc update device(A[0:N])
// expected-remark@-1 {{'update' becomes 'target update' to(present: A[0:N])}}
  }
#pragma acc exit data copyout(A[0:N]) delete(B[0:N])
// expected-remark@-1 {{'exit data' becomes 'target exit data' map(from: A[0:N]) map(release: B[0:N])}}
}
