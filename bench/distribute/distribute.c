//===- distribute.c - Loops on one device and on several ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: distribute <case> <size> <steps>; case: jacobi, product, sum, triad.
//
// The same source with `accx spread` and `accx distribute`, and, with
// -DPLAIN=1, without them on one device. Prints the median time of a step and a
// checksum of the result's bits, which all forms share; small sizes are
// compared with a sequential run, too.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if PLAIN
#define ACCX(...)
#else
#define ACCX(...) _Pragma(#__VA_ARGS__)
#endif

enum { Rounds = 5 };

static double Times[Rounds];
static int compare(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}
static double median(void) {
  qsort(Times, Rounds, sizeof(double), compare);
  return Times[Rounds / 2];
}

static uint64_t hashOf(const void *Data, size_t Bytes) {
  const uint32_t *Words = Data;
  uint64_t Hash = 1469598103934665603u;
  for (size_t I = 0; I < Bytes / 4; ++I)
    Hash = (Hash ^ Words[I]) * 1099511628211u;
  return Hash;
}

static float *fill(size_t N) {
  float *A = malloc(N * sizeof(float));
  if (!A)
    abort();
  for (size_t I = 0; I < N; ++I)
    A[I] = (float)(I * 2654435761u % 1000) * 1e-3f;
  return A;
}

/// Waits for what is queued on all devices.
static void finish(const float *A) {
  float First;
  for (int D = 0; D < omp_get_num_devices(); ++D) {
    void *OnDevice = omp_get_mapped_ptr(A, D);
    if (OnDevice)
      omp_target_memcpy(&First, OnDevice, sizeof First, 0, 0,
                        omp_get_initial_device(), D);
  }
}

static void step(const float *A, float *B, int N) {
  ACCX(accx distribute)
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J)
      B[(size_t)I * N + J] =
          .25f * (A[(size_t)(I - 1) * N + J] + A[(size_t)(I + 1) * N + J] +
                  A[(size_t)I * N + J - 1] + A[(size_t)I * N + J + 1]);
}

static int jacobi(int N, int Steps, uint64_t *Hash) {
  const size_t All = (size_t)N * N;
  float *A = fill(All), *B = fill(All), *Want = NULL;
  ACCX(accx enter spread(A [0:All], B [0:All]) devices(all))
#if PLAIN
#pragma omp target enter data map(to : A[0 : All], B[0 : All])
#endif
  for (int R = 0; R < Rounds; ++R) {
    finish(A);
    const double Begin = omp_get_wtime();
    for (int S = 0; S < Steps; ++S) {
      step(A, B, N);
      float *Swap = A;
      A = B;
      B = Swap;
    }
    finish(A);
    Times[R] = (omp_get_wtime() - Begin) / Steps * 1e3;
  }
#if PLAIN
#pragma omp target exit data map(from : A[0 : All], B[0 : All])
#endif
  ACCX(accx exit spread(A [0:All], B [0:All]))
  *Hash = hashOf(A, All * sizeof(float));
  int Bad = 0;
  if (N <= 512) {
    Want = fill(All);
    float *Other = fill(All);
    for (int S = 0; S < Steps * Rounds; ++S) {
      for (int I = 1; I < N - 1; ++I)
        for (int J = 1; J < N - 1; ++J)
          Other[(size_t)I * N + J] =
              .25f *
              (Want[(size_t)(I - 1) * N + J] + Want[(size_t)(I + 1) * N + J] +
               Want[(size_t)I * N + J - 1] + Want[(size_t)I * N + J + 1]);
      float *Swap = Want;
      Want = Other;
      Other = Swap;
    }
    Bad = memcmp(Want, A, All * sizeof(float)) != 0;
    free(Want);
    free(Other);
  }
  free(A);
  free(B);
  return Bad;
}

