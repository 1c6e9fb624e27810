// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the hand-written rivals.

extern "C" __global__ void empty() {}

extern "C" __global__ void saxpy(float *Y, const float *X, float A, long N) {
  for (long I = blockIdx.x * (long)blockDim.x + threadIdx.x; I < N;
       I += (long)gridDim.x * blockDim.x)
    Y[I] += A * X[I];
}

/// Block sums by shuffles, then one atomic a block; Sum starts at 0.
extern "C" __global__ void sum(double *Sum, const double *X, long N) {
  __shared__ double Warps[32];
  double Mine = 0;
  for (long I = blockIdx.x * (long)blockDim.x + threadIdx.x; I < N;
       I += (long)gridDim.x * blockDim.x)
    Mine += X[I];
  for (int D = 16; D; D /= 2)
    Mine += __shfl_down_sync(~0u, Mine, D);
  if (threadIdx.x % 32 == 0)
    Warps[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    Mine = threadIdx.x < blockDim.x / 32 ? Warps[threadIdx.x] : 0;
    for (int D = 16; D; D /= 2)
      Mine += __shfl_down_sync(~0u, Mine, D);
    if (threadIdx.x == 0)
      atomicAdd(Sum, Mine);
  }
}
