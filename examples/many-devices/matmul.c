/*===- matmul.c - Matrix product on several devices -----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The rows of A and C are dealt out, every device has all of B. Rows go to
|* gangs, columns to the vector lanes of a gang.
|*
|* Usage: matmul [size [devices]]
|*
\*===----------------------------------------------------------------------===*/

#include "many.h"

static void hybrid(int N, int Devices, const float *A, const float *B,
                   float *C) {
#pragma omp parallel num_threads(Devices)
  {
    const int D = omp_get_thread_num();
    const int Begin = demoShare(N, D, Devices);
    const int Rows = demoShare(N, D + 1, Devices) - Begin;
    manyEnter(D, Devices);
#pragma acc data copyin(A[Begin * N : Rows * N], B[0 : N * N])                 \
    copyout(C[Begin * N : Rows * N])
    {
#pragma acc parallel num_gangs(32) vector_length(32)
      {
#pragma acc loop gang
        for (int I = Begin; I < Begin + Rows; ++I) {
#pragma acc loop vector
          for (int J = 0; J < N; ++J) {
            float Sum = 0;
            for (int K = 0; K < N; ++K)
              Sum += A[I * N + K] * B[K * N + J];
            C[I * N + J] = Sum;
          }
        }
      }
    }
  }
}

/* Everything is queued on every device before the program waits for one. */
static void extension(int N, int Devices, const float *A, const float *B,
                      float *C) {
  for (int D = 0; D < Devices; ++D) {
    const int Begin = demoShare(N, D, Devices);
    const int Rows = demoShare(N, D + 1, Devices) - Begin;
#pragma acc data copyin(A[Begin * N : Rows * N], B[0 : N * N])                 \
    copyout(C[Begin * N : Rows * N]) deviceid(D)
    {
#pragma acc parallel num_gangs(32) vector_length(32) deviceid(D)
      {
#pragma acc loop gang
        for (int I = Begin; I < Begin + Rows; ++I) {
#pragma acc loop vector
          for (int J = 0; J < N; ++J) {
            float Sum = 0;
            for (int K = 0; K < N; ++K)
              Sum += A[I * N + K] * B[K * N + J];
            C[I * N + J] = Sum;
          }
        }
      }
    }
  }
  for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
  }
}

static void onHost(int N, const float *A, const float *B, float *C) {
  for (int I = 0; I < N; ++I) {
    for (int J = 0; J < N; ++J)
      C[I * N + J] = 0;
    for (int K = 0; K < N; ++K)
      for (int J = 0; J < N; ++J)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
  }
}

int main(int Argc, char **Argv) {
  const int N = demoSize(Argc, Argv, 1, 129);
  const int Devices = manyDevices(Argc, Argv, 2);
  const size_t Cells = (size_t)N * N;
  float *A = (float *)demoAlloc(Cells, sizeof(float));
  float *B = (float *)demoAlloc(Cells, sizeof(float));
  float *C = (float *)demoAlloc(Cells, sizeof(float));
  float *Expected = (float *)demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I) {
    A[I] = demoValue(I);
    B[I] = demoValue(I + Cells);
  }
  onHost(N, A, B, Expected);

  int Bad = 0;
  char Size[32];
  snprintf(Size, sizeof(Size), "%dx%d", N, N);
  for (int Form = 0; Form < 2; ++Form) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      for (size_t I = 0; I < Cells; ++I)
        C[I] = -1;
      const double Start = demoNow();
      (Form ? extension : hybrid)(N, Devices, A, B, C);
      Times[R] = demoNow() - Start;
      Good = Good && demoClose(C, Expected, Cells, 1e-4);
    }
    Bad |= manyReport("matmul", Form ? "deviceid" : "hybrid", Size, Devices,
                      Times, Good);
  }
  free(A), free(B), free(C), free(Expected);
  return Bad;
}
