// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct that only brings small data ends before its copies. Whatever the
// device does next comes after them, whoever asks for it; memory that is taken
// back waits for them; their failure is told by the next construct, or at the
// program's end.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300 %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300 ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300,no_va %t | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=100,delay=300 %t | FileCheck %s
// CHECK: right
//
// The runtime waits for nothing in between.
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=4096 ACCX_STATS=1 %t count 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-COUNT
// RUN: %fault ACCX_FAULT_OPTIONS=async,staged=100 ACCX_STATS=1 %t count 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-WAITED
// At the end there is one wait for what is left.
// CHECK-COUNT: h2d_copies=40 {{.*}} waits=1{{ }}
// CHECK-WAITED: h2d_copies=40 {{.*}} waits=40{{ }}
//
// RUN: not --crash %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300 ACCX_FAULT=copy_to:1 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-NEXT-ONE
// CHECK-NEXT-ONE: omptarget error: copying 'a[0:N]' to the device, or what came after it: injected: copy_to
// CHECK-NEXT-ONE: trailing.c:[[#]]:1: omptarget fatal error 1: failure of a target construct
// CHECK-NEXT-ONE-NOT: right
//
// RUN: not --crash %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300 ACCX_FAULT=copy_to:1 %t leave 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-AT-END
// CHECK-AT-END: left
// CHECK-AT-END: omptarget error: copying 'a[0:N]' to the device
// CHECK-AT-END: trailing.c:[[#]]:1: omptarget fatal error 1: failure of a target construct

// Of several constructs, the first one whose copy may have failed.
// RUN: not --crash %fault ACCX_FAULT_OPTIONS=async,staged=4096,delay=300 ACCX_FAULT=copy_to:1 %t two 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-FIRST
// CHECK-FIRST: omptarget error: copying 'a[0:N]' to the device, or what came after it: injected: copy_to
// CHECK-FIRST: trailing.c:[[#]]:1: omptarget fatal error 1: failure of a target construct

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500, Arrays = 40, Rounds = 10 };

static int *many[Arrays];

static int sumOf(const int *p) {
  int sum = 0;
#pragma omp target map(tofrom : sum) map(to : p[0 : N])
  for (int i = 0; i < N; ++i)
    sum += p[i];
  return sum;
}

static void fill(int *p, int first) {
  for (int i = 0; i < N; ++i)
    p[i] = first + i;
}

static int want(int first) { return N * first + N * (N - 1) / 2; }

/* The thread that did not map the data uses them: by a region, by a copy from
   their address, by a region that knows the address only. */
static int others(int *a) {
  int wrong = 0;
  for (int round = 0; round < Rounds; ++round) {
    fill(a, round);
    volatile int started = 0, entered = 0;
    int seen = 0, copied[N], sum = 0;
#pragma omp parallel num_threads(2) shared(started, entered, seen, copied, sum)
    {
      if (omp_get_thread_num() == 0) {
        while (!started)
          ;
#pragma omp target enter data map(to : a[0 : N])
        /* The host's bytes were read. */
        memset(a, 0, N * sizeof(*a));
        entered = 1;
      } else {
        /* Keeps a queue until the other thread has used another one. Kernels
           of a host device see the program's memory by its address. */
        const uintptr_t s = (uintptr_t)&started, e = (uintptr_t)&entered;
#pragma omp target firstprivate(s, e)
        {
          *(volatile int *)s = 1;
          while (!*(volatile int *)e)
            ;
        }
        if (round % 2) {
          seen = sumOf(a);
        } else {
          int *there = omp_get_mapped_ptr(a, omp_get_default_device());
          omp_target_memcpy(copied, there, sizeof(copied), 0, 0,
                            omp_get_initial_device(), omp_get_default_device());
          for (int i = 0; i < N; ++i)
            seen += copied[i];
#pragma omp target is_device_ptr(there) map(tofrom : sum)
          for (int i = 0; i < N; ++i)
            sum += there[i];
          wrong += sum != seen;
        }
      }
    }
    wrong += seen != want(round);
    wrong += sumOf(a) != want(round);
#pragma omp target exit data map(delete : a[0 : N])
  }
  return wrong;
}

/* Entries that go while their copies are under way, and memory that is used
   again at once. */
static int again(void) {
  int wrong = 0;
  for (int round = 0; round < Rounds; ++round) {
    for (int i = 0; i < Arrays; ++i) {
      int *p = many[i];
      fill(p, round + i);
#pragma omp target enter data map(to : p[0 : N])
      if (i % 3 == 0) {
#pragma omp target exit data map(release : p[0 : N])
        fill(p, round + i + 1);
#pragma omp target enter data map(to : p[0 : N])
      }
    }
    for (int i = 0; i < Arrays; ++i)
      wrong += sumOf(many[i]) != want(round + i + (i % 3 == 0));
    for (int i = 0; i < Arrays; ++i) {
      int *p = many[i];
      fill(p, -1);
#pragma omp target exit data map(from : p[0 : N])
      wrong += p[1] != round + i + (i % 3 == 0) + 1;
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int *a = malloc(N * sizeof(*a));
  for (int i = 0; i < Arrays; ++i)
    many[i] = malloc(N * sizeof(int));
  fill(a, 0);
  if (!strcmp(what, "leave")) {
#pragma omp target enter data map(to : a[0 : N])
    printf("left\n");
    fflush(stdout);
    return 0;
  }
  if (!strcmp(what, "two")) {
    int *p = many[0];
#pragma omp target enter data map(to : a[0 : N])
#pragma omp target enter data map(to : p[0 : N])
    return sumOf(p);
  }
  if (!strcmp(what, "count")) {
    for (int i = 0; i < Arrays; ++i) {
      int *p = many[i];
#pragma omp target enter data map(to : p[0 : N])
    }
    printf("all entered\n");
    exit(0);
  }
  const int wrong = others(a) + again();
  printf(wrong ? "%d wrong\n" : "right\n", wrong);
  return wrong != 0;
}
