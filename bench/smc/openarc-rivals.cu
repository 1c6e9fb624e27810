//===- openarc-rivals.cu - LUD, NW and products by hand -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA versions with the tiles and blocks of examples/openarc.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "../gridloop/measure.h"

#include <vector>

enum { Tile = 16 };

#define AT(I, J) M[(long)(I) * N + (J)]

__global__ void __launch_bounds__(Tile) diagonal(float *M, int N, int At) {
  __shared__ float D[Tile][Tile];
  const int T = threadIdx.x;
  for (int I = 0; I < Tile; ++I)
    D[I][T] = AT(At + I, At + T);
  __syncthreads();
  for (int I = 0; I < Tile - 1; ++I) {
    if (T > I) {
      for (int J = 0; J < I; ++J)
        D[T][I] -= D[T][J] * D[J][I];
      D[T][I] /= D[I][I];
    }
    __syncthreads();
    if (T > I)
      for (int J = 0; J < I + 1; ++J)
        D[I + 1][T] -= D[I + 1][J] * D[J][T];
    __syncthreads();
  }
  for (int I = 0; I < Tile; ++I)
    AT(At + I, At + T) = D[I][T];
}

__global__ void __launch_bounds__(2 * Tile) perimeter(float *M, int N, int At) {
  __shared__ float D[Tile][Tile], Right[Tile][Tile], Below[Tile][Tile + 1];
  const int T = threadIdx.x, X = T % Tile;
  const int Far = At + (blockIdx.x + 1) * Tile;
  for (int I = T / Tile; I < Tile; I += 2) {
    D[I][X] = AT(At + I, At + X);
    Right[I][X] = AT(At + I, Far + X);
    Below[I][X] = AT(Far + I, At + X);
  }
  __syncthreads();
  if (T < Tile) {
    for (int I = 1; I < Tile; ++I)
      for (int J = 0; J < I; ++J)
        Right[I][X] -= D[I][J] * Right[J][X];
  } else {
    for (int I = 0; I < Tile; ++I) {
      for (int J = 0; J < I; ++J)
        Below[X][I] -= Below[X][J] * D[J][I];
      Below[X][I] /= D[I][I];
    }
  }
  __syncthreads();
  for (int I = T / Tile; I < Tile; I += 2) {
    AT(At + I, Far + X) = Right[I][X];
    AT(Far + I, At + X) = Below[I][X];
  }
}

__global__ void __launch_bounds__(Tile *Tile)
    internal(float *M, int N, int At) {
  __shared__ float Left[Tile][Tile], Above[Tile][Tile];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = At + (blockIdx.y + 1) * Tile;
  const int Column = At + (blockIdx.x + 1) * Tile;
  Left[Y][X] = AT(Row + Y, At + X);
  Above[Y][X] = AT(At + Y, Column + X);
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < Tile; ++K)
    Sum += Left[Y][K] * Above[K][X];
  AT(Row + Y, Column + X) -= Sum;
}

