// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all steps of the tutorial share: the grid, its edge, a clock, a report.
#ifndef JACOBI_H
#define JACOBI_H

#include <math.h>
#include <stdio.h>
#include <time.h>

#ifndef SIZE
#define SIZE 1024
#endif
#ifndef SWEEPS
#define SWEEPS 500
#endif
enum { N = SIZE, Sweeps = SWEEPS };
static const double Tolerance = 1e-4;

static inline void hot_edge(double grid[N][N]) {
  for (int j = 0; j < N; ++j)
    grid[j][0] = 1;
}

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static inline void report(int sweeps, double error, double value,
                          double seconds) {
  printf("%d sweeps, error %.6f, value %.6f\n", sweeps, error, value);
  fprintf(stderr, "%.2f s\n", seconds);
}

#endif // JACOBI_H
