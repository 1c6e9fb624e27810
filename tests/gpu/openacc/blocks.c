/*===- blocks.c - Channels and tiles in blocks of other sizes -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Sums, pathfinder and bodies with vectors of 64 to 512, products and hotspot
|* with blocks of 8 x 8 to 32 x 32, halos of 1 and 2, at sizes around those of
|* blocks and below them, beside plain loops of the host.
|*
\*===----------------------------------------------------------------------===*/

#include "../check.h"

#include <math.h>
#include <string.h>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

static float noise(int I) {
  unsigned S = (unsigned)I * 2654435761u;
  S = (S ^ S >> 15) * 2246822519u;
  return (float)((S ^ S >> 13) & 0xffff) / 65536.0f;
}

/** A sum in blocks of \p L, until one number is left. */
#define SUM(L)                                                                 \
  static void sums##L(int N, int *restrict A, int *B) {                        \
    int Tiles = (N + L - 1) / L;                                               \
    PRAGMA(acc parallel loop copyin(A [0:N]) copyout(B [0:Tiles])              \
               vector_length(L))                                               \
    for (int I = 0; I < N; ++I) {                                              \
      int O = I % L;                                                           \
      PRAGMA(acc fcw FETCH_CHANNEL(A [I:0:0])) {                               \
        for (int H = L / 2; H > 0; H >>= 1)                                    \
          if (O < H && I + H < N)                                              \
            A[I] = A[I] + A[I + H];                                            \
        if (O == 0)                                                            \
          B[I / L] = A[I];                                                     \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  static int sum##L(int N, int *A, int *B) {                                   \
    for (; N > 1; N = (N + L - 1) / L) {                                       \
      sums##L(N, A, B);                                                        \
      memcpy(A, B, sizeof(int) * (size_t)((N + L - 1) / L));                   \
    }                                                                          \
    return A[0];                                                               \
  }
SUM(64)
SUM(128)
SUM(256)
SUM(512)

static void checkSums(int N) {
  int *A = malloc(4 * (size_t)N), *B = malloc(4 * (size_t)N), Want = 0;
  int (*const Sums[])(int, int *, int *) = {sum64, sum128, sum256, sum512};
  for (int S = 0; S < 4; ++S) {
    Want = 0;
    for (int I = 0; I < N; ++I)
      Want += A[I] = (int)(noise(I) * 100) - 50;
    CHECK(Sums[S](N, A, B) == Want);
  }
  free(A), free(B);
}

static int least(int A, int B) { return A < B ? A : B; }

/** \p K rows of the shortest path at once. */
#define PATH(L, K)                                                             \
  static void path##L##_##K(int T, int N, int Rows, int *restrict Src,         \
                            const int *Data, int *Dst) {                       \
    int Padded = N + (N / (L - 2 * K) + 1) * K * 2;                            \
    PRAGMA(acc parallel loop copyin(Src [0:N], Data [0:N * Rows])              \
               copy(Dst [0:N]) vector_length(L))                               \
    for (int P = 0; P < Padded; ++P) {                                         \
      int I = P - (P / L * 2 * K + K), Place = P % L, V = 0, IsMine = 0;       \
      PRAGMA(acc fcw FETCH_CHANNEL(Src [I:0:0]))                               \
      for (int S = 0; S < K; ++S) {                                            \
        int Row = T + S + 1;                                                   \
        if (Row < Rows) {                                                      \
          IsMine = 0;                                                          \
          if (Place > S && Place < L - S - 1 && I >= 0 && I < N) {             \
            int M = Src[I];                                                    \
            IsMine = 1;                                                        \
            if (I > 0)                                                         \
              M = least(M, Src[I - 1]);                                        \
            if (I < N - 1)                                                     \
              M = least(M, Src[I + 1]);                                        \
            V = Data[(long)Row * N + I] + M;                                   \
            Src[I] = V;                                                        \
          }                                                                    \
        }                                                                      \
      }                                                                        \
      if (IsMine)                                                              \
        Dst[I] = V;                                                            \
    }                                                                          \
  }
PATH(64, 2)
PATH(64, 12)
PATH(128, 2)
PATH(128, 12)
PATH(256, 12)
PATH(512, 2)
PATH(512, 12)

