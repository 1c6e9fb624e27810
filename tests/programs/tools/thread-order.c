// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ThreadSanitizer sees in what order kernels run, whoever runs them and however
// late the program asks: it finds no race where each kernel changes what the
// one before it left.
//
// RUN: %accxcc -O1 -g -fsanitize=thread -I%accx_include %s -o %t
// RUN: env TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_thread_leaks=0 %run %t | FileCheck %s
//
// CHECK: wrong 0

#include <accx/event.h>
#include <omp.h>
#include <openacc.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 200 };
int a[N];

/// Longer than the work that is queued: a thread that asks then finds the end,
/// and has nothing to wait for.
static void meanwhile(void) { usleep(20000); }

int main(void) {
#pragma acc enter data copyin(a)

  // Kernels of two threads of a team, which run on executors of their own.
#pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 4; ++turn) {
    if (omp_get_thread_num() == turn % 2) {
#pragma acc parallel loop present(a)
      for (int i = 0; i < N; ++i)
        a[i] += 1;
    }
#pragma omp barrier
  }

  // A queue, waited for, asked, and as an event.
#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  meanwhile();
#pragma acc wait(1)
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; ++i)
    a[N - 1 - i] += 1;

#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  meanwhile();
  while (!acc_async_test(1))
    meanwhile();
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; ++i)
    a[N - 1 - i] += 1;

#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  accx_event_t event;
  if (accx_event_of_queue(1, &event) != 0)
    return 1;
  meanwhile();
  accx_event_wait(1, &event);
  accx_event_release(event);
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; ++i)
    a[N - 1 - i] += 1;

  // A queue that waits for another one.
#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  meanwhile();
#pragma acc wait(1) async(2)
#pragma acc parallel loop present(a) async(2)
  for (int i = 0; i < N; ++i)
    a[N - 1 - i] += 1;
  meanwhile();
#pragma acc wait

#pragma acc exit data copyout(a)
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += a[i] != 12;
  printf("wrong %d\n", wrong);
  return 0;
}
