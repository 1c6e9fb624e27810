// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is on a device, and where.
// RUN: %clang %s -o %t
// RUN: %run LIBOMPTARGET_INFO=2 %t 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused LIBOMPTARGET_INFO=2 %t 2>&1 | FileCheck %s

#include "Inputs/expect.h"

#pragma omp declare target
int Global = 4;
#pragma omp end declare target

int main(void) {
  expectDevices();
  const int Host = omp_get_initial_device();
  int *A = malloc(100 * sizeof(int)), *B = malloc(100 * sizeof(int));
  for (int I = 0; I < 100; ++I)
    A[I] = B[I] = I;

  EXPECT(!omp_target_is_present(A, 0));
  EXPECT(omp_get_mapped_ptr(A, 0) == NULL);
#pragma omp target enter data map(to : A[10 : 50])
  // Each look-up prints one line.
  // CHECK: Mapping exists with HstPtrBegin=[[#%#.16x,A:]], TgtPtrBegin={{0x[0-9a-f]+}}, Size=1, DynRefCount=1 (update suppressed), HoldRefCount=0
  EXPECT(omp_target_is_present(A + 10, 0));
  // CHECK-NEXT: HstPtrBegin=[[#%#.16x,A + 199]], {{.*}}Size=1, DynRefCount=1 (update suppressed), HoldRefCount=0
  EXPECT(omp_target_is_present((char *)(A + 60) - 1, 0));
  EXPECT(!omp_target_is_present(A + 60, 0));
  EXPECT(!omp_target_is_present(A + 9, 0));
  EXPECT(!omp_target_is_present(A + 10, 1));
  EXPECT(!omp_target_is_present(B, 0));
  EXPECT(omp_target_is_present(A, Host));

  // CHECK-NEXT: HstPtrBegin=[[#%#.16x,A + 80]], TgtPtrBegin=[[#%#.16x,D:]],
  int *Mapped = omp_get_mapped_ptr(A + 30, 0);
  EXPECT(Mapped != NULL);
  int Seen = 0;
#pragma omp target is_device_ptr(Mapped) map(from : Seen)
  Seen = Mapped[0];
  EXPECT(Seen == 30);
  EXPECT(omp_target_memcpy(&Seen, Mapped, sizeof(int), 0, 29 * sizeof(int),
                           Host, 0) == 0);
  EXPECT(Seen == 59);
  EXPECT(omp_get_mapped_ptr(A + 60, 0) == NULL);
  EXPECT(omp_get_mapped_ptr(A, Host) == A);
  EXPECT(omp_get_mapped_ptr(A, Host + 1) == NULL);

#pragma omp target exit data map(release : A[10 : 50])
  fprintf(stderr, "released\n");
  // CHECK: released
  EXPECT(!omp_target_is_present(A + 10, 0));

  // CHECK-NEXT: Size=1, DynRefCount=INF (update suppressed), HoldRefCount=0
  EXPECT(omp_target_is_present(&Global, 0));
  // CHECK-NEXT: omptarget error: Call to omp_get_mapped_ptr with nullptr.
  EXPECT(omp_get_mapped_ptr(NULL, 0) == NULL);
  EXPECT(!omp_target_is_present(NULL, 0));
  fprintf(stderr, "done\n");
  // CHECK-NEXT: done
  free(A);
  free(B);
  return 0;
}
