// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that may wait, on a device that starts them when it has to at the
// latest: whatever looks for them finds them, and results are what they were.
//
// RUN: %program -fopenacc -O2 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,hold %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,hold,delay=50 %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,hold ACCX_SYNC=1 %t | FileCheck %s
// RUN: %program -fopenacc -O0 %s -o %t.0
// RUN: %fault ACCX_FAULT_OPTIONS=async,hold %t.0 | FileCheck %s
// CHECK: right
#include <openacc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, Steps = 50 };
static int *a, *b;
static int wrong;

static void expect(const char *what, long got, long want) {
  if (got != want) {
    printf("%s: %ld, not %ld\n", what, got, want);
    ++wrong;
  }
}

static void step(int queue) {
#pragma acc parallel loop present(a[0 : N], b[0 : N]) async(queue)
  for (int i = 0; i < N; ++i)
    a[i] += b[i];
}

static int first(const int *of) {
  int value = 0;
#pragma acc parallel loop present(of[0 : N]) reduction(+ : value)
  for (int i = 0; i < 1; ++i)
    value += of[i];
  return value;
}

/* Tests of a queue find its end. */
static void polls(void) {
  for (int s = 0; s < Steps; ++s)
    step(1);
  while (!acc_async_test(1))
    ;
  expect("polls", first(a), Steps);
  for (int s = 0; s < Steps; ++s)
    step(s % 12);
  while (!acc_async_test_all())
    ;
  expect("polls many", first(a), 2 * Steps);
}

/* Another thread waits for what this one queued and tells it of. */
static atomic_int told;
static void *waits(void *result) {
  while (!atomic_load(&told))
    ;
  acc_wait(2);
  *(int *)result = first(a);
  return 0;
}
static void threads(void) {
  pthread_t thread;
  int found = 0;
  pthread_create(&thread, 0, waits, &found);
  for (int s = 0; s < Steps; ++s)
    step(2);
  atomic_store(&told, 1);
  pthread_join(thread, 0);
  expect("threads", found, 3 * Steps);
}

/* Queues wait for one another, and copies come between. */
static void orders(void) {
  for (int s = 0; s < Steps; ++s) {
    step(3);
#pragma acc parallel loop present(a[0 : N], b[0 : N]) async(4) wait(3)
    for (int i = 0; i < N; ++i)
      a[i] += 2 * b[i];
#pragma acc update self(a[0 : 1]) async(4)
#pragma acc wait(4) async(3)
  }
#pragma acc wait(3)
  expect("orders", a[0], 6 * Steps);
  expect("orders", first(a), 6 * Steps);
}

/* The end of the data's life waits for what uses it. */
static void leaves(void) {
  for (int round = 0; round < 10; ++round) {
    int *own = calloc(N, sizeof(int));
#pragma acc enter data copyin(own[0 : N])
    for (int s = 0; s < Steps; ++s) {
#pragma acc parallel loop present(own[0 : N], b[0 : N]) async(5)
      for (int i = 0; i < N; ++i)
        own[i] += b[i];
    }
#pragma acc exit data copyout(own[0 : N]) async(5)
#pragma acc wait(5)
    expect("leaves", own[N - 1], Steps);
    free(own);
  }
}

int main(void) {
  a = calloc(N, sizeof(int));
  b = calloc(N, sizeof(int));
  for (int i = 0; i < N; ++i)
    b[i] = 1;
#pragma acc data copyin(a[0 : N], b[0 : N])
  {
    polls();
    threads();
    orders();
    leaves();
    /* What nobody waits for runs all the same before the data goes. */
    for (int s = 0; s < Steps; ++s)
      step(6);
  }
  printf(wrong ? "wrong\n" : "right\n");
  return wrong;
}
