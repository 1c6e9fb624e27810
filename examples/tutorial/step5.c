// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 5: to and fro instead of there and copied back.

#include "jacobi.h"

static double A[N][N], Anew[N][N];

int main(void) {
  hot_edge(A);
  hot_edge(Anew);
  const double start = now();
  int sweep = 0;
  double error = 1;
#pragma acc data copy(A) copyin(Anew)
  while (error > Tolerance && sweep < Sweeps) {
#pragma acc parallel loop collapse(2)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i)
        Anew[j][i] =
            0.25 * (A[j][i - 1] + A[j][i + 1] + A[j - 1][i] + A[j + 1][i]);
    error = 0;
#pragma acc parallel loop collapse(2) reduction(max : error)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i) {
        A[j][i] = 0.25 * (Anew[j][i - 1] + Anew[j][i + 1] + Anew[j - 1][i] +
                          Anew[j + 1][i]);
        error = fmax(error, fabs(A[j][i] - Anew[j][i]));
      }
    sweep += 2;
  }
  report(sweep, error, A[N / 2][1], now() - start);
  return 0;
}
