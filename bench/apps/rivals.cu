//===- rivals.cu - The same applications in CUDA --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts and sums in shared memory, a warp an element of the product, one
// thread a cell with the maximum through one atomic a block. Results that a
// program reads on the host are copied back inside the timed part.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "data.h"

static int Multiprocessors;
constexpr int Threads = 256;

template <typename T> static T *onDevice(size_t N, const T *From = nullptr) {
  T *P;
  CHECKED(cudaMalloc(&P, N * sizeof(T)));
  if (From)
    CHECKED(cudaMemcpy(P, From, N * sizeof(T), cudaMemcpyHostToDevice));
  return P;
}
template <typename T> static void fetch(T *To, const T *From, size_t N) {
  CHECKED(cudaMemcpy(To, From, N * sizeof(T), cudaMemcpyDeviceToHost));
}

template <typename T> __device__ T warpSum(T V) {
  for (int D = 16; D; D /= 2)
    V += __shfl_xor_sync(~0u, V, D);
  return V;
}

static __global__ void bins(const uchar4 *X, int Fours, int *Out) {
  __shared__ int Own[256];
  Own[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Fours;
       I += gridDim.x * Threads) {
    uchar4 V = X[I];
    atomicAdd(&Own[V.x], 1);
    atomicAdd(&Own[V.y], 1);
    atomicAdd(&Own[V.z], 1);
    atomicAdd(&Own[V.w], 1);
  }
  __syncthreads();
  atomicAdd(&Out[threadIdx.x], Own[threadIdx.x]);
}

static void histogram(int N) {
  auto *X = filledWith<unsigned char>(size_t(N));
  int Want[256] = {}, Got[256];
  for (int I = 0; I < N; ++I) {
    X[I] = static_cast<unsigned char>(noise(size_t(I)) * 256);
    ++Want[X[I]];
  }
  auto *In = onDevice(size_t(N), X);
  int *Out = onDevice<int>(256);
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Out, 0, sizeof Got));
    bins<<<Multiprocessors * 8, Threads>>>(reinterpret_cast<uchar4 *>(In),
                                           N / 4, Out);
    fetch(Got, Out, 256);
  });
  report("bins", "cuda", N, Ms, N, "GB/s", !memcmp(Got, Want, sizeof Got));
  CHECKED(cudaFree(In));
  CHECKED(cudaFree(Out));
  free(X);
}

template <int K, int D>
static __global__ void moments(const float *P, int N, Means<K, D> M,
                               Moments<K, D> *Out) {
  __shared__ Moments<K, D> Own;
  for (int I = threadIdx.x; I < K * D; I += Threads)
    Own.Sum[I] = 0;
  for (int I = threadIdx.x; I < K; I += Threads)
    Own.Count[I] = 0;
  __syncthreads();
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N;
       I += gridDim.x * Threads) {
    float Point[D];
    for (int J = 0; J < D; ++J)
      Point[J] = P[size_t(I) * D + J];
    const int C = nearest(M, Point);
    atomicAdd(&Own.Count[C], 1);
    for (int J = 0; J < D; ++J)
      atomicAdd(&Own.Sum[C * D + J], Point[J]);
  }
  __syncthreads();
  for (int I = threadIdx.x; I < K * D; I += Threads)
    atomicAdd(&Out->Sum[I], Own.Sum[I]);
  for (int I = threadIdx.x; I < K; I += Threads)
    atomicAdd(&Out->Count[I], Own.Count[I]);
}

template <int K, int D> static void kmeans(int N, const char *Name) {
  const Means<K, D> M = firstMeans<K, D>();
  const size_t All = size_t(N) * D;
  float *Host = filled(All), *P = onDevice(All, Host);
  auto *Out = onDevice<Moments<K, D>>(1);
  Moments<K, D> Got;
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Out, 0, sizeof Got));
    moments<<<Multiprocessors * 8, Threads>>>(P, N, M, Out);
    fetch(&Got, Out, 1);
  });
  report(Name, "cuda", N, Ms, 4.0 * double(All), "GB/s",
         areMoments(Got, M, Host, N));
  CHECKED(cudaFree(P));
  CHECKED(cudaFree(Out));
  free(Host);
}

