//===- paper.cu - The paper's product and S3D-like program by hand --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host thread for each GPU; times with memory, copies and kernels, as in
// product.c and thermo.c. Kernels have the loops that the directives have.
//
// Usage: paper-cuda matmul:size:1[:repeats]...
// thermo:points:rounds[:repeats]...
//
//===----------------------------------------------------------------------===//

#include "bodies.h"
#include "kernels.cuh"
#include "team.cuh"

#include <algorithm>

enum { Species = 9, Degree = 5 };
typedef struct {
  float Middle;
  float Low[Species][Degree], High[Species][Degree];
} Polynomials;

#include "thermo.h"

static float *toDevice(const float *Host, size_t Count, cudaStream_t Stream) {
  float *P;
  CHECKED(cudaMalloc(&P, Count * sizeof(float)));
  CHECKED(cudaMemcpyAsync(P, Host, Count * sizeof(float),
                          cudaMemcpyHostToDevice, Stream));
  return P;
}

/// Repeats of Work(D) on the devices' threads.
template <class F>
static void timed(Team &Who, const ScaleCase &C, double *Ms, const F &Work) {
  Who.run([&](int D) {
    for (int R = -1; R < C.Rounds; ++R) {
      Who.barrier();
      const double Begin = scaleNow();
      Work(D);
      Who.barrier();
      if (D == 0 && R >= 0)
        Ms[R] = scaleNow() - Begin;
    }
  });
}

static int matmul(const ScaleCase &S, Team &Who) {
  const int N = int(S.Size);
  const size_t All = S.Size * S.Size;
  float *A = scaleFilled(All), *B = scaleFilled(All), *C = scaleFilled(All);
  memset(C, 0, All * sizeof(float));
  teamUse(0);
  cudaStream_t First = Who.stream(0);
  float *DA = toDevice(A, All, First), *DB = toDevice(B, All, First);
  float *DC = toDevice(C, All, First);
  const int Best = teamFastest(First, ProductShapes, 1, [&](int Shape) {
    multiply(Shape, DA, DB, DC, N, std::min(N, 512), First);
  });
  CHECKED(cudaFree(DA));
  CHECKED(cudaFree(DB));
  CHECKED(cudaFree(DC));
  double Ms[ScaleMaxRounds];
  int Good = 1;
  timed(Who, S, Ms, [&](int D) {
    const int First = teamShare(N, D, Who.Count);
    const int Rows = teamShare(N, D + 1, Who.Count) - First;
    const size_t At = size_t(First) * N, Own = size_t(Rows) * N;
    cudaStream_t Stream = Who.stream(D);
    float *MyA = toDevice(A + At, Own, Stream), *MyC;
    float *MyB = toDevice(B, All, Stream);
    CHECKED(cudaMalloc(&MyC, Own * sizeof(float)));
    multiply(Best, MyA, MyB, MyC, N, Rows, Stream);
    Who.wait(D);
    CHECKED(
        cudaMemcpy(C + At, MyC, Own * sizeof(float), cudaMemcpyDeviceToHost));
    CHECKED(cudaFree(MyA));
    CHECKED(cudaFree(MyB));
    CHECKED(cudaFree(MyC));
  });
  const double Sum = productLook(N, C, &Good);
  free(A);
  free(B);
  free(C);
  return scaleReport("matmul", "cuda", Who.Count, S.Size,
                     scaleMedian(Ms, S.Rounds), "ms with copies", Sum, Good);
}

/// Capacity of one mixture at one point, or enthalpy, its integral.
SCALE_BOTH static float mixed(const Polynomials *P, float T,
                              const float *Shares, int Integral) {
  float Sum = 0;
  for (int S = 0; S < Species; ++S) {
    const float *C = T < P->Middle ? P->Low[S] : P->High[S];
    float Value = 0;
    for (int I = Degree - 1; I >= 0; --I)
      Value = Value * T + (Integral ? C[I] / float(I + 1) : C[I]);
    Sum += Shares[S] * (Integral ? Value * T : Value);
  }
  return Sum;
}

__global__ void mixAll(const Polynomials *__restrict__ Fits,
                       const float *__restrict__ T,
                       const float *__restrict__ Shares,
                       float *__restrict__ Result, int Count, int Integral) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Result[I] = mixed(Fits, T[I], Shares + size_t(I) * Species, Integral);
}

static int thermo(const ScaleCase &S, Team &Who) {
  const int Points = int(S.Size);
  Polynomials Fits;
  thermoFits(&Fits);
  ThermoFill Data;
  float *Results[2];
  Data.T = scaleFilled(S.Size);
  Data.Shares = scaleFilled(S.Size * Species);
  scaleParallel(S.Size, thermoFillPart, &Data);
  for (float *&R : Results)
    R = scaleFilled(S.Size);
  double Ms[ScaleMaxRounds];
  int Good = 1;
  // Even devices compute capacities, odd ones enthalpies; one alone both.
  timed(Who, S, Ms, [&](int D) {
    for (int Kind = 0; Kind < 2; ++Kind) {
      if (Who.Count > 1 && Kind != D % 2)
        continue;
      const int Sharers = Who.Count == 1 ? 1
                          : Kind         ? Who.Count / 2
                                         : (Who.Count + 1) / 2;
      const int First = teamShare(Points, D / 2, Sharers);
      const int Count = teamShare(Points, D / 2 + 1, Sharers) - First;
      cudaStream_t Stream = Who.stream(D);
      float *T = toDevice(Data.T + First, Count, Stream);
      float *Shares = toDevice(Data.Shares + size_t(First) * Species,
                               size_t(Count) * Species, Stream);
      Polynomials *Fit;
      float *Result;
      CHECKED(cudaMalloc(&Fit, sizeof(Fits)));
      CHECKED(cudaMemcpyAsync(Fit, &Fits, sizeof(Fits), cudaMemcpyHostToDevice,
                              Stream));
      CHECKED(cudaMalloc(&Result, Count * sizeof(float)));
      for (int R = 0; R < S.Steps; ++R)
        mixAll<<<(Count + 255) / 256, 256, 0, Stream>>>(Fit, T, Shares, Result,
                                                        Count, Kind);
      CHECKED(cudaGetLastError());
      Who.wait(D);
      CHECKED(cudaMemcpy(Results[Kind] + First, Result, Count * sizeof(float),
                         cudaMemcpyDeviceToHost));
      CHECKED(cudaFree(T));
      CHECKED(cudaFree(Shares));
      CHECKED(cudaFree(Fit));
      CHECKED(cudaFree(Result));
    }
  });
  const double Sum = thermoLook(&Fits, &Data, Results, S.Size, mixed, &Good);
  free(Data.T);
  free(Data.Shares);
  free(Results[0]);
  free(Results[1]);
  char Unit[32];
  snprintf(Unit, sizeof(Unit), "ms for %d rounds", S.Steps);
  return scaleReport("thermo", "cuda", Who.Count, S.Size,
                     scaleMedian(Ms, S.Rounds), Unit, Sum, Good);
}

int main(int Argc, char **Argv) {
  int Bad = Argc < 2;
  for (int Devices : teamSizes()) {
    Team Who(Devices);
    for (int I = 1; I < Argc; ++I) {
      const ScaleCase C = scaleCase(Argv[I]);
      if (!strcmp(C.Name, "matmul"))
        Bad |= matmul(C, Who);
      else if (!strcmp(C.Name, "thermo"))
        Bad |= thermo(C, Who);
      else
        return 2;
    }
  }
  return Bad;
}
