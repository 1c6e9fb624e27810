//===- channels.c - Iterations that write for each other, by directive ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pathfinder and hotspot with ghost zones, sums, and the dyadic convolution by
// Walsh-Hadamard transforms, with fcw's channel types. -DTILED=0: natural
// loops; -DTILED=2: these with `timetile`. Data are on the device before
// timing.
//
//===----------------------------------------------------------------------===//

#include "data.h"

#ifndef TILED
#define TILED 1
#endif
#define IMPL (TILED == 2 ? "timetile" : TILED ? "fcw" : "natural")
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#if TILED == 2
#define TIMETILE(...) PRAGMA(accx timetile(__VA_ARGS__))
#else
#define TIMETILE(...)
#endif

enum { Line = 256, LineLog = 8 };

#if TILED == 1
/// \p Inner rows from row \p T + 1 on.
static void path(int T, int Inner, int N, int *restrict Src, const int *Data,
                 int *Dst) {
  int Padded = N + (N / (Line - 2 * Inner) + 1) * Inner * 2;
#pragma acc parallel loop present(Src[0 : N], Data[0 : N * Rows], Dst[0 : N])  \
    vector_length(256) async
  for (int P = 0; P < Padded; ++P) {
    int I = P - ((P >> LineLog) * 2 * Inner + Inner), Place = P & (Line - 1);
    int V = 0, IsMine = 0;
#pragma acc fcw FETCH_CHANNEL(Src[I : 0 : 0])
    for (int K = 0; K < Inner; ++K) {
      int Row = T + K + 1;
      if (Row < Rows) {
        IsMine = 0;
        if (Place > K && Place < Line - K - 1 && I >= 0 && I < N) {
          int M = Src[I];
          IsMine = 1;
          if (I > 0)
            M = least(M, Src[I - 1]);
          if (I < N - 1)
            M = least(M, Src[I + 1]);
          V = Data[(long)Row * N + I] + M;
          Src[I] = V;
        }
      }
    }
    if (IsMine)
      Dst[I] = V;
  }
}

static int *pathAll(int Inner, int N, int *A, int *B, const int *Data) {
  for (int T = 0; T < Rows - 1; T += Inner) {
    path(T, Inner, N, A, Data, B);
    int *Old = A;
    A = B;
    B = Old;
  }
#pragma acc wait
  return A;
}
#else
#define PATH(INNER)                                                            \
  static int *path##INNER(int N, int *A, int *B, const int *Data) {            \
    TIMETILE(INNER)                                                            \
    for (int T = 0; T < Rows - 1; ++T) {                                       \
      PRAGMA(acc parallel loop present(A [0:N], Data [0:N * Rows], B [0:N])    \
                 async)                                                        \
      for (int I = 0; I < N; ++I) {                                            \
        int M = A[I];                                                          \
        if (I > 0)                                                             \
          M = least(M, A[I - 1]);                                              \
        if (I < N - 1)                                                         \
          M = least(M, A[I + 1]);                                              \
        B[I] = Data[(long)(T + 1) * N + I] + M;                                \
      }                                                                        \
      int *Old = A;                                                            \
      A = B;                                                                   \
      B = Old;                                                                 \
    }                                                                          \
    PRAGMA(acc wait)                                                           \
    return A;                                                                  \
  }
PATH(2)
PATH(12)
PATH(20)

static int *pathAll(int Inner, int N, int *A, int *B, const int *Data) {
  return Inner == 2    ? path2(N, A, B, Data)
         : Inner == 12 ? path12(N, A, B, Data)
                       : path20(N, A, B, Data);
}
#endif

