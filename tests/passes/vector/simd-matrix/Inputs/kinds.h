/*===- kinds.h - Operations on matrices of one size ---------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Included once for each N, the rows and columns of the matrices of T.
|*
\*===----------------------------------------------------------------------===*/

#define KIND(Kind)                                                             \
  static __attribute__((noinline)) void NAME(Kind, N)(                         \
      T(*restrict C)[N], T(*restrict D)[N], const T(*restrict A)[N],           \
      const T(*restrict B)[N])
#define FOR(I) for (int I = 0; I < N; ++I)

KIND(product) {
  (void)D;
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[I][K] * B[K][J];
    C[I][J] = Sum;
  }
}

KIND(by_columns) {
  (void)D;
  FOR(J) FOR(I) {
    T Sum = 0;
    FOR(K) Sum += A[K][I] * B[J][K];
    C[J][I] = Sum;
  }
}

/* The sum is in memory, and the loops are in another order. */
KIND(in_memory) {
  (void)D;
  FOR(I) FOR(J) C[I][J] = 0;
  FOR(I) FOR(K) FOR(J) C[I][J] += A[I][K] * B[K][J];
}

KIND(right_transposed) {
  (void)D;
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[I][K] * B[J][K];
    C[I][J] = Sum;
  }
}

KIND(left_transposed) {
  (void)D;
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[K][I] * B[K][J];
    C[I][J] = Sum;
  }
}

KIND(both_transposed) {
  (void)D;
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[K][I] * B[J][K];
    C[I][J] = Sum;
  }
}

KIND(pair) {
  FOR(J) FOR(K) {
    T X = 0, Y = 0;
    FOR(I) {
      X += A[I][K] * B[I][J];
      Y += A[I][K] * B[J][I];
    }
    C[K][J] = X;
    D[J][K] = Y;
  }
}

KIND(pair_by_rows) {
  FOR(I) FOR(J) {
    T X = 0, Y = 0;
    FOR(K) {
      X += A[I][K] * B[K][J];
      Y += A[I][K] * B[J][K];
    }
    C[I][J] = X;
    D[I][J] = Y;
  }
}

KIND(transpose) {
  (void)B;
  (void)D;
  FOR(I) FOR(J) C[I][J] = A[J][I];
}

KIND(transpose_in_place) {
  (void)A;
  (void)B;
  (void)D;
  FOR(I) for (int J = I + 1; J < N; ++J) {
    T Other = C[I][J];
    C[I][J] = C[J][I];
    C[J][I] = Other;
  }
}

KIND(accumulate) {
  (void)D;
  FOR(I) FOR(J) FOR(K) C[I][J] += A[I][K] * B[K][J];
}

KIND(scaled) {
  T Factor = D[0][0];
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[I][K] * B[K][J];
    C[I][J] = Factor * Sum + 3 * C[I][J];
  }
}

/* The first product never goes to memory. */
KIND(chain) {
  T Middle[N][N];
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[I][K] * B[K][J];
    Middle[I][J] = Sum;
  }
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += Middle[I][K] * A[K][J];
    C[I][J] = Sum;
  }
  FOR(I) FOR(J) D[I][J] = Middle[J][I];
}

/* Two by three, of the corner of larger matrices. */
KIND(corner) {
  (void)D;
  enum { Rows = N > 2 ? N - 1 : 2, Columns = N > 3 ? N - 2 : 2 };
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J) {
      T Sum = 0;
      FOR(K) Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
}

/* Nothing says that they do not overlap. */
static __attribute__((noinline)) void
NAME(may_overlap, N)(T (*C)[N], T (*D)[N], const T (*A)[N], const T (*B)[N]) {
  (void)D;
  FOR(I) FOR(J) {
    T Sum = 0;
    FOR(K) Sum += A[I][K] * B[K][J];
    C[I][J] = Sum;
  }
}

#define ENTRY(Kind) {#Kind, N, sizeof(T), (Operation *)NAME(Kind, N)}
static const struct Entry NAME(table, N)[] = {ENTRY(product),
                                              ENTRY(by_columns),
                                              ENTRY(in_memory),
                                              ENTRY(right_transposed),
                                              ENTRY(left_transposed),
                                              ENTRY(both_transposed),
                                              ENTRY(pair),
                                              ENTRY(pair_by_rows),
                                              ENTRY(transpose),
                                              ENTRY(transpose_in_place),
                                              ENTRY(accumulate),
                                              ENTRY(scaled),
                                              ENTRY(chain),
                                              ENTRY(corner),
                                              ENTRY(may_overlap)};

#undef KIND
#undef FOR
#undef ENTRY
