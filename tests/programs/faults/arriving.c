// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region's kernel follows its copies on the queue without a wait. Another
// region that maps the same data waits for the copies, but not for the kernel:
// here the kernel waits for the other region's.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT_OPTIONS=async %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=3000 %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=3000 ACCX_DIRECTORY=fused %t | FileCheck %s

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { N = 1000, Rounds = 20, Seconds = 20 };

static int a[N];
/* Kernels of a host device see the program's memory by its address. */
static volatile int started, met;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int first(uintptr_t s, uintptr_t m) {
  const double end = now() + Seconds;
  int sum = 0;
#pragma omp target map(to : a) map(tofrom : sum) firstprivate(s, m, end)
  {
    *(volatile int *)s = 1;
    struct timespec t;
    do
      clock_gettime(CLOCK_MONOTONIC, &t);
    while (!*(volatile int *)m && t.tv_sec + t.tv_nsec * 1e-9 < end);
    for (int i = 0; i < N; ++i)
      sum += a[i];
    if (!*(volatile int *)m)
      sum = -1;
  }
  return sum;
}

static int second(uintptr_t m) {
  int sum = 0;
#pragma omp target map(to : a) map(tofrom : sum) firstprivate(m)
  {
    for (int i = 0; i < N; ++i)
      sum += a[i];
    *(volatile int *)m = 1;
  }
  return sum;
}

int main(void) {
  const int want = N * (N - 1) / 2;
  for (int i = 0; i < N; ++i)
    a[i] = i;
  int wrong = 0;
  for (int round = 0; round < Rounds && !wrong; ++round) {
    started = met = 0;
    int one = 0, two = 0;
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
        one = first((uintptr_t)&started, (uintptr_t)&met);
      } else {
        // Half of the rounds try to come before the copies are done.
        while (round % 2 && !started)
          ;
        two = second((uintptr_t)&met);
      }
    }
    wrong = one != want || two != want;
    if (wrong)
      printf("round %d: %d and %d, not %d\n", round, one, two, want);
  }
  // CHECK: all met
  printf(wrong ? "bad\n" : "all met\n");
  return wrong;
}
