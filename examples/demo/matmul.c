/*===- matmul.c - Matrix product, a band of rows a device -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* C = A * B with every device at work at once, each driven by a host thread:
|* it maps its band of A and C and the whole of B.  Usage: matmul [n]
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

static void onDevices(int N, int Devices, const float *A, const float *B,
                      float *C) {
#pragma omp parallel for num_threads(Devices) schedule(static, 1)
  for (int D = 0; D < Devices; ++D) {
    int First = demoShare(N, D, Devices);
    int Rows = demoShare(N, D + 1, Devices) - First;
    if (Rows == 0)
      continue;
    size_t Begin = (size_t)First * N, Count = (size_t)Rows * N;
#pragma omp target teams distribute parallel for collapse(2) device(D)         \
    map(to : A[Begin : Count], B[0 : (size_t)N * N])                           \
    map(from : C[Begin : Count])
    for (int I = First; I < First + Rows; ++I)
      for (int J = 0; J < N; ++J) {
        float Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += A[(size_t)I * N + K] * B[(size_t)K * N + J];
        C[(size_t)I * N + J] = Sum;
      }
  }
}

static void onHost(int N, const float *A, const float *B, float *C) {
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < N; ++K)
      for (int J = 0; J < N; ++J)
        C[(size_t)I * N + J] += A[(size_t)I * N + K] * B[(size_t)K * N + J];
}

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 384);
  int Devices = demoDevices();
  size_t Cells = (size_t)N * N;
  float *A = demoAlloc(Cells, sizeof(float));
  float *B = demoAlloc(Cells, sizeof(float));
  float *C = demoAlloc(Cells, sizeof(float));
  float *Expected = demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I) {
    A[I] = demoValue(I);
    B[I] = demoValue(I + Cells) - 0.5f;
  }

  onHost(N, A, B, Expected);
  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    for (size_t I = 0; I < Cells; ++I)
      C[I] = -1;
    double Begin = omp_get_wtime();
    onDevices(N, Devices, A, B, C);
    Times[R] = omp_get_wtime() - Begin;
    Good = Good && demoClose(C, Expected, Cells, 1e-4f);
  }

  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%d", N);
  snprintf(Metric, sizeof(Metric), "%.2f GFLOP/s on %d device%s",
           2e-6 * N * N * N / Ms, Devices, Devices == 1 ? "" : "s");
  free(A), free(B), free(C), free(Expected);
  return demoReport("matmul", Size, Ms, Metric, Good);
}
