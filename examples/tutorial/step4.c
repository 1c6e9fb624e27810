// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 4: the grids stay on the device.

#include "jacobi.h"

static double A[N][N], Anew[N][N];

int main(void) {
  hot_edge(A);
  hot_edge(Anew);
  const double start = now();
  int sweep = 0;
  double error = 1;
#pragma acc data copy(A) create(Anew)
  while (error > Tolerance && sweep < Sweeps) {
    error = 0;
#pragma acc parallel loop collapse(2) reduction(max : error)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i) {
        Anew[j][i] =
            0.25 * (A[j][i - 1] + A[j][i + 1] + A[j - 1][i] + A[j + 1][i]);
        error = fmax(error, fabs(Anew[j][i] - A[j][i]));
      }
#pragma acc parallel loop collapse(2)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i)
        A[j][i] = Anew[j][i];
    ++sweep;
  }
  report(sweep, error, A[N / 2][1], now() - start);
  return 0;
}
