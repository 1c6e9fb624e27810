//===- channel-rivals.cu - The same by hand -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA versions with the blocks and halos of channels.c: ghost zones in two
// buffers with one barrier a step, transforms and sums in shared memory. And
// the natural loops, a launch each.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "data.h"

#include <utility>

enum { Line = 256 };

template <typename T> static T *device(size_t Count, const T *From) {
  T *P;
  CHECKED(cudaMalloc(&P, sizeof(T) * Count));
  if (From)
    CHECKED(cudaMemcpy(P, From, sizeof(T) * Count, cudaMemcpyHostToDevice));
  return P;
}

static unsigned blocks(long N, long Size) { return (N + Size - 1) / Size; }

template <int H>
__global__ void __launch_bounds__(Line)
    path(const int *Data, const int *Src, int *Dst, int N, int Inner) {
  __shared__ int V[2][Line];
  int T = threadIdx.x, X = blockIdx.x * (Line - 2 * H) + T - H;
  bool In = X >= 0 && X < N;
  if (In)
    V[0][T] = Src[X];
  int L = X > 0 ? T - 1 : T, R = X < N - 1 ? T + 1 : T;
  __syncthreads();
  for (int K = 1; K <= Inner; ++K) {
    int *A = V[(K - 1) & 1], *B = V[K & 1];
    if (In && T >= K && T < Line - K)
      B[T] = Data[(size_t)(K - 1) * N + X] + min(A[T], min(A[L], A[R]));
    __syncthreads();
  }
  if (In && T >= H && T < Line - H)
    Dst[X] = V[Inner & 1][T];
}

__global__ void __launch_bounds__(Line)
    row(const int *Data, const int *Src, int *Dst, int N) {
  int X = blockIdx.x * Line + threadIdx.x;
  if (X >= N)
    return;
  int M = Src[X];
  if (X > 0)
    M = min(M, Src[X - 1]);
  if (X < N - 1)
    M = min(M, Src[X + 1]);
  Dst[X] = Data[X] + M;
}

/// H rows a launch; 1: without a tile.
template <int H> static void benchPath(int N) {
  size_t All = (size_t)N * Rows;
  int *Data = pathData(N), *Want = pathWanted(N, Data);
  int *Got = (int *)malloc(4ul * N);
  int *D = device(All, Data), *A = device(N, Data),
      *B = device<int>(N, nullptr);
  int *Last;
  auto Go = [&] {
    int *S = A, *R = B;
    for (int T = 1; T < Rows; T += H) {
      int Inner = H < Rows - T ? H : Rows - T;
      if (H == 1)
        row<<<blocks(N, Line), Line>>>(D + (size_t)T * N, S, R, N);
      else
        path<H><<<blocks(N, Line - 2 * H), Line>>>(D + (size_t)T * N, S, R, N,
                                                   Inner);
      std::swap(S, R);
    }
    CHECKED(cudaDeviceSynchronize());
    Last = S;
  };
  Go();
  CHECKED(cudaMemcpy(Got, Last, 4ul * N, cudaMemcpyDeviceToHost));
  int Right = !memcmp(Got, Want, 4ul * N);
  double Ms;
  MEDIAN_OF(Ms, Go());
  char Name[32];
  snprintf(Name, sizeof Name, "pathfinder-%d", H);
  report(Name, "cuda", N, Ms, (double)All, "Gcell/s", Right);
  cudaFree(D), cudaFree(A), cudaFree(B);
  free(Data), free(Want), free(Got);
}

