//===- rivals.cu - The same tiles by hand ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA versions with the blocks and tiles of directives.c: 16 x 16 elements of
// a product, 256 bodies, 4 x 4 x 16 points and a halo of 1.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "data.h"

enum { Tile = 16, Bodies = 256 };

__global__ void product(int N, const float *A, const float *B, float *C) {
  __shared__ float TA[Tile][Tile], TB[Tile][Tile];
  int X = threadIdx.x, Y = threadIdx.y;
  int J = blockIdx.x * Tile + X, I = blockIdx.y * Tile + Y;
  float Sum = 0;
  for (int L = 0; L < N; L += Tile) {
    TA[Y][X] = I < N && L + X < N ? A[(size_t)I * N + L + X] : 0;
    TB[Y][X] = J < N && L + Y < N ? B[(size_t)(L + Y) * N + J] : 0;
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Tile; ++K)
      Sum += TA[Y][K] * TB[K][X];
    __syncthreads();
  }
  if (I < N && J < N)
    C[(size_t)I * N + J] = Sum;
}

__global__ void __launch_bounds__(Bodies)
    bodies(int N, const float4 *P, float4 *Out) {
  __shared__ float4 Shared[Bodies];
  int I = blockIdx.x * Bodies + threadIdx.x;
  float4 Me = I < N ? P[I] : make_float4(0, 0, 0, 0);
  float X = 0, Y = 0, Z = 0;
  for (int L = 0; L < N; L += Bodies) {
    int J = L + threadIdx.x;
    Shared[threadIdx.x] = J < N ? P[J] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 16
    for (int K = 0; K < Bodies; ++K) {
      float4 O = Shared[K];
      float DX = O.x - Me.x, DY = O.y - Me.y, DZ = O.z - Me.z;
      float Root = rsqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
      float W = O.w * Root * Root * Root;
      X += W * DX;
      Y += W * DY;
      Z += W * DZ;
    }
    __syncthreads();
  }
  if (I < N)
    Out[I] = make_float4(X, Y, Z, 0);
}

enum { TZ = 4, TY = 4, TX = 16 };

__global__ void __launch_bounds__(TZ *TY *TX)
    stencil(int N, const Plane *A, Plane *B) {
  __shared__ float T[TZ + 2][TY + 2][TX + 2];
  int X0 = blockIdx.x * TX, Y0 = blockIdx.y * TY, Z0 = blockIdx.z * TZ;
  int Own = (threadIdx.z * TY + threadIdx.y) * TX + threadIdx.x;
  constexpr int Cells = (TZ + 2) * (TY + 2) * (TX + 2);
  for (int I = Own; I < Cells; I += TZ * TY * TX) {
    int X = I % (TX + 2), Y = I / (TX + 2) % (TY + 2),
        Z = I / ((TX + 2) * (TY + 2));
    if (X0 + X < N && Y0 + Y < N && Z0 + Z < N)
      T[Z][Y][X] = A[Z0 + Z][Y0 + Y][X0 + X];
  }
  __syncthreads();
  int X = threadIdx.x + 1, Y = threadIdx.y + 1, Z = threadIdx.z + 1;
  if (X0 + X < N - 1 && Y0 + Y < N - 1 && Z0 + Z < N - 1)
    B[Z0 + Z][Y0 + Y][X0 + X] =
        0.4f * T[Z][Y][X] +
        0.1f * (T[Z - 1][Y][X] + T[Z + 1][Y][X] + T[Z][Y - 1][X] +
                T[Z][Y + 1][X] + T[Z][Y][X - 1] + T[Z][Y][X + 1]);
}

static void benchStencil(int N) {
  size_t Bytes = sizeof(Plane) * N;
  Plane *A = (Plane *)malloc(Bytes), *B = (Plane *)malloc(Bytes), *DA, *DB;
  stencilData(N, A);
  CHECKED(cudaMalloc(&DA, Bytes));
  CHECKED(cudaMalloc(&DB, Bytes));
  CHECKED(cudaMemcpy(DA, A, Bytes, cudaMemcpyHostToDevice));
  dim3 Grid((N - 2 + TX - 1) / TX, (N - 2 + TY - 1) / TY,
            (N - 2 + TZ - 1) / TZ);
  double Ms;
  MEDIAN_OF(Ms, stencil<<<Grid, dim3(TX, TY, TZ)>>>(N, DA, DB);
            CHECKED(cudaDeviceSynchronize()));
  CHECKED(cudaMemcpy(B, DB, Bytes, cudaMemcpyDeviceToHost));
  report("stencil-3d", "cuda", N, Ms, (double)N * N * N, "Gcell/s",
         isStencil(N, A, B));
  cudaFree(DA);
  cudaFree(DB);
  free(A);
  free(B);
}

