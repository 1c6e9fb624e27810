/*===- jacobi.c - Jacobi iterations inside one data region ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The OpenARC paper's separate-memory example: b is copied, a exists on the
|* device alone, each iteration is two kernels. The arrays are two-dimensional
|* in C, with run-time sizes. The sum of the diagonal is checked as well, taken
|* on the device from b as it stands there.
|*
|* Usage: jacobi [n [iterations]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <string.h>

static double onDevice(int N, int Iterations, float *Data) {
  int Side = N + 2;
  float(*B)[Side] = (float(*)[Side])Data;
  float(*A)[Side] =
      (float(*)[Side])demoAlloc((size_t)Side * Side, sizeof(float));
  double Diagonal = 0;
#pragma acc data copy(B[0 : Side][0 : Side]) create(A[0 : Side][0 : Side])
  {
    for (int K = 0; K < Iterations; ++K) {
#pragma acc kernels loop independent
      for (int I = 1; I <= N; ++I) {
#pragma acc loop independent
        for (int J = 1; J <= N; ++J)
          A[I][J] =
              (B[I - 1][J] + B[I + 1][J] + B[I][J - 1] + B[I][J + 1]) / 4.0f;
      }
#pragma acc kernels loop independent
      for (int I = 1; I <= N; ++I) {
#pragma acc loop independent
        for (int J = 1; J <= N; ++J)
          B[I][J] = A[I][J];
      }
    }
#pragma acc parallel loop reduction(+ : Diagonal)
    for (int I = 0; I < Side; ++I)
      Diagonal += B[I][I];
  }
  free(A);
  return Diagonal;
}

static void onHost(int N, int Iterations, float *B, float *A) {
  size_t Side = (size_t)N + 2;
  for (int K = 0; K < Iterations; ++K) {
    for (int I = 1; I <= N; ++I)
      for (int J = 1; J <= N; ++J) {
        size_t At = (size_t)I * Side + J;
        A[At] = (B[At - Side] + B[At + Side] + B[At - 1] + B[At + 1]) / 4.0f;
      }
    for (int I = 1; I <= N; ++I)
      memcpy(&B[(size_t)I * Side + 1], &A[(size_t)I * Side + 1],
             (size_t)N * sizeof(float));
  }
}

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 511);
  int Iterations = demoSize(Argc, Argv, 2, 100);
  int Devices = demoDevices() > 0;
  size_t Side = (size_t)N + 2, Cells = Side * Side;
  float *Start = (float *)demoAlloc(Cells, sizeof(float));
  float *B = (float *)demoAlloc(Cells, sizeof(float));
  float *Expected = (float *)demoAlloc(Cells, sizeof(float));
  float *Scratch = (float *)demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I)
    Start[I] = demoValue(I);
  memcpy(Expected, Start, Cells * sizeof(float));
  onHost(N, Iterations, Expected, Scratch);
  double ExpectedDiagonal = 0;
  for (size_t I = 0; I < Side; ++I)
    ExpectedDiagonal += Expected[I * Side + I];

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(B, Start, Cells * sizeof(float));
    double Begin = demoNow();
    double Diagonal = onDevice(N, Iterations, B);
    Times[R] = demoNow() - Begin;
    Good = Good && demoNear(Diagonal, ExpectedDiagonal, 1e-5) &&
           demoClose(B, Expected, Cells, 1e-5);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[48], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", N, N, Iterations);
  snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %s",
           1e-3 * Iterations * N * (double)N / Ms, demoPlace(Devices));
  free(Start), free(B), free(Expected), free(Scratch);
  return demoReport("acc-jacobi", Size, Ms, Metric, Good);
}
