// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenARC's unified memory has one address on host and devices, is present, and
// is never copied; other memory beside it is.

// RUN: %clang %s -o %t
// RUN: env ACCX_HOST_DEVICES=2 %run %t
// RUN: env ACCX_HOST_DEVICES=2 ACCX_DIRECTORY=fused %run %t
// RUN: env ACCX_HOST_DEVICES=2 ACCX_HOST_UNIFIED=1 %run %t
// RUN: env ACC_DEVICE_TYPE=host %t
// RUN: env ACCX_NOTIFY=2 %run %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: 8000 bytes

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #Condition);                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { N = 1000 };

int main(void) {
  const size_t Bytes = N * sizeof(double);
  const int OnHost = acc_get_device_type() == acc_device_host;
  double *A = acc_create_unified(NULL, Bytes);
  CHECK(A);
  CHECK(acc_is_present(A, Bytes));
  CHECK(acc_deviceptr(A) == A);
  CHECK(acc_hostptr(A) == A);
  for (int I = 0; I < N; ++I)
    A[I] = I;
#pragma omp target teams distribute parallel for map(tofrom : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
  for (int I = 0; I < N; ++I)
    CHECK(A[I] == I + 1);
  // Updates, and lifetimes on top, copy nothing and end nothing.
  CHECK(acc_copyin(A, Bytes) == A);
  A[7] = -1;
  acc_update_self(A, Bytes);
  CHECK(A[7] == -1);
  acc_copyout(A, Bytes);
  CHECK(A[7] == -1 && acc_is_present(A, Bytes));
  // Every device of the kind reaches it.
  if (!OnHost) {
    acc_set_device_num(1, acc_device_not_host);
    CHECK(acc_deviceptr(A) == A);
    acc_set_device_num(0, acc_device_not_host);
  }

  // What is there already is kept, a part of it too; else there is a new one.
  double Plain[10] = {1, 2, 3};
  double *B = acc_pcopyin_unified(Plain, sizeof(Plain));
  CHECK(B != Plain && !memcmp(B, Plain, sizeof(Plain)));
  if (!OnHost && acc_get_property(0, acc_device_current,
                                  acc_property_shared_memory_support) == 0) {
    CHECK(acc_pcopyin_unified(B + 1, sizeof(Plain) - sizeof(double)) == B + 1);
    CHECK(acc_pcreate_unified(A, Bytes) == A);
    CHECK(acc_pcreate_unified(Plain, 8) != Plain);
  }
  double *C = acc_copyin_unified(B, sizeof(Plain));
  CHECK(C != B && C[2] == 3);
  CHECK(acc_create_unified(NULL, 0) == NULL);
  CHECK(acc_copyin_unified(NULL, 8));

  acc_delete_unified(A, Bytes);
  acc_delete_unified(B, sizeof(Plain));
  acc_delete_unified(C, sizeof(Plain));
  acc_delete_unified(malloc(8), 8);
  acc_delete_unified(NULL, 8);
  if (!OnHost && acc_get_property(0, acc_device_current,
                                  acc_property_shared_memory_support) == 0)
    CHECK(!acc_is_present(A, Bytes));
  return 0;
}