static void benchPath(int N, int Inner) {
  size_t All = (size_t)N * Rows;
  int *Data = pathData(N), *Want = pathWanted(N, Data);
  int *A = malloc(4ul * N), *B = malloc(4ul * N);
  memcpy(A, Data, 4ul * N);
  double Ms;
  int Right;
#pragma acc data copyin(Data[0 : All]) copy(A[0 : N], B[0 : N])
  {
    int *Last = pathAll(Inner, N, A, B, Data);
#pragma acc update self(Last[0 : N])
    Right = !memcmp(Last, Want, 4ul * N);
    MEDIAN_OF(Ms, pathAll(Inner, N, A, B, Data));
  }
  char Name[32];
  snprintf(Name, sizeof Name, "pathfinder-%d", Inner);
  report(Name, IMPL, N, Ms, (double)All, "Gcell/s", Right);
  free(Data), free(A), free(B), free(Want);
}

#if TILED == 1
#define HOTSPOT(H, B)                                                          \
  static void hot##H##x##B(int N, float *T1, float *P1, float *R1) {           \
    typedef float Line[N]; /* one length of rows for all */                    \
    Line *restrict T = (Line *)T1, *restrict P = (Line *)P1, *R = (Line *)R1;  \
    int Padded = N + 2 * H * (N / (B - 2 * H) + 1);                            \
    PRAGMA(acc parallel loop collapse(2) present(T [0:N], P [0:N], R [0:N])    \
               async)                                                          \
    for (int RS = 0; RS < Padded; ++RS)                                        \
      for (int CS = 0; CS < Padded; ++CS) {                                    \
        int Y = RS - (RS / B * 2 * H + H), X = CS - (CS / B * 2 * H + H);      \
        int YY = RS % B, XX = CS % B, IsMine = 0;                              \
        float V = 0;                                                           \
        int S = Y == N - 1 ? Y : Y + 1, No = Y == 0 ? Y : Y - 1;               \
        int E = X == N - 1 ? X : X + 1, W = X == 0 ? X : X - 1;                \
        PRAGMA(acc fcw FETCH_CHANNEL(T [Y:0:0] [X:0:0], P [Y:0:0] [X:0:0])     \
                   block(B, B))                                                \
        for (int K = 0; K < H; ++K) {                                          \
          IsMine = Y >= 0 && X >= 0 && Y < N && X < N && YY > K && XX > K &&   \
                   YY < B - K - 1 && XX < B - K - 1;                           \
          if (IsMine)                                                          \
            V = heat(T[Y][X], P[Y][X], T[S][X], T[No][X], T[Y][E], T[Y][W]);   \
          if (K == H - 1)                                                      \
            break;                                                             \
          if (IsMine)                                                          \
            T[Y][X] = V;                                                       \
        }                                                                      \
        if (IsMine)                                                            \
          R[Y][X] = V;                                                         \
      }                                                                        \
  }
HOTSPOT(1, 16)
HOTSPOT(2, 16)
HOTSPOT(2, 8)
HOTSPOT(2, 32)
HOTSPOT(4, 32)

static float *hotAll(int N, int H, int B, float *T, float *P, float *R) {
  for (int K = 0; K < Steps; K += H) {
    if (H == 1)
      hot1x16(N, T, P, R);
    else if (H == 4)
      hot4x32(N, T, P, R);
    else if (B == 16)
      hot2x16(N, T, P, R);
    else if (B == 8)
      hot2x8(N, T, P, R);
    else
      hot2x32(N, T, P, R);
    float *Old = T;
    T = R;
    R = Old;
  }
#pragma acc wait
  return T;
}
#else
#define HOTSPOT(H, B)                                                          \
  static float *hot##H##x##B(int N, float *T, float *P, float *R) {            \
    TIMETILE(H)                                                                \
    for (int K = 0; K < Steps; ++K) {                                          \
      PRAGMA(acc parallel loop collapse(2)                                     \
                 present(T [0:N * N], P [0:N * N], R [0:N * N]) async)         \
      for (int Y = 0; Y < N; ++Y)                                              \
        for (int X = 0; X < N; ++X)                                            \
          R[Y * N + X] = heat(T[Y * N + X], P[Y * N + X],                      \
                              T[(Y == N - 1 ? Y : Y + 1) * N + X],             \
                              T[(Y == 0 ? Y : Y - 1) * N + X],                 \
                              T[Y * N + (X == N - 1 ? X : X + 1)],             \
                              T[Y * N + (X == 0 ? X : X - 1)]);                \
      float *Old = T;                                                          \
      T = R;                                                                   \
      R = Old;                                                                 \
    }                                                                          \
    PRAGMA(acc wait)                                                           \
    return T;                                                                  \
  }