template <int B, int H>
__global__ void __launch_bounds__(B *B)
    hot(const float *T, const float *P, float *O, int N) {
  __shared__ float V[2][B][B];
  int X = threadIdx.x, Y = threadIdx.y;
  int J = blockIdx.x * (B - 2 * H) + X - H,
      I = blockIdx.y * (B - 2 * H) + Y - H;
  bool In = J >= 0 && J < N && I >= 0 && I < N;
  float Power = 0;
  if (In) {
    V[0][Y][X] = T[I * N + J];
    Power = P[I * N + J];
  }
  int L = J > 0 ? X - 1 : X, R = J < N - 1 ? X + 1 : X;
  int U = I > 0 ? Y - 1 : Y, D = I < N - 1 ? Y + 1 : Y;
  __syncthreads();
#pragma unroll
  for (int K = 1; K <= H; ++K) {
    auto A = V[(K - 1) & 1];
    auto C = V[K & 1];
    if (In && X >= K && X < B - K && Y >= K && Y < B - K)
      C[Y][X] = heat(A[Y][X], Power, A[D][X], A[U][X], A[Y][R], A[Y][L]);
    __syncthreads();
  }
  if (In && X >= H && X < B - H && Y >= H && Y < B - H)
    O[I * N + J] = V[H & 1][Y][X];
}

template <int B, int H> static void benchHot(int N) {
  size_t All = (size_t)N * N;
  float *T = (float *)malloc(4 * All), *P = (float *)malloc(4 * All),
        *Got = (float *)malloc(4 * All);
  hotData(N, T, P);
  float *Want = hotWanted(N, T, P);
  float *DT = device(All, T), *DP = device(All, P),
        *DR = device<float>(All, nullptr), *Last;
  unsigned Side = blocks(N, B - 2 * H);
  auto Go = [&] {
    float *S = DT, *R = DR;
    for (int K = 0; K < Steps; K += H) {
      hot<B, H><<<dim3(Side, Side), dim3(B, B)>>>(S, DP, R, N);
      std::swap(S, R);
    }
    CHECKED(cudaDeviceSynchronize());
    Last = S;
  };
  Go();
  CHECKED(cudaMemcpy(Got, Last, 4 * All, cudaMemcpyDeviceToHost));
  int Right = isHot(N, Got, Want);
  double Ms;
  MEDIAN_OF(Ms, Go());
  char Name[32];
  snprintf(Name, sizeof Name, "hotspot-%d-%dx%d", H, B, B);
  report(Name, "cuda", N, Ms, (double)All * Steps, "Gcell/s", Right);
  cudaFree(DT), cudaFree(DP), cudaFree(DR);
  free(T), free(P), free(Got), free(Want);
}

enum { Stage = 1024, WideStage = 2048 };

/// A thread for an element, two buffers.
__global__ void __launch_bounds__(Stage) stage(float *D) {
  __shared__ float V[2][Stage];
  int T = threadIdx.x, From = 0;
  float *G = D + (size_t)blockIdx.x * Stage;
  float Own = V[0][T] = G[T];
  for (int H = 1; H < Stage; H *= 2) {
    __syncthreads();
    float Other = V[From][T ^ H];
    Own = T & H ? Other - Own : Own + Other;
    V[From ^= 1][T] = Own;
  }
  G[T] = Own;
}

__global__ void step(float *D, int H, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N / 2)
    return;
  int J = 2 * I - (I & (H - 1));
  float X = D[J], Y = D[J + H];
  D[J] = X + Y;
  D[J + H] = X - Y;
}

__global__ void both(const float *A, const float *B, float *U, float *V,
                     int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N) {
    U[I] = A[I];
    V[I] = B[I];
  }
}

__global__ void times(float *U, const float *V, float Scale, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    U[I] = U[I] * V[I] * Scale;
}

/// A tile of two thousand, several butterflies a thread.
__global__ void wideStage(float *D) {
  __shared__ float V[WideStage];
  float *G = D + (size_t)blockIdx.x * WideStage;
  for (int I = threadIdx.x; I < WideStage; I += blockDim.x)
    V[I] = G[I];
  __syncthreads();
  for (int H = 1; H < WideStage; H *= 2) {
    for (int I = threadIdx.x; I < WideStage / 2; I += blockDim.x) {
      int J = 2 * I - (I & (H - 1));
      float X = V[J], Y = V[J + H];
      V[J] = X + Y;
      V[J + H] = X - Y;
    }
    __syncthreads();
  }
  for (int I = threadIdx.x; I < WideStage; I += blockDim.x)
    G[I] = V[I];
}

