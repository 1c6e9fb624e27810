// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy on one queue while a kernel runs on another: together they take hardly
// longer than the longer one. overlap.py finds the same in the trace.

#include "../check.h"

#include <openacc.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void spin(float *a, int n, long rounds) {
#pragma acc parallel loop gang vector present(a[0 : n]) async(2)
  for (int i = 0; i < n; ++i) {
    float x = a[i];
    for (long r = 0; r < rounds; ++r)
      x = x * 0.999f + 0.001f;
    a[i] = x;
  }
}

static void copy(char *p, size_t bytes) {
#pragma acc update device(p[0 : bytes]) async(1)
}

int main(void) {
  const int n = 1 << 15;
  const size_t bytes = (size_t)256 << 20;
  float *a = malloc(n * sizeof(float));
  char *p = malloc(bytes);
  for (int i = 0; i < n; ++i)
    a[i] = 1;
  for (size_t i = 0; i < bytes; ++i)
    p[i] = (char)(i >> 12);
#pragma acc enter data copyin(a[0 : n]) create(p[0 : bytes])

  double copying = 0, spinning = 0;
  long rounds = 10000;
  for (int warm = 0; warm < 3; ++warm) {
    double begin = now();
    copy(p, bytes);
    acc_wait(1);
    copying = now() - begin;
  }
  // A kernel that takes about as long.
  for (int warm = 0; warm < 8; ++warm) {
    double begin = now();
    spin(a, n, rounds);
    acc_wait(2);
    spinning = now() - begin;
    rounds = (long)(rounds * copying / spinning) + 1;
  }
  double begin = now();
  spin(a, n, rounds);
  copy(p, bytes);
  acc_wait_all();
  const double both = now() - begin;
  printf("copy %.2f ms, kernel %.2f ms, together %.2f ms\n", copying, spinning,
         both);
  CHECK(both < 0.75 * (copying + spinning));

  long wrong = 0;
#pragma acc parallel loop gang vector reduction(+ : wrong) present(p[0 : bytes])
  for (size_t i = 0; i < bytes; ++i)
    wrong += p[i] != (char)(i >> 12);
  CHECK(wrong == 0);
#pragma acc exit data copyout(a[0 : n]) delete (p[0 : bytes])
  for (int i = 0; i < n; ++i)
    CHECK(a[i] > 0.99f && a[i] < 1.01f);
  return verdict();
}