static void checkPaths(int N) {
  enum { Rows = 14 };
  typedef void Path(int, int, int, int *, const int *, int *);
  Path *const Paths[] = {path64_2,   path64_12, path128_2, path128_12,
                         path256_12, path512_2, path512_12};
  const int Inner[] = {2, 12, 2, 12, 12, 2, 12};
  const size_t Bytes = 4 * (size_t)N;
  int *Data = malloc(Bytes * Rows), *A = malloc(Bytes), *B = malloc(Bytes),
      *Want = malloc(Bytes), *Next = malloc(Bytes);
  for (int I = 0; I < N * Rows; ++I)
    Data[I] = (int)(noise(I) * 10);
  memcpy(Want, Data, Bytes);
  for (int T = 1; T < Rows; ++T) {
    for (int I = 0; I < N; ++I)
      Next[I] =
          Data[T * N + I] + least(Want[I], least(Want[I > 0 ? I - 1 : I],
                                                 Want[I < N - 1 ? I + 1 : I]));
    memcpy(Want, Next, Bytes);
  }
  for (int P = 0; P < 7; ++P) {
    memcpy(A, Data, Bytes);
    for (int T = 0; T < Rows - 1; T += Inner[P]) {
      Paths[P](T, N, Rows, A, Data, B);
      memcpy(A, B, Bytes);
    }
    CHECK(!memcmp(A, Want, Bytes));
  }
  free(Data), free(A), free(B), free(Want), free(Next);
}

typedef struct {
  float X, Y, Mass;
} Body;

static float pull(Body Me, Body Other) {
  float DX = Other.X - Me.X, DY = Other.Y - Me.Y;
  return Other.Mass / (DX * DX + DY * DY + 0.01f);
}

#define BODIES(L)                                                              \
  static void bodies##L(int N, const Body *P, float *Out) {                    \
    PRAGMA(acc parallel loop copyin(P [0:N]) copyout(Out [0:N])                \
               vector_length(L))                                               \
    for (int I = 0; I < N; ++I) {                                              \
      Body Me = P[I];                                                          \
      float Sum = 0;                                                           \
      for (int F = 0; F < N; F += L) {                                         \
        PRAGMA(acc fcw FETCH_ONLY(P [F:0:L - 1])) {                            \
          if (F + L <= N)                                                      \
            for (int K = 0; K < L; ++K)                                        \
              Sum += pull(Me, P[F + K]);                                       \
          else                                                                 \
            for (int J = F; J < N; ++J)                                        \
              Sum += pull(Me, P[J]);                                           \
        }                                                                      \
      }                                                                        \
      Out[I] = Sum;                                                            \
    }                                                                          \
  }
BODIES(64)
BODIES(128)
BODIES(256)
BODIES(512)

static int isNear(float Value, double Want) {
  return fabs(Value - Want) <= 1e-3 * fabs(Want) + 1e-3;
}

static void checkBodies(int N) {
  void (*const All[])(int, const Body *, float *) = {bodies64, bodies128,
                                                     bodies256, bodies512};
  Body *P = malloc(sizeof(Body) * (size_t)N);
  float *Out = malloc(4 * (size_t)N);
  double *Want = calloc((size_t)N, sizeof(double));
  for (int I = 0; I < N; ++I)
    P[I] = (Body){noise(3 * I), noise(3 * I + 1), noise(3 * I + 2)};
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      Want[I] += pull(P[I], P[J]);
  for (int B = 0; B < 4; ++B) {
    memset(Out, 0, 4 * (size_t)N);
    All[B](N, P, Out);
    int Bad = 0;
    for (int I = 0; I < N; ++I)
      Bad += !isNear(Out[I], Want[I]);
    CHECK(!Bad);
  }
  free(P), free(Out), free(Want);
}

#define PRODUCT(T)                                                             \
  static void product##T(int N, const float *A1, const float *B1, float *C1) { \
    typedef float Row[N];                                                      \
    const Row *A = (const Row *)A1, *B = (const Row *)B1;                      \
    Row *C = (Row *)C1;                                                        \
    PRAGMA(acc parallel loop collapse(2) copyin(A [0:N], B [0:N])              \
               copyout(C [0:N]))                                               \
    for (int I = 0; I < N; ++I)                                                \
      for (int J = 0; J < N; ++J) {                                            \
        float Sum = 0;                                                         \
        for (int L = 0; L < N; L += T) {                                       \
          int P = I % T + L, Q = J % T + L;                                    \
          PRAGMA(acc fcw FETCH_ONLY(A [I:0:0] [Q:0:0], B [P:0:0] [J:0:0])      \
                     block(T, T))                                              \
          for (int K = L; K < N && K < L + T; ++K)                             \
            Sum += A[I][K] * B[K][J];                                          \
        }                                                                      \
        C[I][J] = Sum;                                                         \
      }                                                                        \
  }
