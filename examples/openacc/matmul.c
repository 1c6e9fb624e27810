/*===- matmul.c - Matrix product, a block of rows a device ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* C = A * B in two shapes: the two outer loops parallel, the inner product
|* sequential, as in the software-managed-cache paper's baseline; and the inner
|* product a vector reduction, as in OpenUH's. Every device gets a block of rows
|* of A and C, all of B, and a queue; the host waits once all are busy.
|*
|* Usage: matmul [n]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

/* Rows [First, Last) of C on the current device, without waiting. */
static void kernelsRows(int N, int First, int Last, const float *A,
                        const float *B, float *C) {
  size_t Begin = (size_t)First * N, Count = (size_t)(Last - First) * N;
#pragma acc kernels async(1) pcopyin(A[Begin : Count], B[0 : (size_t)N * N])   \
    pcopyout(C[Begin : Count])
  {
#pragma acc loop independent
    for (int I = First; I < Last; ++I) {
#pragma acc loop independent
      for (int J = 0; J < N; ++J) {
        float Sum = 0;
#pragma acc loop seq
        for (int M = 0; M < N; ++M)
          Sum += A[(size_t)I * N + M] * B[(size_t)M * N + J];
        C[(size_t)I * N + J] = Sum;
      }
    }
  }
}

/* The same with the inner product spread over vector lanes. */
static void reductionRows(int N, int First, int Last, const float *A,
                          const float *B, float *C) {
  size_t Begin = (size_t)First * N, Count = (size_t)(Last - First) * N;
#pragma acc parallel async(1) vector_length(64)                                \
    copyin(A[Begin : Count], B[0 : (size_t)N * N]) copyout(C[Begin : Count])
  {
#pragma acc loop gang
    for (int I = First; I < Last; ++I) {
#pragma acc loop worker
      for (int J = 0; J < N; ++J) {
        float Sum = 0;
#pragma acc loop vector reduction(+ : Sum)
        for (int M = 0; M < N; ++M)
          Sum += A[(size_t)I * N + M] * B[(size_t)M * N + J];
        C[(size_t)I * N + J] = Sum;
      }
    }
  }
}

typedef void RowsFn(int, int, int, const float *, const float *, float *);

static int measure(const char *Name, RowsFn *Rows, int Devices, int N,
                   const float *A, const float *B, float *C,
                   const float *Expected) {
  acc_device_t Type = acc_get_device_type();
  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    for (size_t I = 0; I < (size_t)N * N; ++I)
      C[I] = -1;
    double Begin = demoNow();
    for (int D = 0; D < Devices; ++D) {
      int First = demoShare(N, D, Devices), Last = demoShare(N, D + 1, Devices);
      acc_set_device_num(D, Type);
      if (First < Last)
        Rows(N, First, Last, A, B, C);
    }
    for (int D = 0; D < Devices; ++D) {
      acc_set_device_num(D, Type);
#pragma acc wait(1)
    }
    Times[R] = demoNow() - Begin;
    Good = Good && demoClose(C, Expected, (size_t)N * N, 1e-4);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%d", N, N);
  snprintf(Metric, sizeof(Metric), "%.2f GFLOP/s on %s", 2e-6 * N * N * N / Ms,
           demoPlace(Devices));
  return demoReport(Name, Size, Ms, Metric, Good);
}

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 395);
  int Devices = demoDevices();
  size_t Cells = (size_t)N * N;
  float *A = (float *)demoAlloc(Cells, sizeof(float));
  float *B = (float *)demoAlloc(Cells, sizeof(float));
  float *C = (float *)demoAlloc(Cells, sizeof(float));
  float *Expected = (float *)demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I) {
    A[I] = demoValue(I) - 0.5f;
    B[I] = demoValue(I + Cells) - 0.5f;
  }
  for (int I = 0; I < N; ++I)
    for (int M = 0; M < N; ++M)
      for (int J = 0; J < N; ++J)
        Expected[(size_t)I * N + J] +=
            A[(size_t)I * N + M] * B[(size_t)M * N + J];

  int Bad = measure("acc-matmul", kernelsRows, Devices, N, A, B, C, Expected);
  Bad |=
      measure("acc-matmul-red", reductionRows, Devices, N, A, B, C, Expected);
  free(A), free(B), free(C), free(Expected);
  return Bad;
}
