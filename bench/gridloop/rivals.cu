//===- rivals.cu - CUDA versions of the grid-loop benchmarks --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same work by hand: 16-byte accesses for streams, one thread a cell for
// grids, CUB for sums. Results that a program reads on the host are copied back
// inside the timed part, as directives do it.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "measure.h"

#include <cub/cub.cuh>

static int Multiprocessors;

static float *onDevice(const float *From, size_t N) {
  float *P;
  CHECKED(cudaMalloc(&P, N * sizeof(float)));
  if (From)
    CHECKED(cudaMemcpy(P, From, N * sizeof(float), cudaMemcpyHostToDevice));
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

__global__ void saxpy(float A, const float4 *X, float4 *Y, int N) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    float4 V = X[I], W = Y[I];
    Y[I] =
        make_float4(A * V.x + W.x, A * V.y + W.y, A * V.z + W.z, A * V.w + W.w);
  }
}

__global__ void triad(float A, const float4 *X, const float4 *Y, float4 *Z,
                      int N) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    float4 V = X[I], W = Y[I];
    Z[I] =
        make_float4(V.x + A * W.x, V.y + A * W.y, V.z + A * W.z, V.w + A * W.w);
  }
}

__global__ void stencil(const float *A, float *B, int N) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y, Z = blockIdx.z;
  if (X < 1 || Y < 1 || Z < 1 || X >= N - 1 || Y >= N - 1 || Z >= N - 1)
    return;
  int I = (Z * N + Y) * N + X, P = N * N;
  B[I] = 0.5f * A[I] + 0.08f * (A[I - 1] + A[I + 1] + A[I - N] + A[I + N] +
                                A[I - P] + A[I + P]);
}

/// The maximum goes through one atomic a warp: floats that are not negative
/// order like integers.
__global__ void heat(const float *A, float *B, int *Most, int N) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float D = 0;
  if (X > 0 && Y > 0 && X < N - 1 && Y < N - 1) {
    int I = Y * N + X;
    float V = 0.25f * (A[I - N] + A[I + N] + A[I - 1] + A[I + 1]);
    D = fabsf(V - A[I]);
    B[I] = V;
  }
  __shared__ int Block;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    Block = 0;
  __syncthreads();
  int M = __reduce_max_sync(~0u, __float_as_int(D));
  if (threadIdx.x == 0)
    atomicMax(&Block, M);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicMax(Most, Block);
}

__global__ void hotspot(const float *T, const float *P, float *O, int N) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= N || Y >= N)
    return;
  int I = Y * N + X;
  float C = T[I], North = Y > 0 ? T[I - N] : C, West = X > 0 ? T[I - 1] : C;
  float South = Y < N - 1 ? T[I + N] : C, East = X < N - 1 ? T[I + 1] : C;
  O[I] = C + 0.2f * (P[I] + (North + South - 2 * C) * 0.3f +
                     (East + West - 2 * C) * 0.3f + (0.5f - C) * 0.01f);
}

__global__ void nbody(const float4 *P, float4 *F, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float4 Me = P[I];
  float X = 0, Y = 0, Z = 0;
  for (int J = 0; J < N; ++J) {
    float4 Q = P[J];
    float DX = Q.x - Me.x, DY = Q.y - Me.y, DZ = Q.z - Me.z;
    float R = rsqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
    float W = Q.w * R * R * R;
    X += W * DX;
    Y += W * DY;
    Z += W * DZ;
  }
  F[I] = make_float4(X, Y, Z, 0);
}