PRODUCT(8)
PRODUCT(16)
PRODUCT(32)

static float heat(float T, float P, float S, float N, float E, float W) {
  return T + 0.125f * (P + S + N + E + W - 4.0f * T);
}

#define HOTSPOT(H, B)                                                          \
  static void hot##H##x##B(int N, const float *T1, const float *P1,            \
                           float *R1) {                                        \
    typedef float Row[N];                                                      \
    Row *restrict T = (Row *)T1;                                               \
    const Row *P = (const Row *)P1;                                            \
    Row *R = (Row *)R1;                                                        \
    int Padded = N + 2 * H * (N / (B - 2 * H) + 1);                            \
    PRAGMA(acc parallel loop collapse(2) copyin(T [0:N], P [0:N])              \
               copy(R [0:N]))                                                  \
    for (int RS = 0; RS < Padded; ++RS)                                        \
      for (int CS = 0; CS < Padded; ++CS) {                                    \
        int Y = RS - (RS / B * 2 * H + H), X = CS - (CS / B * 2 * H + H);      \
        int YY = RS % B, XX = CS % B, IsMine = 0;                              \
        float V = 0;                                                           \
        int S = Y == N - 1 ? Y : Y + 1, No = Y == 0 ? Y : Y - 1;               \
        int E = X == N - 1 ? X : X + 1, W = X == 0 ? X : X - 1;                \
        PRAGMA(acc fcw FETCH_CHANNEL(T [Y:0:0] [X:0:0]) block(B, B))           \
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
HOTSPOT(1, 8)
HOTSPOT(2, 8)
HOTSPOT(1, 16)
HOTSPOT(2, 16)
HOTSPOT(1, 32)
HOTSPOT(2, 32)

typedef void Square(int, const float *, const float *, float *);

static void checkSquares(int N) {
  Square *const Products[] = {product8, product16, product32};
  Square *const Hot[] = {hot1x8, hot1x16, hot1x32, hot2x8, hot2x16, hot2x32};
  const size_t Bytes = 4 * (size_t)N * (size_t)N;
  float *A = malloc(Bytes), *B = malloc(Bytes), *C = malloc(Bytes),
        *Want = malloc(Bytes), *Old = malloc(Bytes);
  for (int I = 0; I < N * N; ++I)
    A[I] = noise(I), B[I] = noise(I + 77);
  for (int P = 0; P < 3; ++P) {
    memset(C, 0, Bytes);
    Products[P](N, A, B, C);
    int Bad = 0;
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        double Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += (double)A[I * N + K] * B[K * N + J];
        Bad += !isNear(C[I * N + J], Sum);
      }
    CHECK(!Bad);
  }
  memcpy(Old, A, Bytes);
  for (int H = 0; H < 6; ++H) {
    if (H % 3 == 0) { // one step more
      for (int Y = 0; Y < N; ++Y)
        for (int X = 0; X < N; ++X)
          Want[Y * N + X] = heat(Old[Y * N + X], B[Y * N + X],
                                 Old[(Y == N - 1 ? Y : Y + 1) * N + X],
                                 Old[(Y == 0 ? Y : Y - 1) * N + X],
                                 Old[Y * N + (X == N - 1 ? X : X + 1)],
                                 Old[Y * N + (X == 0 ? X : X - 1)]);
      memcpy(Old, Want, Bytes);
    }
    memset(C, 0, Bytes);
    Hot[H](N, A, B, C);
    int Bad = 0;
    for (int I = 0; I < N * N; ++I)
      Bad += !isNear(C[I], Want[I]);
    CHECK(!Bad);
  }
  free(A), free(B), free(C), free(Want), free(Old);
}

int main(void) {
  const int Sizes[] = {1, 7, 63, 64, 65, 255, 512, 513, 1000, 5003};
  for (int S = 0; S < 10; ++S) {
    checkSums(Sizes[S]);
    checkPaths(Sizes[S]);
    if (Sizes[S] <= 1000)
      checkBodies(Sizes[S]);
  }
  const int Edges[] = {1, 5, 8, 16, 17, 31, 33, 64, 100, 129};
  for (int E = 0; E < 10; ++E)
    checkSquares(Edges[E]);
  return verdict();
}
