// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of distributed loops that may wait, on devices that start them when
// they have to at the latest: whatever looks for them finds them.
//
// RUN: %program -fopenacc -O2 -pthread %s -o %t
// RUN: %fault ACCX_HOST_DEVICES=1 ACCX_FAULT_OPTIONS=async,hold %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=3 ACCX_FAULT_OPTIONS=async,hold,delay=50 %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold ACCX_SYNC=1 %t | FileCheck %s
// CHECK: right
#include <openacc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 6000, Steps = 60 };
static int *a, *b;
static int wrong;

static void expect(const char *what, int got, int want) {
  if (got != want) {
    printf("%s: %d, not %d\n", what, got, want);
    ++wrong;
  }
}

/* b gets what lies beside in a, from other devices, too. */
static void step(const int *a, int *b) {
#pragma accx distribute
#pragma acc parallel loop present(a[0 : N], b[0 : N])
  for (int i = 0; i < N; ++i)
    b[i] = a[i + 1 < N ? i + 1 : 0] + 1;
}
static void queued(const int *a, int *b) {
#pragma accx distribute
#pragma acc parallel loop present(a[0 : N], b[0 : N]) async(3)
  for (int i = 0; i < N; ++i)
    b[i] = a[i + 1 < N ? i + 1 : 0] + 1;
}
static void run(int num, void (*loop)(const int *, int *)) {
  for (int s = 0; s < num; ++s) {
    loop(a, b);
    int *old = a;
    a = b;
    b = old;
  }
}
/* After so many steps in all. */
static void look(const char *what, int steps) {
#pragma acc update self(a[0 : N])
  for (int i = 0; i < N; ++i)
    if (a[i] != (i + steps) % N + steps) {
      expect(what, a[i], (i + steps) % N + steps);
      return;
    }
}

static atomic_int told;
static void *waits(void *result) {
  while (!atomic_load(&told))
    ;
#pragma acc update self(a[N - 1 : 1])
  *(int *)result = a[N - 1];
  return 0;
}

int main(void) {
  a = malloc(N * sizeof(int));
  b = malloc(N * sizeof(int));
  for (int i = 0; i < N; ++i)
    a[i] = b[i] = i;
  int *const first = a, *const second = b;
#pragma accx enter spread(a[0 : N], b[0 : N]) devices(all)
  int steps = 0;
  run(Steps, step), steps += Steps;
  look("loops", steps);
  /* Sums in between. */
  for (int round = 0; round < 5; ++round) {
    run(7, step), steps += 7;
    int sum = 0;
#pragma accx distribute
#pragma acc parallel loop present(a[0 : N]) reduction(+ : sum)
    for (int i = 0; i < N; ++i)
      sum += a[i] - steps;
    expect("sum", sum, N / 2 * (N - 1));
  }
  /* What one device does alone is behind the loops, and ahead of the next. */
  for (int round = 0; round < 10; ++round) {
    run(3, step), steps += 3;
#pragma acc parallel loop present(a[0 : N])
    for (int i = 0; i < N; ++i)
      a[i] -= 1;
#pragma acc parallel loop present(a[0 : N])
    for (int i = 0; i < N; ++i)
      a[i] += 1;
  }
  look("one device", steps);
  /* Another thread looks. */
  pthread_t thread;
  int found = 0;
  pthread_create(&thread, 0, waits, &found);
  run(Steps, step), steps += Steps;
  atomic_store(&told, 1);
  pthread_join(thread, 0);
  expect("thread", found, (N - 1 + steps) % N + steps);
  /* Loops of a queue, and then of none. */
  for (int round = 0; round < 3; ++round) {
    run(Steps, queued), steps += Steps;
#pragma acc wait(3)
    run(5, step), steps += 5;
    look("queue", steps);
  }
  run(Steps, step), steps += Steps;
#pragma accx exit spread(first[0 : N], second[0 : N])
  for (int i = 0; i < N; ++i)
    if (a[i] != (i + steps) % N + steps) {
      expect("end", a[i], (i + steps) % N + steps);
      break;
    }
  printf(wrong ? "wrong\n" : "right\n");
  return wrong;
}
