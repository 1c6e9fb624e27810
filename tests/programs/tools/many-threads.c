// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More threads at a time than handlers of fatal signals know of: a program that
// is aborted when all of them have ended was in no kernel.
//
// RUN: %clang %s -o %t -lpthread
// RUN: %run sh -c '%t; echo status $?' 2>&1 | FileCheck %s
// CHECK-NOT: accx
// CHECK: 300 threads, sum 150000
// CHECK-NOT: accx
// CHECK: status 134
// CHECK-NOT: accx

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 300, LAUNCHES = 500 };
static pthread_barrier_t all;
static int sums[THREADS];

static void *run(void *own) {
  int *sum = own;
#pragma omp target map(tofrom : sum[0 : 1])
  *sum += 1;
  pthread_barrier_wait(&all);
  for (int i = 1; i < LAUNCHES; ++i) {
#pragma omp target map(tofrom : sum[0 : 1])
    *sum += 1;
  }
  return NULL;
}

int main(void) {
  static pthread_t threads[THREADS];
  pthread_barrier_init(&all, NULL, THREADS);
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, run, &sums[i]))
      return 1;
  int sum = 0;
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    sum += sums[i];
  }
  fprintf(stderr, "%d threads, sum %d\n", THREADS, sum);
  abort();
}
