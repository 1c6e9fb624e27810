// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the program owns on the device stands for host memory: maps find
// it, never count it, and never free it.
// RUN: %clang %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s

#include "Inputs/expect.h"

enum { N = 100 };

int main(void) {
  expectDevices();
  const int Host = omp_get_initial_device();
  int *A = malloc(2 * N * sizeof(int));
  for (int I = 0; I < 2 * N; ++I)
    A[I] = I;
  int *Device = omp_target_alloc((N + 4) * sizeof(int), 0);
  int *Other = omp_target_alloc(N * sizeof(int), 0);
  const size_t Bytes = N * sizeof(int), Offset = 4 * sizeof(int);
  omp_target_memset(Device, 0, (N + 4) * sizeof(int), 0);

  EXPECT(omp_target_associate_ptr(A, Device, Bytes, Offset, 0) == 0);
  EXPECT(omp_target_is_present(A + N - 1, 0));
  EXPECT(!omp_target_is_present(A + N, 0));
  EXPECT(omp_get_mapped_ptr(A, 0) == (void *)(Device + 4));
  // Present: nothing is copied in or out.
#pragma omp target map(tofrom : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1000;
  for (int I = 0; I < 2 * N; ++I)
    EXPECT(A[I] == I);
#pragma omp target update from(A[0 : N])
  for (int I = 0; I < 2 * N; ++I)
    EXPECT(A[I] == (I < N ? 1000 : I));
#pragma omp target exit data map(delete : A[0 : N])
  EXPECT(omp_target_is_present(A, 0));

  // The same again is no error, another place is.
  EXPECT(omp_target_associate_ptr(A, Device, Bytes, Offset, 0) == 0);
  // CHECK: omptarget error: Not allowed to re-associate a different device ptr+offset with the same host ptr
  EXPECT(omp_target_associate_ptr(A, Other, Bytes, 0, 0) != 0);
  EXPECT(omp_get_mapped_ptr(A, 0) == (void *)(Device + 4));

  // A structured hold keeps even an association.
#pragma omp target data map(ompx_hold, alloc : A[0 : N])
  {
    // CHECK-NEXT: omptarget error: Trying to disassociate a pointer with a non-zero hold reference count
    EXPECT(omp_target_disassociate_ptr(A, 0) != 0);
  }
  EXPECT(omp_target_disassociate_ptr(A, 0) == 0);
  EXPECT(!omp_target_is_present(A, 0));
  // CHECK-NEXT: omptarget error: Association not found
  EXPECT(omp_target_disassociate_ptr(A, 0) != 0);
  EXPECT(omp_target_associate_ptr(A, Other, Bytes, 0, 0) == 0);
  EXPECT(omp_get_mapped_ptr(A, 0) == Other);
  EXPECT(omp_target_disassociate_ptr(A, 0) == 0);

  // What a map put there is not the program's to take away.
#pragma omp target enter data map(to : A[0 : N])
  // CHECK-NEXT: omptarget error: Trying to disassociate a pointer which was not mapped via omp_target_associate_ptr
  EXPECT(omp_target_disassociate_ptr(A, 0) != 0);
#pragma omp target data map(ompx_hold, to : A[0 : N])
  {
    // CHECK-NEXT: omptarget error: Trying to disassociate a pointer with a non-zero hold reference count
    EXPECT(omp_target_disassociate_ptr(A, 0) != 0);
  }
#pragma omp target exit data map(delete : A[0 : N])

  // CHECK-NEXT: omptarget error: Call to omp_target_associate_ptr with invalid arguments
  EXPECT(omp_target_associate_ptr(A, Device, 0, 0, 0) != 0);
  // CHECK-NEXT: omptarget error: Call to omp_target_associate_ptr with invalid arguments
  EXPECT(omp_target_associate_ptr(NULL, Device, 4, 0, 0) != 0);
  // CHECK-NEXT: omptarget error: Call to omp_target_associate_ptr with invalid arguments
  EXPECT(omp_target_associate_ptr(A, NULL, 4, 0, 0) != 0);
  // CHECK-NEXT: omptarget error: omp_target_associate_ptr: no association possible on the host
  EXPECT(omp_target_associate_ptr(A, Device, 4, 0, Host) != 0);
  // CHECK-NEXT: omptarget error: Call to omp_target_associate_ptr with invalid host_ptr
  EXPECT(omp_target_disassociate_ptr(NULL, 0) != 0);
  // CHECK-NEXT: omptarget error: omp_target_disassociate_ptr: no association possible on the host
  EXPECT(omp_target_disassociate_ptr(A, Host) != 0);

  // The memory is still the program's.
  omp_target_free(Device, 0);
  omp_target_free(Other, 0);
  free(A);
  fprintf(stderr, "done\n");
  // CHECK-NEXT: done
  return 0;
}