HOTSPOT(1, 0)
HOTSPOT(2, 0)
HOTSPOT(4, 0)
HOTSPOT(6, 0)

static float *hotAll(int N, int H, int B, float *T, float *P, float *R) {
  return H == 1   ? hot1x0(N, T, P, R)
         : H == 2 ? hot2x0(N, T, P, R)
         : H == 4 ? hot4x0(N, T, P, R)
                  : hot6x0(N, T, P, R);
}
#endif

static void benchHot(int N, int H, int B) {
  size_t All = (size_t)N * N;
  float *T = malloc(4 * All), *P = malloc(4 * All), *R = malloc(4 * All);
  hotData(N, T, P);
  float *Want = hotWanted(N, T, P);
  double Ms;
  int Right;
#pragma acc data copyin(P[0 : All]) copy(T[0 : All], R[0 : All])
  {
    float *Last = hotAll(N, H, B, T, P, R);
#pragma acc update self(Last[0 : All])
    Right = isHot(N, Last, Want);
    MEDIAN_OF(Ms, hotAll(N, H, B, T, P, R));
  }
  char Name[32];
  snprintf(Name, sizeof Name, "hotspot-%d-%dx%d", H, B, B);
  report(Name, IMPL, N, Ms, (double)All * Steps, "Gcell/s", Right);
  free(T), free(P), free(R), free(Want);
}

enum { Stage = 1024 };

/// All steps of a transform below the size of a block.
static void stage(int N, float *restrict D) {
#if TILED
#pragma acc parallel loop present(D[0 : N]) async
  for (int I = 0; I < N; ++I) {
    int O = I & (Stage - 1), First = I - O;
#pragma acc fcw FETCH_CHANNEL_WB(D[I : 0 : 0]) block(Stage)
    {
      float Own = D[I];
      for (int H = 1; H < Stage; H *= 2) {
        float Other = D[First + (O ^ H)];
        Own = O & H ? Other - Own : Own + Other;
        D[I] = Own;
      }
    }
  }
#endif
}

static void step(int N, int H, float *D) {
#pragma acc parallel loop present(D[0 : N]) async
  for (int I = 0; I < N / 2; ++I) {
    int J = 2 * I - (I & (H - 1));
    float X = D[J], Y = D[J + H];
    D[J] = X + Y;
    D[J + H] = X - Y;
  }
}

static void transform(int N, float *D) {
  if (TILED)
    stage(N, D);
  for (int H = TILED ? Stage : 1; H < N; H *= 2)
    step(N, H, D);
}

static void dyadic(int N, const float *A, const float *B, float *U, float *V) {
#pragma acc parallel loop present(A[0 : N], B[0 : N], U[0 : N], V[0 : N]) async
  for (int I = 0; I < N; ++I) {
    U[I] = A[I];
    V[I] = B[I];
  }
  transform(N, U);
  transform(N, V);
  float Scale = 1.0f / (float)N;
#pragma acc parallel loop present(U[0 : N], V[0 : N]) async
  for (int I = 0; I < N; ++I)
    U[I] = U[I] * V[I] * Scale;
  transform(N, U);
#pragma acc wait
}

static void benchDyadic(int N) {
  float *A = malloc(4ul * N), *B = malloc(4ul * N), *U = malloc(4ul * N),
        *V = malloc(4ul * N);
  dyadicData(N, A, B);
  double Ms;
#pragma acc data copyin(A[0 : N], B[0 : N]) copyout(U[0 : N], V[0 : N])
  {
    MEDIAN_OF(Ms, dyadic(N, A, B, U, V));
  }
  report("dyadic", IMPL, N, Ms, N, "Gelem/s", isDyadic(N, A, B, U));
  free(A), free(B), free(U), free(V);
}

