// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic in its four forms, in regions, loops and routines.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: forms(
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp atomic
// CHECK: #pragma omp atomic update
// CHECK: #pragma omp atomic read
// CHECK: #pragma omp atomic write
// CHECK: #pragma omp atomic capture
// CHECK: #pragma omp atomic capture
void forms(int N, int *A, int *B) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    int V;
#pragma acc atomic
    A[0] += 1;
#pragma acc atomic update
    A[0]++;
#pragma acc atomic read
    V = A[1];
#pragma acc atomic write
    A[2] = V;
#pragma acc atomic capture
    V = A[0]++;
#pragma acc atomic capture
    {
      V = A[0];
      A[0] += I;
    }
    B[I] = V;
  }
}

// A scalar written atomically is not made private to the iterations.
// CHECK-LABEL: histogram(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: Count)
// CHECK: #pragma omp atomic
// CHECK: #pragma omp target teams map(ompx_hold,tofrom: Other) num_teams(__accx_gangs((3)))
// CHECK: #pragma omp atomic
// CHECK: #pragma omp declare target
void histogram(int N, const int *A) {
  int Count = 0, Other = 0;
#pragma acc parallel loop copy(Count)
  for (int I = 0; I < N; ++I) {
#pragma acc atomic
    Count++;
  }
#pragma acc parallel copy(Other) num_gangs(3)
  {
#pragma acc atomic
    Other += A[0];
  }
}

#pragma acc routine seq
// CHECK-LABEL: inRoutine(
// CHECK: #pragma omp atomic
// CHECK: #pragma omp end declare target
void inRoutine(int *A) {
#pragma acc atomic
  *A += 1;
}

// CHECK-LABEL: onHost(
// CHECK: #pragma omp atomic
void onHost(int *A) {
#pragma acc atomic
  *A += 1;
}
