//===- kernels.cuh - Kernels by hand of loops without neighbours ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several shapes of each, so that the fastest can be taken.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BENCH_SCALE_KERNELS_CUH
#define ACCX_BENCH_SCALE_KERNELS_CUH

#include "../common/checked.cuh"
#include "bodies.h"

__global__ void fillValues(float *A, size_t First, size_t Count) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    A[I] = scaleValue(First + I);
}

/// A thread an element.
__global__ void productPlain(const float *__restrict__ A,
                             const float *__restrict__ B, float *__restrict__ C,
                             int N, int Rows) {
  const int J = blockIdx.x * blockDim.x + threadIdx.x;
  const int I = blockIdx.y * blockDim.y + threadIdx.y;
  if (I >= Rows || J >= N)
    return;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[size_t(I) * N + K] * B[size_t(K) * N + J];
  C[size_t(I) * N + J] = Sum;
}

/// Tiles of 32 x 32; each of 32 x 8 threads has four elements.
__global__ void productTiled(const float *__restrict__ A,
                             const float *__restrict__ B, float *__restrict__ C,
                             int N, int Rows) {
  __shared__ float TA[32][32], TB[32][32];
  const int X = threadIdx.x, J = blockIdx.x * 32 + X, I = blockIdx.y * 32;
  float Sums[4] = {};
  for (int K = 0; K < N; K += 32) {
    for (int Y = threadIdx.y; Y < 32; Y += 8) {
      TA[Y][X] = I + Y < Rows && K + X < N ? A[size_t(I + Y) * N + K + X] : 0;
      TB[Y][X] = K + Y < N && J < N ? B[size_t(K + Y) * N + J] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int L = 0; L < 32; ++L)
#pragma unroll
      for (int Q = 0; Q < 4; ++Q)
        Sums[Q] += TA[threadIdx.y + 8 * Q][L] * TB[L][X];
    __syncthreads();
  }
  for (int Q = 0; Q < 4; ++Q) {
    const int Y = I + threadIdx.y + 8 * Q;
    if (Y < Rows && J < N)
      C[size_t(Y) * N + J] = Sums[Q];
  }
}

enum { ProductShapes = 6, ProductTiles = ProductShapes };

inline void multiply(int Shape, const float *A, const float *B, float *C, int N,
                     int Rows, cudaStream_t Stream) {
  static const dim3 Blocks[] = {dim3(32, 8), dim3(16, 16), dim3(32, 32),
                                dim3(64, 4), dim3(128, 2), dim3(256, 1),
                                dim3(32, 32)};
  const dim3 Tile = Blocks[Shape];
  const dim3 Grid((N + Tile.x - 1) / Tile.x, (Rows + Tile.y - 1) / Tile.y);
  if (Shape == ProductTiles)
    productTiled<<<Grid, dim3(32, 8), 0, Stream>>>(A, B, C, N, Rows);
  else
    productPlain<<<Grid, Tile, 0, Stream>>>(A, B, C, N, Rows);
  CHECKED(cudaGetLastError());
}

/// Adds the sum over a block's threads to *Sum.
__device__ inline void addOfBlock(double Mine, double *Sum) {
  __shared__ double Warps[32];
  for (int O = 16; O; O /= 2)
    Mine += __shfl_down_sync(~0u, Mine, O);
  if (threadIdx.x % 32 == 0)
    Warps[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    Mine = threadIdx.x < blockDim.x / 32 ? Warps[threadIdx.x] : 0;
    for (int O = 16; O; O /= 2)
      Mine += __shfl_down_sync(~0u, Mine, O);
    if (threadIdx.x == 0)
      atomicAdd(Sum, Mine);
  }
}

__global__ void addKernel(const float *__restrict__ A, size_t Count,
                          double *Sum) {
  const float4 *Fours = reinterpret_cast<const float4 *>(A);
  const size_t First = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  const size_t Stride = size_t(gridDim.x) * blockDim.x;
  double Mine = 0;
#pragma unroll 4
  for (size_t I = First; I < Count / 4; I += Stride) {
    const float4 V = Fours[I];
    Mine += double(V.x) + V.y + (double(V.z) + V.w);
  }
  if (First < Count % 4)
    Mine += A[Count / 4 * 4 + First];
  addOfBlock(Mine, Sum);
}

enum { SumShapes = 6 };
inline void addAll(int Shape, const float *A, size_t Count, double *Sum,
                   cudaStream_t Stream) {
  static const int Blocks[] = {132 * 4, 132 * 8, 132 * 16,
                               132 * 2, 132 * 4, 132 * 32};
  static const int Threads[] = {256, 256, 256, 1024, 512, 256};
  addKernel<<<Blocks[Shape], Threads[Shape], 0, Stream>>>(A, Count, Sum);
  CHECKED(cudaGetLastError());
}

enum { BodyBlock = 256 };

/// Own bodies from First on: their velocities, places and energy.
template <bool Tiled>
__global__ void bodyKernel(const Body *__restrict__ From, Body *__restrict__ To,
                           Body *__restrict__ V, int First, int Own, int Count,
                           float Squared, float Step, double *Energy) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const bool Mine = I < Own;
  Body P = From[First + (Mine ? I : 0)], Speed = V[Mine ? I : 0];
  if (!Tiled) {
    Speed = bodyPulled(P, Speed, From, Count, Squared, Step);
  } else {
    __shared__ Body Tile[BodyBlock];
    // Pulls of a tile's bodies add up like those of all.
    for (int J = 0; J < Count; J += BodyBlock) {
      const int Here = min(int(BodyBlock), Count - J);
      if (threadIdx.x < Here)
        Tile[threadIdx.x] = From[J + threadIdx.x];
      __syncthreads();
      Speed = bodyPulled(P, Speed, Tile, Here, Squared, Step);
      __syncthreads();
    }
  }
  float Kinetic = 0;
  if (Mine) {
    Kinetic = bodyMove(&P, Speed, Step);
    V[I] = Speed;
    To[First + I] = P;
  }
  addOfBlock(Kinetic, Energy);
}

inline void pullAndMove(bool Tiled, const Body *From, Body *To, Body *V,
                        int First, int Own, int Count, double *Energy,
                        cudaStream_t Stream) {
  const auto Kernel = Tiled ? bodyKernel<true> : bodyKernel<false>;
  Kernel<<<(Own + BodyBlock - 1) / BodyBlock, BodyBlock, 0, Stream>>>(
      From, To, V, First, Own, Count, BodySquared, BodyStep, Energy);
  CHECKED(cudaGetLastError());
}

#endif // ACCX_BENCH_SCALE_KERNELS_CUH