/// Sums of 256 neighbours each, until one is left.
static void sums(int N, int *restrict A, int *B) {
  int Tiles = (N + Line - 1) / Line;
#pragma acc parallel loop present(A[0 : N], B[0 : Tiles]) vector_length(256)   \
    async
  for (int I = 0; I < N; ++I) {
    int Tile = I >> LineLog, O = I & (Line - 1);
#pragma acc fcw FETCH_CHANNEL(A[I : 0 : 0])
    {
      for (int H = Line / 2; H > 0; H >>= 1)
        if (O < H && I + H < N)
          A[I] = A[I] + A[I + H];
      if (O == 0)
        B[Tile] = A[I];
    }
  }
}

static int *sumAll(int N, int *A, int *B, int *C) {
  sums(N, A, B);
  for (N = (N + Line - 1) / Line; N > 1; N = (N + Line - 1) / Line) {
    sums(N, B, C);
    int *Old = B;
    B = C;
    C = Old;
  }
#pragma acc wait
  return B;
}

static void benchSum(int N) {
  int Tiles = (N + Line - 1) / Line, Want = 0;
  int *A = malloc(4ul * N), *B = malloc(4ul * Tiles), *C = malloc(4ul * Tiles);
  for (int I = 0; I < N; ++I)
    Want += A[I] = (int)(noise(I) * 100) - 50;
  double Ms;
  int *Last = B;
#pragma acc data copyin(A[0 : N]) copyout(B[0 : Tiles], C[0 : Tiles])
  {
    MEDIAN_OF(Ms, Last = sumAll(N, A, B, C));
#pragma acc update self(Last[0 : 1])
  }
  report("reduction", IMPL, N, Ms, N, "Gelem/s", Last[0] == Want);
  free(A), free(B), free(C);
}

int main(int Count, char **Args) {
  int Small = Count > 1 && !strcmp(Args[1], "small"),
      Host = Count > 1 && !strcmp(Args[1], "host");
  const int PathSizes[] = {131072, 1000003, 4194304},
            HotSizes[] = {64, 128, 512, 1000, 4096},
            DyadicSizes[] = {4096, Host ? 1 << 18 : 1 << 21,
                             Host ? 1 << 21 : 1 << 22,
                             Host ? 1 << 22 : 1 << 26};
  for (int S = 0; S < 3 && isWanted(Count, Args, "pathfinder"); ++S)
    for (int R = 0; R < (TILED ? 3 : 1); ++R)
      benchPath(Small ? 100 + 400 * S : PathSizes[S], R == 0   ? 2
                                                      : R == 1 ? 12
                                                               : 20);
  for (int S = 0; S < 5 && isWanted(Count, Args, "hotspot"); ++S) {
    int N = Small ? 5 + 40 * S : HotSizes[S];
#if TILED == 2
    for (int H = 2; H <= 6; H += 2)
      benchHot(N, H, 0);
#else
    benchHot(N, 1, 16);
#endif
#if TILED == 1
    benchHot(N, 2, 16);
    benchHot(N, 2, 8);
    benchHot(N, 2, 32);
    benchHot(N, 4, 32);
#endif
  }
  for (int S = 0; S < 4 && TILED < 2 && isWanted(Count, Args, "dyadic"); ++S)
    benchDyadic(Small ? 1024 << S : DyadicSizes[S]);
#if TILED == 1
  const int SumSizes[] = {1000003, Host ? 16000003 : 65000195};
  for (int S = 0; S < 2 && isWanted(Count, Args, "reduction"); ++S)
    benchSum(Small ? 700 + 44800 * S : SumSizes[S]);
#endif
  return Wrong != 0;
}
