//===- rivals.cu - The same reductions in CUDA ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB for flat reductions, 16-byte loads and shuffles with one atomic a block
// for the others, all multiprocessors for each position.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "data.h"

#include <cub/cub.cuh>

static int Multiprocessors;
constexpr int Threads = 512;

template <typename T> static T *onDevice(size_t N) {
  T *P;
  CHECKED(cudaMalloc(&P, N * sizeof(T)));
  return P;
}

struct Add {
  template <typename T> __host__ __device__ T operator()(T A, T B) const {
    return A + B;
  }
};
struct Most {
  template <typename T> __host__ __device__ T operator()(T A, T B) const {
    return A > B ? A : B;
  }
};
struct Multiply {
  template <typename T> __host__ __device__ T operator()(T A, T B) const {
    return A * B;
  }
};

template <typename T, typename Op>
static double reduced(const T *X, T *Out, T *Host, int N, Op Combine, T First) {
  size_t Bytes = 0;
  CHECKED(cub::DeviceReduce::Reduce(nullptr, Bytes, X, Out, N, Combine, First));
  auto *Scratch = onDevice<char>(Bytes);
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(
        cub::DeviceReduce::Reduce(Scratch, Bytes, X, Out, N, Combine, First));
    CHECKED(cudaMemcpyAsync(Host, Out, sizeof(T), cudaMemcpyDeviceToHost));
    CHECKED(cudaStreamSynchronize(0));
  });
  CHECKED(cudaFree(Scratch));
  return Ms;
}

template <typename T> static void flat(int N, const char *Type) {
  T *Host = filledWith<T>(size_t(N)), *X = onDevice<T>(size_t(N)),
    *Out = onDevice<T>(1), *Got;
  CHECKED(cudaMallocHost(&Got, sizeof(T)));
  Expected<T> E;
  char Name[32];
  const double Bytes = double(N) * sizeof(T);
  const auto Copy = [&] {
    CHECKED(cudaMemcpy(X, Host, size_t(N) * sizeof(T), cudaMemcpyHostToDevice));
  };
  fillForSums(Host, size_t(N));
  expectSums(Host, size_t(N), E);
  Copy();
  double Ms = reduced(X, Out, Got, N, Add(), T(0));
  snprintf(Name, sizeof Name, "sum-%s", Type);
  report(Name, "cub", N, Ms, Bytes, "GB/s", isSum(*Got, E));
  Ms = reduced(X, Out, Got, N, Most(), Host[0]);
  snprintf(Name, sizeof Name, "max-%s", Type);
  report(Name, "cub", N, Ms, Bytes, "GB/s", double(*Got) == E.Most);
  fillForProducts(Host, size_t(N));
  expectProducts(Host, size_t(N), E);
  Copy();
  Ms = reduced(X, Out, Got, N, Multiply(), T(1));
  snprintf(Name, sizeof Name, "product-%s", Type);
  report(Name, "cub", N, Ms, Bytes, "GB/s", isProduct(*Got, E));
  CHECKED(cudaFree(X));
  CHECKED(cudaFree(Out));
  CHECKED(cudaFreeHost(Got));
  free(Host);
}

/// The block's sum, in thread 0.
template <typename T> __device__ T blockSum(T V) {
  __shared__ T Warps[Threads / 32];
  for (int D = 16; D; D /= 2)
    V += __shfl_down_sync(~0u, V, D);
  if (threadIdx.x % 32 == 0)
    Warps[threadIdx.x / 32] = V;
  __syncthreads();
  if (threadIdx.x < 32) {
    V = threadIdx.x < Threads / 32 ? Warps[threadIdx.x] : T(0);
    for (int D = 16; D; D /= 2)
      V += __shfl_down_sync(~0u, V, D);
  }
  return V;
}

static __global__ void __launch_bounds__(Threads)
    inCircle(const float4 *X, const float4 *Y, int Fours, int *Count) {
  int S = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Fours;
       I += gridDim.x * Threads) {
    float4 A = X[I], B = Y[I];
    S += (A.x * A.x + B.x * B.x < 1) + (A.y * A.y + B.y * B.y < 1) +
         (A.z * A.z + B.z * B.z < 1) + (A.w * A.w + B.w * B.w < 1);
  }
  S = blockSum(S);
  if (threadIdx.x == 0)
    atomicAdd(Count, S);
}

