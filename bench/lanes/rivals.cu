//===- rivals.cu - CUDA versions of the lanes benchmarks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same work by hand: a warp a row, shuffles.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "../gridloop/measure.h"
#include "sizes.h"

template <class T> static T *onDevice(const T *From, size_t N) {
  T *P;
  CHECKED(cudaMalloc(&P, N * sizeof(T)));
  CHECKED(cudaMemcpy(P, From, N * sizeof(T), cudaMemcpyHostToDevice));
  return P;
}

static void toHost(float *To, const float *From, size_t N) {
  CHECKED(cudaMemcpy(To, From, N * sizeof(float), cudaMemcpyDeviceToHost));
}

/// F queues; a run ends when the device is done.
template <class WorkT> static double timed(WorkT F) {
  double Ms;
  MEDIAN_OF(Ms, F(); CHECKED(cudaDeviceSynchronize()));
  CHECKED(cudaGetLastError());
  return Ms;
}

constexpr int Block = 256;
static int blocksFor(int Rows) {
  return (Rows + Block / 32 - 1) / (Block / 32);
}

__device__ static float sum(float S) {
  for (int D = 16; D; D /= 2)
    S += __shfl_xor_sync(~0u, S, D);
  return S;
}

__global__ void matvec(int Rows, int Columns, const float *__restrict__ A,
                       const float *__restrict__ X, float *__restrict__ Y) {
  int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Lane = threadIdx.x % 32;
  if (I >= Rows)
    return;
  const float *Row = A + I * (long)Columns;
  float S = 0;
#pragma unroll 4
  for (int J = Lane; J < Columns; J += 32)
    S += Row[J] * X[J];
  S = sum(S);
  if (!Lane)
    Y[I] = S;
}

__global__ void maxima(int Rows, int Columns, const float *__restrict__ A,
                       float *__restrict__ Y) {
  int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Lane = threadIdx.x % 32;
  if (I >= Rows)
    return;
  const float *Row = A + I * (long)Columns;
  float S = 0;
#pragma unroll 4
  for (int J = Lane; J < Columns; J += 32)
    S = fmaxf(S, Row[J]);
  for (int D = 16; D; D /= 2)
    S = fmaxf(S, __shfl_xor_sync(~0u, S, D));
  if (!Lane)
    Y[I] = S;
}

__global__ void normalize(int Rows, int Columns, const float *__restrict__ A,
                          float *__restrict__ Z) {
  int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Lane = threadIdx.x % 32;
  if (I >= Rows)
    return;
  const float *Row = A + I * (long)Columns;
  float S = 0;
#pragma unroll 4
  for (int J = Lane; J < Columns; J += 32)
    S += Row[J];
  S = 1 / sum(S);
#pragma unroll 4
  for (int J = Lane; J < Columns; J += 32)
    Z[I * (long)Columns + J] = Row[J] * S;
}

__global__ void sparse(int Rows, const int *__restrict__ Begin,
                       const int *__restrict__ Column,
                       const float *__restrict__ A, const float *__restrict__ X,
                       float *__restrict__ Y) {
  int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Lane = threadIdx.x % 32;
  if (I >= Rows)
    return;
  float S = 0;
  for (int K = Begin[I] + Lane; K < Begin[I + 1]; K += 32)
    S += A[K] * X[Column[K]];
  S = sum(S);
  if (!Lane)
    Y[I] = S;
}

int main(int Count, char **Args) {
  const int Small = Count > 1 && !strcmp(Args[1], "small");
  const size_t N = Small ? SMALL_ELEMENTS : ELEMENTS;
  float *A = filled(N), *Z = filled(N), *Y = filled(N);
  float *DA = onDevice(A, N), *DZ = onDevice(Z, N), *DY = onDevice(Y, N);
  for (int Shape = 0; Shape < SHAPES; ++Shape) {
    const int Columns = COLUMNS(Shape, Small), Rows = (int)(N / Columns);
    double Ms = timed(
        [&] { matvec<<<blocksFor(Rows), Block>>>(Rows, Columns, DA, DZ, DY); });
    toHost(Y, DY, Rows);
    report("matvec", "cuda", Columns, Ms, 4.0 * N, "GB/s",
           checkMatvec(Rows, Columns, A, Z, Y));
    const int Workers = BATCH_ROWS, All = Rows / Workers * Workers;
    Ms =
        timed([&] { maxima<<<blocksFor(All), Block>>>(All, Columns, DA, DY); });
    toHost(Y, DY, All);
    report("maxima", "cuda", Columns, Ms, 4.0 * N, "GB/s",
           checkMaxima(All, Columns, A, Y));
  }
  for (int Shape = 0; Shape < SHAPES; ++Shape) {
    const int Columns = COLUMNS(Shape, Small), Rows = (int)(N / Columns);
    double Ms = timed(
        [&] { normalize<<<blocksFor(Rows), Block>>>(Rows, Columns, DA, DZ); });
    toHost(Z, DZ, N);
    report("normalize", "cuda", Columns, Ms, 8.0 * N, "GB/s",
           checkNormalize(Rows, Columns, A, Z));
  }
  const int Rows = (int)(N / SPARSE_MEAN);
  int *Begin = rowsOf(Rows);
  const size_t Entries = Begin[Rows];
  int *Column = columnsOf(Entries, Rows);
  int *DBegin = onDevice(Begin, Rows + 1), *DColumn = onDevice(Column, Entries);
  double Ms = timed([&] {
    sparse<<<blocksFor(Rows), Block>>>(Rows, DBegin, DColumn, DA, DZ, DY);
  });
  toHost(Y, DY, Rows);
  report("sparse", "cuda", Rows, Ms, 8.0 * Entries, "GB/s",
         checkSparse(Rows, Begin, Column, A, Z, Y));
  return Wrong != 0;
}