static int product(int N, int Steps, uint64_t *Hash) {
  const size_t All = (size_t)N * N;
  float *A = fill(All), *B = fill(All), *C = fill(All);
  ACCX(accx enter spread(A [0:All], C [0:All]) devices(all))
  ACCX(accx enter replicate(B [0:All]) devices(all))
#if PLAIN
#pragma omp target enter data map(to : A[0 : All], B[0 : All], C[0 : All])
#endif
  for (int R = 0; R < Rounds; ++R) {
    finish(C);
    const double Begin = omp_get_wtime();
    for (int S = 0; S < Steps; ++S) {
      ACCX(accx distribute)
#pragma omp target teams distribute parallel for collapse(2)
      for (int I = 0; I < N; ++I)
        for (int J = 0; J < N; ++J) {
          float Sum = 0;
          for (int K = 0; K < N; ++K)
            Sum += A[(size_t)I * N + K] * B[(size_t)K * N + J];
          C[(size_t)I * N + J] = Sum;
        }
    }
    finish(C);
    Times[R] = (omp_get_wtime() - Begin) / Steps * 1e3;
  }
#if PLAIN
#pragma omp target exit data map(delete : A[0 : All], B[0 : All])              \
    map(from : C[0 : All])
#endif
  ACCX(accx exit replicate(B [0:All]))
  ACCX(accx exit spread(A [0:All], C [0:All]))
  *Hash = hashOf(C, All * sizeof(float));
  double Worst = 0;
  for (int I = 0; I < N; I += N / 7 + 1)
    for (int J = 0; J < N; J += N / 5 + 1) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += (double)A[(size_t)I * N + K] * B[(size_t)K * N + J];
      Worst = fmax(Worst, fabs(C[(size_t)I * N + J] - Sum) / Sum);
    }
  free(A);
  free(B);
  free(C);
  return Worst > 1e-4;
}

static int sum(size_t N, int Steps, uint64_t *Hash) {
  float *A = fill(N);
  double Sum = 0, Want = 0;
  ACCX(accx enter spread(A [0:N]) devices(all))
#if PLAIN
#pragma omp target enter data map(to : A[0 : N])
#endif
  for (int R = 0; R < Rounds; ++R) {
    const double Begin = omp_get_wtime();
    for (int S = 0; S < Steps; ++S) {
      Sum = 0;
      ACCX(accx distribute)
#pragma omp target teams distribute parallel for reduction(+ : Sum)
      for (size_t I = 0; I < N; ++I)
        Sum += A[I];
    }
    Times[R] = (omp_get_wtime() - Begin) / Steps * 1e3;
  }
#if PLAIN
#pragma omp target exit data map(delete : A[0 : N])
#endif
  ACCX(accx exit spread(A [0:N]))
  for (size_t I = 0; I < N; ++I)
    Want += A[I];
  *Hash = 0; // Sums differ in their last bits.
  free(A);
  return fabs(Sum - Want) > 1e-9 * Want;
}

static int triad(size_t N, int Steps, uint64_t *Hash) {
  float *A = fill(N), *B = fill(N);
  ACCX(accx enter spread(A [0:N], B [0:N]) devices(all))
#if PLAIN
#pragma omp target enter data map(to : A[0 : N], B[0 : N])
#endif
  for (int R = 0; R < Rounds; ++R) {
    finish(A);
    const double Begin = omp_get_wtime();
    for (int S = 0; S < Steps; ++S) {
      ACCX(accx distribute)
#pragma omp target teams distribute parallel for
      for (size_t I = 0; I < N; ++I)
        A[I] = .5f * A[I] + B[I];
    }
    finish(A);
    Times[R] = (omp_get_wtime() - Begin) / Steps * 1e3;
  }
#if PLAIN
#pragma omp target exit data map(from : A[0 : N]) map(delete : B[0 : N])
#endif
  ACCX(accx exit spread(A [0:N], B [0:N]))
  *Hash = hashOf(A, N * sizeof(float));
  float *Want = fill(N);
  for (int S = 0; S < Rounds * Steps; ++S)
    for (size_t I = 0; I < N; ++I)
      Want[I] = .5f * Want[I] + B[I];
  const int Bad = memcmp(A, Want, N * sizeof(float)) != 0;
  free(A);
  free(B);
  free(Want);
  return Bad;
}

int main(int Count, char **Args) {
  if (Count != 4) {
    fprintf(stderr, "usage: distribute jacobi|product|sum|triad size steps\n");
    return 2;
  }
  const size_t Size = strtoull(Args[2], NULL, 10);
  const int Steps = atoi(Args[3]);
  uint64_t Hash = 0;
  int Bad = 2;
  if (!strcmp(Args[1], "jacobi"))
    Bad = jacobi((int)Size, Steps, &Hash);
  else if (!strcmp(Args[1], "product"))
    Bad = product((int)Size, Steps, &Hash);
  else if (!strcmp(Args[1], "sum"))
    Bad = sum(Size, Steps, &Hash);
  else if (!strcmp(Args[1], "triad"))
    Bad = triad(Size, Steps, &Hash);
  printf("%s %zu: %d devices, %.5f ms a step, hash %016llx, %s\n", Args[1],
         Size, omp_get_num_devices(), median(), (unsigned long long)Hash,
         Bad ? "BAD" : "ok");
  return Bad;
}