/// Tile 1: without one.
template <int Tile> static void transform(float *D, int N) {
  if (Tile == Stage)
    stage<<<N / Tile, Tile>>>(D);
  else if (Tile > 1)
    wideStage<<<N / Tile, 256>>>(D);
  for (int H = Tile; H < N; H *= 2)
    step<<<blocks(N / 2, 256), 256>>>(D, H, N);
}

template <int Tile> static void benchDyadic(const char *Name, int N) {
  float *A = (float *)malloc(4ul * N), *B = (float *)malloc(4ul * N),
        *C = (float *)malloc(4ul * N);
  dyadicData(N, A, B);
  float *DA = device(N, A), *DB = device(N, B), *U = device<float>(N, nullptr),
        *V = device<float>(N, nullptr);
  auto Go = [&] {
    both<<<blocks(N, 256), 256>>>(DA, DB, U, V, N);
    transform<Tile>(U, N);
    transform<Tile>(V, N);
    times<<<blocks(N, 256), 256>>>(U, V, 1.0f / (float)N, N);
    transform<Tile>(U, N);
    CHECKED(cudaDeviceSynchronize());
  };
  double Ms;
  MEDIAN_OF(Ms, Go());
  CHECKED(cudaMemcpy(C, U, 4ul * N, cudaMemcpyDeviceToHost));
  report(Name, "cuda", N, Ms, N, "Gelem/s", isDyadic(N, A, B, C));
  cudaFree(DA), cudaFree(DB), cudaFree(U), cudaFree(V);
  free(A), free(B), free(C);
}

__global__ void __launch_bounds__(Line) sums(const int *A, int *B, int N) {
  __shared__ int V[Line];
  int T = threadIdx.x, I = blockIdx.x * Line + T;
  V[T] = I < N ? A[I] : 0;
  for (int H = Line / 2; H > 0; H >>= 1) {
    __syncthreads();
    if (T < H)
      V[T] += V[T + H];
  }
  if (T == 0)
    B[blockIdx.x] = V[0];
}

static void benchSum(int N) {
  int Tiles = blocks(N, Line), Want = 0, Got = 0;
  int *A = (int *)malloc(4ul * N);
  for (int I = 0; I < N; ++I)
    Want += A[I] = (int)(noise(I) * 100) - 50;
  int *DA = device(N, A), *B = device<int>(Tiles, nullptr),
      *C = device<int>(Tiles, nullptr), *Last;
  auto Go = [&] {
    int *From = B, *To = C, Left = blocks(N, Line);
    sums<<<Left, Line>>>(DA, B, N);
    for (; Left > 1; Left = blocks(Left, Line)) {
      sums<<<blocks(Left, Line), Line>>>(From, To, Left);
      std::swap(From, To);
    }
    CHECKED(cudaDeviceSynchronize());
    Last = From;
  };
  double Ms;
  MEDIAN_OF(Ms, Go());
  CHECKED(cudaMemcpy(&Got, Last, 4, cudaMemcpyDeviceToHost));
  report("reduction", "cuda", N, Ms, N, "Gelem/s", Got == Want);
  cudaFree(DA), cudaFree(B), cudaFree(C);
  free(A);
}

int main(int Count, char **Args) {
  for (int N : {131072, 1000003, 4194304}) {
    if (!isWanted(Count, Args, "pathfinder"))
      break;
    benchPath<1>(N);
    benchPath<2>(N);
    benchPath<12>(N);
    benchPath<20>(N);
  }
  for (int N : {64, 128, 512, 1000, 4096}) {
    if (!isWanted(Count, Args, "hotspot"))
      break;
    benchHot<16, 1>(N);
    benchHot<16, 2>(N);
    benchHot<8, 2>(N);
    benchHot<32, 2>(N);
    benchHot<32, 4>(N);
  }
  for (int N : {4096, 1 << 21, 1 << 22, 1 << 26})
    if (isWanted(Count, Args, "dyadic")) {
      benchDyadic<1>("dyadic-1", N);
      benchDyadic<Stage>("dyadic", N);
      benchDyadic<WideStage>("dyadic-2048", N);
    }
  for (int N : {1000003, 65000195})
    if (isWanted(Count, Args, "reduction"))
      benchSum(N);
  return Wrong != 0;
}