static void streams(int N) {
  float *Host = filled(N), *Back = filled(N);
  float *X = onDevice(Host, N), *Y = onDevice(Host, N),
        *Z = onDevice(nullptr, N);
  int Grid = min(Multiprocessors * 16, (N / 4 + 255) / 256);
  double Bytes = 4.0 * N, Ms, S = 0;
  float4 *X4 = (float4 *)X, *Y4 = (float4 *)Y, *Z4 = (float4 *)Z;
  saxpy<<<Grid, 256>>>(0.5f, X4, Y4, N / 4);
  toHost(Back, Y, N);
  bool Right = true;
  for
    SPREAD(I, (size_t)N)
  Right &= isNear(Back[I], 1.5f * Host[I], 1e-6);
  Ms = timed([&] { saxpy<<<Grid, 256>>>(0.001f, X4, Y4, N / 4); });
  report("saxpy", "cuda", N, Ms, 3 * Bytes, "GB/s", Right);

  CHECKED(cudaMemcpy(Y, Host, N * sizeof(float), cudaMemcpyHostToDevice));
  Ms = timed([&] { triad<<<Grid, 256>>>(0.5f, X4, Y4, Z4, N / 4); });
  toHost(Back, Z, N);
  Right = true;
  for
    SPREAD(I, (size_t)N)
  Right &= isNear(Back[I], 1.5f * Host[I], 1e-6);
  report("triad", "cuda", N, Ms, 3 * Bytes, "GB/s", Right);

  Ms = timed([&] {
    CHECKED(cudaMemcpyAsync(Z, X, N * sizeof(float), cudaMemcpyDeviceToDevice));
  });
  report("copy", "cuda", N, Ms, 2 * Bytes, "GB/s", true);

  float *Out, *Got;
  void *Scratch = nullptr;
  size_t ScratchBytes = 0;
  CHECKED(cudaMalloc(&Out, sizeof(float)));
  CHECKED(cudaMallocHost(&Got, sizeof(float)));
  CHECKED(cub::DeviceReduce::Sum(Scratch, ScratchBytes, X, Out, N));
  CHECKED(cudaMalloc(&Scratch, ScratchBytes));
  Ms = timed([&] {
    CHECKED(cub::DeviceReduce::Sum(Scratch, ScratchBytes, X, Out, N));
    CHECKED(cudaMemcpyAsync(Got, Out, sizeof(float), cudaMemcpyDeviceToHost));
  });
  for (int I = 0; I < N; ++I)
    S += Host[I];
  report("sum", "cuda", N, Ms, Bytes, "GB/s", isNear(*Got, S, 1e-4));
  for (void *P : {(void *)X, (void *)Y, (void *)Z, (void *)Out, Scratch})
    CHECKED(cudaFree(P));
  free(Host);
  free(Back);
}

static void grids(int N, int W) {
  dim3 Threads(32, 8);
  size_t Cells = (size_t)N * N * N;
  float *Host = filled(Cells), *A = onDevice(Host, Cells),
        *B = onDevice(Host, Cells);
  dim3 Cube((N + 31) / 32, (N + 7) / 8, N);
  double Ms = timed([&] {
    for (int S = 0; S < STENCIL_STEPS; S += 2) {
      stencil<<<Cube, Threads>>>(A, B, N);
      stencil<<<Cube, Threads>>>(B, A, N);
    }
  });
  report("stencil", "cuda", N, Ms, (double)Cells * STENCIL_STEPS, "Gcell/s",
         true);
  CHECKED(cudaFree(A));
  CHECKED(cudaFree(B));

  Cells = (size_t)W * W;
  A = onDevice(Host, Cells);
  B = onDevice(Host, Cells);
  float *P = onDevice(Host, Cells);
  dim3 Square((W + 31) / 32, (W + 7) / 8);
  int *Most, *Got;
  CHECKED(cudaMalloc(&Most, sizeof(int)));
  CHECKED(cudaMallocHost(&Got, sizeof(int)));
  Ms = timed([&] {
    for (int S = 0; S < HEAT_STEPS; ++S) {
      CHECKED(cudaMemsetAsync(Most, 0, sizeof(int)));
      heat<<<Square, Threads>>>(S % 2 ? B : A, S % 2 ? A : B, Most, W);
      CHECKED(cudaMemcpyAsync(Got, Most, sizeof(int), cudaMemcpyDeviceToHost));
      CHECKED(cudaStreamSynchronize(0));
    }
  });
  report("heat", "cuda", W, Ms, (double)Cells * HEAT_STEPS, "Gcell/s", true);
  Ms = timed([&] {
    for (int S = 0; S < HOTSPOT_STEPS; ++S)
      hotspot<<<Square, Threads>>>(S % 2 ? B : A, P, S % 2 ? A : B, W);
  });
  report("hotspot", "cuda", W, Ms, (double)Cells * HOTSPOT_STEPS, "Gcell/s",
         true);
  free(Host);
}

static void bodies(int N) {
  float *Host = filled(4 * (size_t)N), *P = onDevice(Host, 4 * (size_t)N),
        *F = onDevice(nullptr, 4 * (size_t)N);
  double Ms = timed(
      [&] { nbody<<<(N + 127) / 128, 128>>>((float4 *)P, (float4 *)F, N); });
  report("nbody", "cuda", N, Ms, 20.0 * N * N, "GF", true);
  free(Host);
}

int main(int Count, char **Args) {
  cudaDeviceProp Device;
  CHECKED(cudaGetDeviceProperties(&Device, 0));
  Multiprocessors = Device.multiProcessorCount;
  printf("# %s\n", Device.name);
  if (isWanted(Count, Args, "streams"))
    streams(1 << 28);
  if (isWanted(Count, Args, "short"))
    streams(65536);
  if (isWanted(Count, Args, "cube") || isWanted(Count, Args, "squares"))
    grids(512, 4096);
  if (isWanted(Count, Args, "bodies"))
    bodies(32768);
  return Wrong != 0;
}