static void benchLud(int N) {
  const size_t Bytes = sizeof(float) * N * N;
  std::vector<float> M((size_t)N * N);
  for (size_t I = 0; I < M.size(); ++I)
    M[I] = noise(I) + (I % (N + 1) == 0 ? N : 0);
  float *From, *To;
  CHECKED(cudaMalloc(&From, Bytes));
  CHECKED(cudaMalloc(&To, Bytes));
  CHECKED(cudaMemcpy(From, M.data(), Bytes, cudaMemcpyHostToDevice));
  const auto Go = [&] {
    CHECKED(cudaMemcpyAsync(To, From, Bytes, cudaMemcpyDeviceToDevice));
    for (int At = 0; At < N; At += Tile) {
      const unsigned Rest = (N - At) / Tile - 1;
      diagonal<<<1, Tile>>>(To, N, At);
      if (Rest == 0)
        break;
      perimeter<<<Rest, 2 * Tile>>>(To, N, At);
      internal<<<dim3(Rest, Rest), dim3(Tile, Tile)>>>(To, N, At);
    }
    CHECKED(cudaDeviceSynchronize());
  };
  Go();
  CHECKED(cudaMemcpy(M.data(), To, Bytes, cudaMemcpyDeviceToHost));
  // L (U x) is A x.
  std::vector<double> X(N), Y(N), Z(N);
  double Worst = 0;
  for (int I = 0; I < N; ++I)
    X[I] = noise(I + 77);
  for (int I = 0; I < N; ++I)
    for (int J = I; J < N; ++J)
      Y[I] += M[(size_t)I * N + J] * X[J];
  for (int I = 0; I < N; ++I) {
    Z[I] = Y[I];
    for (int J = 0; J < I; ++J)
      Z[I] += M[(size_t)I * N + J] * Y[J];
    double A = 0;
    for (int J = 0; J < N; ++J) {
      const size_t K = (size_t)I * N + J;
      A += (noise(K) + (K % (N + 1) == 0 ? N : 0)) * X[J];
    }
    Worst = fmax(Worst, fabs(A - Z[I]) / fmax(1, fabs(A)));
  }
  double Ms;
  MEDIAN_OF(Ms, Go());
  report("openarc-lud", "cuda", N, Ms, 2.0 / 3 * N * N * N, "GFLOPS",
         Worst < 1e-4);
  CHECKED(cudaFree(From));
  CHECKED(cudaFree(To));
}

static __host__ __device__ int max3(int A, int B, int C) {
  const int Most = A > B ? A : B;
  return Most > C ? Most : C;
}

__global__ void __launch_bounds__(Tile)
    tiles(int Rows, int Columns, int *Score, const int *__restrict__ Match,
          int Penalty, int Sum, int Low) {
  __shared__ int S[Tile + 1][Tile + 1], M[Tile][Tile];
  const int T = threadIdx.x, Ty = Low + blockIdx.x;
  const long Width = Columns + 1;
  const int Row = Ty * Tile, Column = (Sum - Ty) * Tile, X = Column + T;
  for (int I = 0; I < Tile; ++I)
    M[I][T] = Row + I < Rows && X < Columns
                  ? Match[(long)(Row + I) * Columns + X]
                  : 0;
  if (T == 0)
    S[0][0] = Score[Row * Width + Column];
  S[0][T + 1] = X < Columns ? Score[Row * Width + X + 1] : 0;
  S[T + 1][0] = Row + T < Rows ? Score[(Row + T + 1) * Width + Column] : 0;
  __syncthreads();
  for (int D = 0; D < 2 * Tile - 1; ++D) {
    const int I = D - T;
    if (I >= 0 && I < Tile)
      S[I + 1][T + 1] =
          max3(S[I][T] + M[I][T], S[I + 1][T] - Penalty, S[I][T + 1] - Penalty);
    __syncthreads();
  }
  for (int I = 0; I < Tile; ++I)
    if (Row + I < Rows && X < Columns)
      Score[(Row + I + 1) * Width + X + 1] = S[I + 1][T + 1];
}

