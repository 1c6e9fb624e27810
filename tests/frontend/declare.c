// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// declare of globals becomes declare target, in a block data that are given
// back wherever the block is left.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

#define N 10
float Created[N];
float Copied[N];
float Linked[N];
#pragma acc declare create(Created) copyin(Copied)
#pragma acc declare link(Linked)
float Resident;
#pragma acc declare device_resident(Resident)

// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target link
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
// CHECK-LABEL: severalReturns(
// CHECK: #pragma omp target enter data map(to: A) map(to: B) map(alloc: D) map(alloc: E)
// CHECK: #pragma omp target exit data map(from: A) map(release: B) map(from: D) map(release: E)
// CHECK: #pragma omp target exit data map(from: A) map(release: B) map(from: D) map(release: E)
// CHECK: #pragma omp target exit data map(from: A) map(release: B) map(from: D) map(release: E)
// CHECK: #pragma omp target exit data map(from: A) map(release: B) map(from: D) map(release: E)
int severalReturns(int C) {
  float A[N], B[N], D[N], E[N];
#pragma acc declare copy(A) copyin(B) copyout(D) create(E)
  if (C == 1)
    return 1;
  for (int I = 0; I < C; ++I)
    if (A[I] > 0)
      return I;
  {
    return 3;
  }
}

// CHECK-LABEL: noReturn(
// CHECK: #pragma omp target enter data map(alloc: A)
// CHECK: #pragma omp target exit data map(release: A)
void noReturn(void) {
  float A[N];
#pragma acc declare create(A)
  A[0] = 1;
}

// CHECK-LABEL: present(
// CHECK: #pragma omp target enter data map(present,alloc: P[0:10])
// CHECK: #pragma omp target exit data map(release: P[0:10])
void present(float *P) {
#pragma acc declare present(P[0 : N])
  P[0] = 1;
}

// CHECK-LABEL: devicePointer(
// CHECK: #pragma omp target teams distribute parallel for is_device_ptr(P)
void devicePointer(float *P, int M) {
#pragma acc declare deviceptr(P)
#pragma acc parallel loop
  for (int I = 0; I < M; ++I)
    P[I] = 1;
}

// Inside the block's reach a scalar is the data, not a copy.
// CHECK-LABEL: scalar(
// CHECK: #pragma omp target enter data map(to: S)
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: S)
// CHECK: #pragma omp target exit data map(release: S)
void scalar(int M, float *P) {
  int S = 3;
#pragma acc declare copyin(S)
#pragma acc parallel loop
  for (int I = 0; I < M; ++I)
    P[I] = S;
}

// Globals of declare need no clause.
// CHECK-LABEL: useOfGlobals(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,to: M)
void useOfGlobals(int M) {
#pragma acc parallel loop default(none) copyin(M)
  for (int I = 0; I < M; ++I)
    Created[I] = Copied[I];
}

// Every way out of the block, and no other.
// CHECK-LABEL: leaving(
// CHECK: #pragma omp target enter data map(alloc: A)
// CHECK: #pragma omp target exit data map(release: A)
// CHECK: #pragma omp target exit data map(release: A)
// CHECK: #pragma omp target exit data map(release: A)
void leaving(int M) {
  for (int I = 0; I < M; ++I) {
    float A[N];
#pragma acc declare create(A)
    if (I == 1)
      continue;
    for (int J = 0; J < M; ++J)
      if (J == 3)
        break;
    if (I == 2)
      break;
  }
}
