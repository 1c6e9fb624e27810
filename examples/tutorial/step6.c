// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 6: the host asks for the error once in fifty sweeps, and waits then.

#include "jacobi.h"

static double A[N][N], Anew[N][N];

int main(void) {
  hot_edge(A);
  hot_edge(Anew);
  const double start = now();
  int sweep = 0;
  double error = 1;
#pragma acc data copy(A) copyin(Anew) create(error)
  while (error > Tolerance && sweep < Sweeps) {
    for (int pair = 1; pair < 25; ++pair) {
#pragma acc parallel loop collapse(2) async(1)
      for (int j = 1; j < N - 1; ++j)
        for (int i = 1; i < N - 1; ++i)
          Anew[j][i] =
              0.25 * (A[j][i - 1] + A[j][i + 1] + A[j - 1][i] + A[j + 1][i]);
#pragma acc parallel loop collapse(2) async(1)
      for (int j = 1; j < N - 1; ++j)
        for (int i = 1; i < N - 1; ++i)
          A[j][i] = 0.25 * (Anew[j][i - 1] + Anew[j][i + 1] + Anew[j - 1][i] +
                            Anew[j + 1][i]);
    }
#pragma acc parallel loop collapse(2) async(1)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i)
        Anew[j][i] =
            0.25 * (A[j][i - 1] + A[j][i + 1] + A[j - 1][i] + A[j + 1][i]);
    error = 0;
#pragma acc update device(error) async(1)
#pragma acc parallel loop collapse(2) reduction(max : error) async(1)
    for (int j = 1; j < N - 1; ++j)
      for (int i = 1; i < N - 1; ++i) {
        A[j][i] = 0.25 * (Anew[j][i - 1] + Anew[j][i + 1] + Anew[j - 1][i] +
                          Anew[j + 1][i]);
        error = fmax(error, fabs(A[j][i] - Anew[j][i]));
      }
#pragma acc update self(error) async(1)
#pragma acc wait(1)
    sweep += 50;
  }
  report(sweep, error, A[N / 2][1], now() - start);
  return 0;
}
