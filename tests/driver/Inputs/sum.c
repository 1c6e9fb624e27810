// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that says where it was made. C and C++ alike.

#include <math.h>
#include <omp.h>
#include <stdio.h>

#ifndef N
#define N 1000
#endif

int main(void) {
  double Sum = 0;
  int OnHost = 1;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(from : OnHost)
  for (int I = 0; I < N; ++I) {
    if (I == 0)
      OnHost = omp_is_initial_device();
    Sum += sqrt((double)I * I);
  }
  printf("sum %.0f on the %s\n", Sum, OnHost ? "host" : "device");
  return OnHost;
}