static __global__ void pairs(int Batches, EpResult *Out) {
  __shared__ int Rings[EpRings];
  if (threadIdx.x < EpRings)
    Rings[threadIdx.x] = 0;
  __syncthreads();
  double SumX = 0, SumY = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Batches;
       I += gridDim.x * Threads) {
    unsigned long Seed = epJump(2ul * EpPairs * (unsigned long)I);
    for (int P = 0; P < EpPairs; ++P) {
      const double A = epNext(Seed), B = epNext(Seed), T = A * A + B * B;
      if (T <= 1) {
        const double F = sqrt(-2 * log(T) / T), X = A * F, Y = B * F;
        atomicAdd(&Rings[int(fmax(fabs(X), fabs(Y)))], 1);
        SumX += X;
        SumY += Y;
      }
    }
  }
  SumX = warpSum(SumX);
  SumY = warpSum(SumY);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&Out->X, SumX);
    atomicAdd(&Out->Y, SumY);
  }
  __syncthreads();
  if (threadIdx.x < EpRings)
    atomicAdd(&Out->Rings[threadIdx.x], Rings[threadIdx.x]);
}

static void ep(int LogPairs) {
  auto *Out = onDevice<EpResult>(1);
  EpResult Got;
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Out, 0, sizeof Got));
    pairs<<<Multiprocessors * 8, Threads>>>(int((1l << LogPairs) / EpPairs),
                                            Out);
    fetch(&Got, Out, 1);
  });
  report("ep", "cuda", LogPairs, Ms, double(1l << LogPairs), "Gpair/s",
         isEp(Got, LogPairs));
  CHECKED(cudaFree(Out));
}

static __global__ void cells(const float *A, float *B, int *Most, int Rows,
                             int Columns) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float D = 0;
  if (X > 0 && Y > 0 && X < Columns - 1 && Y < Rows - 1) {
    const int I = Y * Columns + X;
    const float V =
        0.25f * (A[I - Columns] + A[I + Columns] + A[I - 1] + A[I + 1]);
    D = fabsf(V - A[I]);
    B[I] = V;
  }
  __shared__ int Block;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    Block = 0;
  __syncthreads();
  const int M = __reduce_max_sync(~0u, __float_as_int(D));
  if (threadIdx.x == 0)
    atomicMax(&Block, M);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicMax(Most, Block);
}

static void heat(const HeatCase &H) {
  const size_t All = size_t(H.Rows) * size_t(H.Columns);
  float *Host = plate(H.Rows, H.Columns), *A = onDevice(All, Host),
        *B = onDevice(All, Host);
  int *Most, *Got, Steps = 0;
  CHECKED(cudaMalloc(&Most, sizeof(int)));
  CHECKED(cudaMallocHost(&Got, sizeof(int)));
  const dim3 Grid((H.Columns + 31) / 32, (H.Rows + 7) / 8), Block(32, 8);
  double Times[5];
  for (double &Time : Times) {
    CHECKED(cudaMemcpy(A, Host, All * 4, cudaMemcpyHostToDevice));
    CHECKED(cudaMemcpy(B, Host, All * 4, cudaMemcpyHostToDevice));
    const double Begin = nowMs();
    for (Steps = 1;; ++Steps) {
      CHECKED(cudaMemsetAsync(Most, 0, sizeof(int)));
      cells<<<Grid, Block>>>(Steps % 2 ? A : B, Steps % 2 ? B : A, Most, H.Rows,
                             H.Columns);
      CHECKED(cudaMemcpyAsync(Got, Most, sizeof(int), cudaMemcpyDeviceToHost));
      CHECKED(cudaStreamSynchronize(0));
      float Change;
      memcpy(&Change, Got, sizeof Change);
      if (Change <= H.Enough || Steps == H.Most)
        break;
    }
    Time = nowMs() - Begin;
  }
  qsort(Times, 5, sizeof Times[0], compareTimes);
  char Name[40];
  snprintf(Name, sizeof Name, "heat-%dx%d", H.Rows, H.Columns);
  report(Name, "cuda", Steps, Times[2], double(All) * Steps, "Gcell/s", true);
  CHECKED(cudaFree(A));
  CHECKED(cudaFree(B));
  free(Host);
}