int main() {
  for (int N : {512, 1024, 4096}) {
    size_t All = (size_t)N * N;
    float *A = (float *)malloc(4 * All), *B = (float *)malloc(4 * All);
    float *C = (float *)malloc(4 * All), *DA, *DB, *DC;
    for (size_t I = 0; I < All; ++I) {
      A[I] = noise(I) - 0.5f;
      B[I] = noise(I + 7) - 0.5f;
    }
    CHECKED(cudaMalloc(&DA, 4 * All));
    CHECKED(cudaMalloc(&DB, 4 * All));
    CHECKED(cudaMalloc(&DC, 4 * All));
    CHECKED(cudaMemcpy(DA, A, 4 * All, cudaMemcpyHostToDevice));
    CHECKED(cudaMemcpy(DB, B, 4 * All, cudaMemcpyHostToDevice));
    dim3 Grid((N + Tile - 1) / Tile, (N + Tile - 1) / Tile), Block(Tile, Tile);
    double Ms;
    MEDIAN_OF(Ms, product<<<Grid, Block>>>(N, DA, DB, DC);
              CHECKED(cudaDeviceSynchronize()));
    CHECKED(cudaMemcpy(C, DC, 4 * All, cudaMemcpyDeviceToHost));
    int Right = 1;
    for (int T = 0; T < 400; ++T) {
      int I = (int)(noise(T) * N) % N, J = (int)(noise(T + 1000) * N) % N;
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += (double)A[(size_t)I * N + K] * B[(size_t)K * N + J];
      Right &= fabs(C[(size_t)I * N + J] - Sum) <= 1e-4 * (fabs(Sum) + 1);
    }
    report("matmul", "cuda", N, Ms, 2.0 * N * N * N, "GF", Right);
    cudaFree(DA);
    cudaFree(DB);
    cudaFree(DC);
    free(A);
    free(B);
    free(C);
  }
  benchStencil(100);
  benchStencil(Edge);
  for (int N : {32768, 131072, 1048576}) {
    float4 *P = (float4 *)malloc(16ul * N), *Out = (float4 *)malloc(16ul * N);
    float4 *DP, *DO;
    for (unsigned long I = 0; I < (unsigned long)N; ++I)
      P[I] = make_float4(noise(4 * I), noise(4 * I + 1), noise(4 * I + 2),
                         noise(4 * I + 3));
    CHECKED(cudaMalloc(&DP, 16ul * N));
    CHECKED(cudaMalloc(&DO, 16ul * N));
    CHECKED(cudaMemcpy(DP, P, 16ul * N, cudaMemcpyHostToDevice));
    double Ms;
    MEDIAN_OF(Ms, bodies<<<(N + Bodies - 1) / Bodies, Bodies>>>(N, DP, DO);
              CHECKED(cudaDeviceSynchronize()));
    CHECKED(cudaMemcpy(Out, DO, 16ul * N, cudaMemcpyDeviceToHost));
    int Right = 1;
    for (int T = 0; T < 40; ++T) {
      int I = (int)(noise(T) * N) % N;
      double X = 0;
      for (int J = 0; J < N; ++J) {
        double DX = P[J].x - P[I].x, DY = P[J].y - P[I].y, DZ = P[J].z - P[I].z;
        double Root = 1.0 / sqrt(DX * DX + DY * DY + DZ * DZ + 1e-4);
        X += P[J].w * Root * Root * Root * DX;
      }
      Right &= fabs(Out[I].x - X) <= 2e-3 * (fabs(X) + 1);
    }
    report("n-body", "cuda", N, Ms, (double)N * N, "Gpairs", Right);
    cudaFree(DP);
    cudaFree(DO);
    free(P);
    free(Out);
  }
  return Wrong != 0;
}