static void pi(int N) {
  float *HostX = filledWith<float>(size_t(N)),
        *HostY = filledWith<float>(size_t(N)), *X = onDevice<float>(size_t(N)),
        *Y = onDevice<float>(size_t(N));
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    HostX[I] = noise(2ul * size_t(I));
    HostY[I] = noise(2ul * size_t(I) + 1);
  }
  CHECKED(cudaMemcpy(X, HostX, size_t(N) * 4, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(Y, HostY, size_t(N) * 4, cudaMemcpyHostToDevice));
  int *Count = onDevice<int>(1), *Got;
  CHECKED(cudaMallocHost(&Got, sizeof(int)));
  const int Blocks = min(Multiprocessors * 4, (N / 4 + Threads - 1) / Threads);
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Count, 0, sizeof(int)));
    inCircle<<<Blocks, Threads>>>(reinterpret_cast<float4 *>(X),
                                  reinterpret_cast<float4 *>(Y), N / 4, Count);
    CHECKED(cudaMemcpyAsync(Got, Count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECKED(cudaStreamSynchronize(0));
  });
  report("pi", "cuda", N, Ms, 8.0 * N, "GB/s",
         isPi(*Got, HostX, HostY, size_t(N)));
  for (void *P : {(void *)X, (void *)Y, (void *)Count})
    CHECKED(cudaFree(P));
  free(HostX);
  free(HostY);
}

/// Rows of Fours times four neighbours; blocks of one row share it.
static __global__ void __launch_bounds__(Threads)
    rows(const float4 *In, float *Out, size_t Fours) {
  In += blockIdx.y * Fours;
  float S = 0;
  for (size_t I = blockIdx.x * size_t(Threads) + threadIdx.x; I < Fours;
       I += size_t(gridDim.x) * Threads) {
    float4 V = In[I];
    S += V.x + V.y + V.z + V.w;
  }
  S = blockSum(S);
  if (threadIdx.x == 0)
    atomicAdd(&Out[blockIdx.y], S);
}

/// Copies rows, and sums each Stride-th element.
static __global__ void __launch_bounds__(Threads)
    move(const float4 *In, float4 *Tmp, float *Out, size_t Fours,
         size_t Stride) {
  In += blockIdx.y * Fours;
  Tmp += blockIdx.y * Fours;
  float S = 0;
  for (size_t I = blockIdx.x * size_t(Threads) + threadIdx.x; I < Fours;
       I += size_t(gridDim.x) * Threads) {
    float4 V = In[I];
    Tmp[I] = V;
    if (I * 4 % Stride == 0)
      S += V.x;
  }
  S = blockSum(S);
  if (threadIdx.x == 0)
    atomicAdd(&Out[blockIdx.y], S);
}

/// \p Rows sums of \p Length elements, of each Stride-th where that is not 0.
static void position(const char *Name, int Rows, size_t Length, size_t Stride) {
  const size_t N = size_t(Rows) * Length;
  float *Host = filledWith<float>(N), *In = onDevice<float>(N),
        *Tmp = onDevice<float>(Stride ? N : 1), *Out = onDevice<float>(Rows),
        *Got;
  CHECKED(cudaMallocHost(&Got, size_t(Rows) * 4));
  fillForPositions(Host, N);
  CHECKED(cudaMemcpy(In, Host, N * 4, cudaMemcpyHostToDevice));
  const dim3 Blocks((Multiprocessors * 4 + Rows - 1) / Rows, Rows);
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Out, 0, size_t(Rows) * 4));
    if (Stride)
      move<<<Blocks, Threads>>>(reinterpret_cast<float4 *>(In),
                                reinterpret_cast<float4 *>(Tmp), Out,
                                Length / 4, Stride);
    else
      rows<<<Blocks, Threads>>>(reinterpret_cast<float4 *>(In), Out,
                                Length / 4);
    CHECKED(
        cudaMemcpyAsync(Got, Out, size_t(Rows) * 4, cudaMemcpyDeviceToHost));
    CHECKED(cudaStreamSynchronize(0));
  });
  bool Right = true;
  for (int R = 0; R < Rows; ++R) {
    double Want = 0;
    for (size_t I = 0; I < Length; I += Stride ? Stride : 1)
      Want += Host[size_t(R) * Length + I];
    Right &= Got[R] == Want;
  }
  report(Name, "cuda", long(N), Ms, (Stride ? 8.0 : 4.0) * double(N), "GB/s",
         Right);
  for (void *P : {(void *)In, (void *)Tmp, (void *)Out})
    CHECKED(cudaFree(P));
  CHECKED(cudaFreeHost(Got));
  free(Host);
}

int main(int Count, char **Args) {
  cudaDeviceProp Properties;
  CHECKED(cudaGetDeviceProperties(&Properties, 0));
  Multiprocessors = Properties.multiProcessorCount;
  for (int N : {1 << 16, 1 << 28}) {
    if (isWanted(Count, Args, "flat")) {
      flat<int>(N, "int");
      flat<float>(N, "float");
      flat<double>(N, "double");
    }
    if (isWanted(Count, Args, "pi"))
      pi(N);
  }
  if (isWanted(Count, Args, "positions")) {
    const size_t N = 1 << 20;
    position("vector", 64, N, 0);
    position("worker-vector", 2, 32 * N, 0);
    position("gang-worker-vector", 1, 64 * N, 0);
    position("worker", 2, 32 * N, 32);
    position("gang", 1, 64 * N, 64);
  }
  return Wrong != 0;
}