static void benchNw(int N) {
  const long Width = N + 1, Size = Width * Width;
  const int Penalty = 10, Count = (N + Tile - 1) / Tile;
  std::vector<int> Score(Size), Right(Size), Match((size_t)N * N);
  for (size_t I = 0; I < Match.size(); ++I)
    Match[I] = (int)(noise(I) * 20) - 6;
  for (int I = 0; I <= N; ++I)
    Score[I] = Score[I * Width] = -I * Penalty;
  Right = Score;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      Right[(I + 1) * Width + J + 1] =
          max3(Right[I * Width + J] + Match[(size_t)I * N + J],
               Right[(I + 1) * Width + J] - Penalty,
               Right[I * Width + J + 1] - Penalty);
  int *S, *M;
  CHECKED(cudaMalloc(&S, 4 * Size));
  CHECKED(cudaMalloc(&M, 4 * Match.size()));
  CHECKED(cudaMemcpy(S, Score.data(), 4 * Size, cudaMemcpyHostToDevice));
  CHECKED(
      cudaMemcpy(M, Match.data(), 4 * Match.size(), cudaMemcpyHostToDevice));
  const auto Go = [&] {
    for (int Sum = 0; Sum < 2 * Count - 1; ++Sum) {
      const int Low = Sum < Count ? 0 : Sum - Count + 1;
      const int High = Sum < Count ? Sum + 1 : Count;
      tiles<<<High - Low, Tile>>>(N, N, S, M, Penalty, Sum, Low);
    }
    CHECKED(cudaDeviceSynchronize());
  };
  Go();
  CHECKED(cudaMemcpy(Score.data(), S, 4 * Size, cudaMemcpyDeviceToHost));
  double Ms;
  MEDIAN_OF(Ms, Go());
  report("openarc-nw", "cuda", N, Ms, (double)N * N, "Gcells", Score == Right);
  CHECKED(cudaFree(S));
  CHECKED(cudaFree(M));
}

__global__ void __launch_bounds__(Tile *Tile)
    multiply(int N, const float *__restrict__ A, const float *__restrict__ B,
             float *C) {
  __shared__ float As[Tile][Tile], Bs[Tile][Tile];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = blockIdx.y * Tile + Y, Column = blockIdx.x * Tile + X;
  float Sum = 0;
  for (int T = 0; T < (N + Tile - 1) / Tile; ++T) {
    const int I = T * Tile + X, J = T * Tile + Y;
    As[Y][X] = Row < N && I < N ? A[(long)Row * N + I] : 0;
    Bs[Y][X] = J < N && Column < N ? B[(long)J * N + Column] : 0;
    __syncthreads();
    for (int K = 0; K < Tile; ++K)
      Sum += As[Y][K] * Bs[K][X];
    __syncthreads();
  }
  if (Row < N && Column < N)
    C[(long)Row * N + Column] = Sum;
}

static void benchProduct(int N) {
  const size_t Size = (size_t)N * N, Bytes = Size * sizeof(float);
  std::vector<float> A(Size), B(Size), C(Size);
  for (size_t I = 0; I < Size; ++I) {
    A[I] = (float)(I % 13) - 6;
    B[I] = (float)(I % 11) - 5;
  }
  float *Da, *Db, *Dc;
  for (float **P : {&Da, &Db, &Dc})
    CHECKED(cudaMalloc(P, Bytes));
  CHECKED(cudaMemcpy(Da, A.data(), Bytes, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(Db, B.data(), Bytes, cudaMemcpyHostToDevice));
  const unsigned Count = (N + Tile - 1) / Tile;
  const auto Go = [&] {
    multiply<<<dim3(Count, Count), dim3(Tile, Tile)>>>(N, Da, Db, Dc);
    CHECKED(cudaDeviceSynchronize());
  };
  Go();
  CHECKED(cudaMemcpy(C.data(), Dc, Bytes, cudaMemcpyDeviceToHost));
  bool Right = true;
  for (int I = 0; I < N; I += 97)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[(size_t)I * N + K] * B[(size_t)K * N + J];
      Right &= Sum == C[(size_t)I * N + J];
    }
  double Ms;
  MEDIAN_OF(Ms, Go());
  report("openarc-matmul", "cuda", N, Ms, 2.0 * N * N * N, "GFLOPS", Right);
  for (float *P : {Da, Db, Dc})
    CHECKED(cudaFree(P));
}

int main() {
  for (int N : {512, 2048, 4096})
    benchLud(N);
  for (int N : {1000, 2048, 4096})
    benchNw(N);
  for (int N : {1000, 2048, 4096})
    benchProduct(N);
  return Wrong != 0;
}
