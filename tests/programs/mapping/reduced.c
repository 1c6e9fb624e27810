// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels reduce to, in variables of all sizes, alone and several, mapped
// by the region itself and by others, given back or not, of many threads. On a
// GPU the region's own are in memory of the host's.
//
// RUN: %accxcc -O2 %s -o %t -lm
// RUN: %run %t
// RUN: %run ACCX_SYNC=0 %t
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,delay=50 %t
#include <complex.h>
#include <stdio.h>

enum { N = 20011, Rounds = 20 };
static double A[N];
static float F[N];
static int K[N];
static int Bad;

struct results {
  double sum, most;
  float small;
  int count;
  _Bool any;
  double complex both;
  short few;
  unsigned char bits;
};

#define LOOP                                                                   \
  for (int i = 0; i < N; i++) {                                                \
    sum += A[i];                                                               \
    small += F[i];                                                             \
    count += K[i];                                                             \
    most = A[i] > most ? A[i] : most;                                          \
    any = any || K[i] == 2;                                                    \
    both += A[i] + I * K[i];                                                   \
    few += K[i] == 1 && i < 9000;                                              \
    bits ^= (unsigned char)i;                                                  \
  }
#define VARIABLES                                                              \
  double sum = r, most = -1;                                                   \
  float small = 0;                                                             \
  int count = r;                                                               \
  _Bool any = 0;                                                               \
  double complex both = r;                                                     \
  short few = 0;                                                               \
  unsigned char bits = 1
#define RESULTS                                                                \
  (struct results) { sum, most, small, count, any, both, few, bits }

static struct results on_device(int r) {
  VARIABLES;
#pragma omp target teams distribute parallel for reduction(max : most)         \
    reduction(+ : sum, small, count, both, few) reduction(|| : any)            \
    reduction(^ : bits)
  LOOP return RESULTS;
}
static struct results on_host(int r) {
  VARIABLES;
  LOOP return RESULTS;
}

static void expect(const char *what, double got, double wanted) {
  if (got != wanted) {
    printf("%s: %g, not %g\n", what, got, wanted);
    Bad++;
  }
}

static void round_of(int r) {
  const struct results got = on_device(r), wanted = on_host(r);
  expect("sum", got.sum, wanted.sum);
  expect("most", got.most, wanted.most);
  expect("small", got.small, wanted.small);
  expect("count", got.count, wanted.count);
  expect("any", got.any, wanted.any);
  expect("both", creal(got.both), creal(wanted.both));
  expect("both", cimag(got.both), cimag(wanted.both));
  expect("few", got.few, wanted.few);
  expect("bits", got.bits, wanted.bits);

  // Somebody has it on the device: its value there counts.
  double held = 5;
#pragma omp target data map(tofrom : held)
  for (int twice = 0; twice < 2; twice++) {
#pragma omp target teams distribute parallel for reduction(+ : held)
    for (int i = 0; i < N; i++)
      held += A[i];
  }
  expect("held", held, 5 + 2 * (wanted.sum - r));

  double given = 1;
#pragma omp target teams distribute parallel for reduction(+ : given)          \
    map(to : given)
  for (int i = 0; i < N; i++)
    given += A[i];
  expect("given", given, 1);

  // No iterations.
  volatile int none = 0;
  double kept = 4;
#pragma omp target teams distribute parallel for reduction(+ : kept)
  for (int i = 0; i < none; i++)
    kept += A[i];
  expect("kept", kept, 4);

  double bins[3] = {1, 2, 3};
#pragma omp target teams distribute parallel for reduction(+ : bins[ : 3])
  for (int i = 0; i < N; i++)
    bins[i % 3] += 1;
  expect("bins", bins[0] + bins[1] + bins[2], 6 + N);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    A[i] = i % 7;
    F[i] = i % 5;
    K[i] = i % 3;
  }
#pragma omp target data map(to : A, F, K)
  {
    for (int r = 0; r < Rounds; r++)
      round_of(r);
    int wrong = 0, all = on_host(0).count;
#pragma omp parallel for reduction(+ : wrong) num_threads(4)
    for (int r = 0; r < 100; r++) {
      int count = r;
#pragma omp target teams distribute parallel for reduction(+ : count)
      for (int i = 0; i < N; i++)
        count += K[i];
      wrong += count != all + r;
    }
    expect("wrong in threads", wrong, 0);
  }
  return Bad != 0;
}
