// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP target program built against an installed accx: two halves of a
// vector are mapped one after the other and updated by one region over both.

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20 };

int main(void) {
  float *X = malloc(N * sizeof *X);
  float *Y = malloc(N * sizeof *Y);
  if (!X || !Y)
    return 2;
  for (int I = 0; I < N; ++I) {
    X[I] = (float)I;
    Y[I] = 1.0f;
  }

  int OnHost = 1;
  // The second line extends what the first one mapped, which other offload
  // runtimes refuse.
#pragma omp target enter data map(to : X[0 : N / 2], Y[0 : N / 2])
#pragma omp target enter data map(to : X[0 : N], Y[0 : N])
#pragma omp target teams distribute parallel for map(from : OnHost)
  for (int I = 0; I < N; ++I) {
    if (I == 0)
      OnHost = omp_is_initial_device();
    Y[I] += 2.0f * X[I];
  }
#pragma omp target exit data map(from : X[0 : N], Y[0 : N])
#pragma omp target exit data map(from : X[0 : N / 2], Y[0 : N / 2])

  long Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += Y[I] != 2.0f * (float)I + 1.0f;
  printf("saxpy of %d elements on %d devices, %ld wrong, ran on the %s\n", N,
         omp_get_num_devices(), Wrong, OnHost ? "host" : "device");
  free(X);
  free(Y);
  return Wrong || OnHost;
}