/// A warp an element of the product, as the directives' vector.
static __global__ void product(int N, const float *A, const float *B,
                               float *C) {
  const int Lane = threadIdx.x % 32, I = blockIdx.y;
  const int J = int(blockIdx.x * (Threads / 32) + threadIdx.x / 32);
  if (J >= N)
    return;
  float S = 0;
  for (int K = Lane; K < N; K += 32)
    S += A[size_t(I) * N + K] * B[size_t(K) * N + J];
  S = warpSum(S);
  if (Lane == 0)
    C[size_t(I) * N + J] = S;
}

static void matmul(int N) {
  const size_t All = size_t(N) * size_t(N);
  float *Host = filled(All), *A = onDevice(All, Host), *B = onDevice(All, Host),
        *C = onDevice<float>(All);
  const dim3 Grid((N + Threads / 32 - 1) / (Threads / 32), N);
  double Ms;
  MEDIAN_OF(Ms, product<<<Grid, Threads>>>(N, A, B, C);
            CHECKED(cudaDeviceSynchronize()));
  float *Got = filled(All);
  fetch(Got, C, All);
  bool Right = true;
  for
    SPREAD(I, All) {
      double S = 0;
      for (size_t K = 0; K < size_t(N); ++K)
        S += double(Host[I / N * N + K]) * double(Host[K * N + I % N]);
      Right &= isNear(Got[I], S, 1e-4);
    }
  report("matmul", "cuda", N, Ms, 2.0 * double(All) * N, "GF", Right);
  for (float *P : {A, B, C})
    CHECKED(cudaFree(P));
  free(Host);
  free(Got);
}

static __global__ void inCircle(const float4 *X, const float4 *Y, int Fours,
                                int *Count) {
  int S = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Fours;
       I += gridDim.x * Threads) {
    const float4 A = X[I], B = Y[I];
    S += (A.x * A.x + B.x * B.x < 1) + (A.y * A.y + B.y * B.y < 1) +
         (A.z * A.z + B.z * B.z < 1) + (A.w * A.w + B.w * B.w < 1);
  }
  S = warpSum(S);
  if (threadIdx.x % 32 == 0)
    atomicAdd(Count, S);
}

static void pi(int N) {
  auto *X = filledWith<float>(size_t(N)), *Y = filledWith<float>(size_t(N));
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    X[I] = noise(2ul * size_t(I));
    Y[I] = noise(2ul * size_t(I) + 1);
  }
  float *DX = onDevice(size_t(N), X), *DY = onDevice(size_t(N), Y);
  int *Count = onDevice<int>(1), Got = 0;
  double Ms;
  MEDIAN_OF(Ms, {
    CHECKED(cudaMemsetAsync(Count, 0, sizeof(int)));
    inCircle<<<Multiprocessors * 8, Threads>>>(reinterpret_cast<float4 *>(DX),
                                               reinterpret_cast<float4 *>(DY),
                                               N / 4, Count);
    fetch(&Got, Count, 1);
  });
  report("pi", "cuda", N, Ms, 8.0 * N, "GB/s", isPi(Got, X, Y, size_t(N)));
  CHECKED(cudaFree(DX));
  CHECKED(cudaFree(DY));
  free(X);
  free(Y);
}

/// All threads of a block have the result.
template <bool IsMost> __device__ float blockFold(float V, float *Shared) {
  const auto Combine = [](float A, float B) {
    return IsMost ? fmaxf(A, B) : A + B;
  };
  for (int D = 16; D; D /= 2)
    V = Combine(V, __shfl_xor_sync(~0u, V, D));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    Shared[threadIdx.x / 32] = V;
  __syncthreads();
  V = threadIdx.x % 32 < blockDim.x / 32 ? Shared[threadIdx.x % 32]
                                         : (IsMost ? -INFINITY : 0.f);
  for (int D = 16; D; D /= 2)
    V = Combine(V, __shfl_xor_sync(~0u, V, D));
  return V;
}

