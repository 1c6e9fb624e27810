/*===- product.c - The paper's matrix product, in three forms -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* As examples/many-devices/matmul.c, but gangs and lanes are left to accx: with
|* the paper's 32 gangs of 32 lanes a GPU of today is idle. Times are those of
|* the product and of the copies to the devices and back, as in the paper.
|*
|* Usage: product matmul:size:1[:repeats]... [form...]
|*
\*===----------------------------------------------------------------------===*/

#include "../../examples/many-devices/many.h"
#include "bodies.h"

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
#pragma acc parallel loop gang
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

static void extension(int N, int Devices, const float *A, const float *B,
                      float *C) {
  for (int D = 0; D < Devices; ++D) {
    const int Begin = demoShare(N, D, Devices);
    const int Rows = demoShare(N, D + 1, Devices) - Begin;
#pragma acc data copyin(A[Begin * N : Rows * N], B[0 : N * N])                 \
    copyout(C[Begin * N : Rows * N]) deviceid(D)
    {
#pragma acc parallel loop gang deviceid(D)
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
  for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
  }
}

static void spread(int N, int Devices, const float *A, const float *B,
                   float *C) {
  const int All = N * N;
  (void)Devices;
#pragma accx enter spread(A[0 : All], C[0 : All]) devices(all)
#pragma accx enter replicate(B[0 : All]) devices(all)
#pragma accx distribute
#pragma acc parallel loop gang present(A[0 : All], B[0 : All], C[0 : All])
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
  }
#pragma accx exit replicate(B[0 : All])
#pragma accx exit spread(A[0 : All], C[0 : All])
}

static const struct {
  const char *Name;
  void (*Run)(int N, int Devices, const float *A, const float *B, float *C);
} Forms[] = {{"hybrid", hybrid}, {"deviceid", extension}, {"spread", spread}};

static int run(ScaleCase S, int Argc, char **Argv, int Devices) {
  const int N = (int)S.Size;
  const size_t Cells = S.Size * S.Size;
  float *A = scaleFilled(Cells), *B = scaleFilled(Cells);
  float *C = scaleFilled(Cells);
  int Bad = 0;
  for (int F = 0; F < 3; ++F) {
    if (!scaleWants(Argc, Argv, Forms[F].Name))
      continue;
    double Ms[ScaleMaxRounds], Sum = 0;
    int Good = 1;
    for (int R = -1; R < S.Rounds; ++R) {
      memset(C, 0, Cells * sizeof(float));
      const double Start = scaleNow();
      Forms[F].Run(N, Devices, A, B, C);
      if (R >= 0)
        Ms[R] = scaleNow() - Start;
      if (R == -1 || R == S.Rounds - 1)
        Sum = productLook(N, C, &Good);
    }
    char Impl[32];
    snprintf(Impl, sizeof(Impl), "accx-%s", Forms[F].Name);
    Bad |= scaleReport("matmul", Impl, Devices, S.Size,
                       scaleMedian(Ms, S.Rounds), "ms with copies", Sum, Good);
  }
  free(A);
  free(B);
  free(C);
  return Bad;
}

int main(int Argc, char **Argv) {
  const int Devices = demoDevices();
  int Bad = 0;
  for (int I = 1; I < Argc; ++I)
    if (strchr(Argv[I], ':'))
      Bad |= run(scaleCase(Argv[I]), Argc, Argv, Devices);
  return Bad;
}