template <bool IsSoftmax>
static __global__ void normalize(int Columns, const float *__restrict__ A,
                                 float *__restrict__ B) {
  __shared__ float Shared[32];
  const float *From = A + size_t(blockIdx.x) * Columns;
  float *To = B + size_t(blockIdx.x) * Columns;
  if (IsSoftmax) {
    float Most = -INFINITY, Sum = 0;
    for (int X = threadIdx.x; X < Columns; X += blockDim.x)
      Most = fmaxf(Most, From[X]);
    Most = blockFold<true>(Most, Shared);
    for (int X = threadIdx.x; X < Columns; X += blockDim.x)
      Sum += expf(From[X] - Most);
    Sum = 1 / blockFold<false>(Sum, Shared);
    for (int X = threadIdx.x; X < Columns; X += blockDim.x)
      To[X] = expf(From[X] - Most) * Sum;
    return;
  }
  float Sum = 0, Squares = 0;
  for (int X = threadIdx.x; X < Columns; X += blockDim.x) {
    Sum += From[X];
    Squares += From[X] * From[X];
  }
  const float Mean = blockFold<false>(Sum, Shared) / Columns;
  const float Factor = 1 / sqrtf(blockFold<false>(Squares, Shared) / Columns -
                                 Mean * Mean + 1e-5f);
  for (int X = threadIdx.x; X < Columns; X += blockDim.x)
    To[X] = (From[X] - Mean) * Factor;
}

/// A block a row; the best of four sizes of blocks.
template <bool IsSoftmax>
static void rows(int Rows, int Columns, const char *Name) {
  const size_t All = size_t(Rows) * Columns;
  float *A = filled(All), *Got = filled(All);
  float *In = onDevice(All, A), *Out = onDevice<float>(All);
  double Ms = 1e30;
  for (int Threads : {128, 256, 512, 1024}) {
    double One;
    MEDIAN_OF(One, {
      normalize<IsSoftmax><<<Rows, Threads>>>(Columns, In, Out);
      CHECKED(cudaDeviceSynchronize());
    });
    Ms = fmin(Ms, One);
  }
  fetch(Got, Out, All);
  report(Name, "cuda", Columns, Ms, 8.0 * double(All), "GB/s",
         areRows(Rows, Columns, A, Got, IsSoftmax));
  CHECKED(cudaFree(In));
  CHECKED(cudaFree(Out));
  free(A);
  free(Got);
}

int main(int Count, char **Args) {
  cudaDeviceProp Properties;
  CHECKED(cudaGetDeviceProperties(&Properties, 0));
  Multiprocessors = Properties.multiProcessorCount;
  if (isWanted(Count, Args, "bins"))
    histogram(1 << 24);
  if (isWanted(Count, Args, "kmeans")) {
    kmeans<4, 2>(1 << 22, "kmeans-4x2");
    kmeans<16, 4>(1 << 22, "kmeans-16x4");
  }
  if (isWanted(Count, Args, "ep"))
    ep(28);
  if (isWanted(Count, Args, "heat")) {
    heat({1023, 771, 4000, 0.01f});
    heat({4099, 4095, 500, 0.01f});
  }
  if (isWanted(Count, Args, "matmul"))
    for (int N : {1023, 2048})
      matmul(N);
  if (isWanted(Count, Args, "pi"))
    for (int Log : {27, 28, 29})
      pi(1 << Log);
  if (isWanted(Count, Args, "rows"))
    for (int Columns : {512, 8191, 1000000}) {
      rows<true>((1 << 26) / Columns, Columns, "softmax");
      rows<false>((1 << 26) / Columns, Columns, "standardize");
    }
  return Wrong != 0;
}
