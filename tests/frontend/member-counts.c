// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members that one directive names have counts of their own, and so has what
// they point to: one goes while the others stay, whatever struct is around.
//
// RUN: %accx_print -I%accx_include -Wno-everything %s | FileCheck %s --check-prefix=PLAN
// RUN: %accxcc -O1 -Wall %s -o %t && %run %t | FileCheck %s
// RUN: env ACCX_DIRECTORY=fused %run %t | FileCheck %s

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 8 };
struct parts {
  int a;
  int hole[4];
  int b;
  int *p, *q;
};

static int there(const void *data) { return acc_is_present(data, 1); }

// PLAN-LABEL: void plain(
// PLAN: #pragma omp target enter data map(to: s.a)
// PLAN-NEXT: #pragma omp target enter data map(to: s.b)
static void plain(void) {
  struct parts s = {.a = 1, .b = 2};
#pragma acc enter data copyin(s.a, s.b)
#pragma acc enter data copyin(s.b)
  // CHECK: entered 1 0 1
  printf("entered %d %d %d\n", there(&s.a), there(s.hole), there(&s.b));
  s.a = s.b = 0;
#pragma acc serial copy(s.a) present(s.b)
  {
    s.a += 10;
    s.b += 10;
  }
#pragma acc exit data copyout(s.a, s.b)
  // CHECK: 11 0, 0 1
  printf("%d %d, %d %d\n", s.a, s.b, there(&s.a), there(&s.b));
#pragma acc exit data copyout(s.b)
  // CHECK: 12, 0
  printf("%d, %d\n", s.b, there(&s.b));
}

// What stands between is not held by them.
static void structured(void) {
  struct parts s = {.a = 1, .b = 2};
#pragma acc data copy(s.a, s.b)
  {
#pragma acc enter data copyin(s.hole)
#pragma acc serial present(s.a, s.b, s.hole)
    {
      s.a += 10;
      s.b += 10;
      s.hole[1] = 7;
    }
  }
  // CHECK: 11 12 0, 0 0 1
  printf("%d %d %d, %d %d %d\n", s.a, s.b, s.hole[1], there(&s.a), there(&s.b),
         there(s.hole));
#pragma acc exit data copyout(s.hole)
  // CHECK: 7, 0
  printf("%d, %d\n", s.hole[1], there(s.hole));
}

// A pointer that is attached holds no struct around it.
// PLAN-LABEL: void pointers(
// PLAN: #pragma omp target enter data map(to: s)
// PLAN: __accx_data(1);
// PLAN-NEXT: #pragma omp target enter data map(to: s.p[0:N])
// PLAN-NEXT: #pragma omp target enter data map(to: s.q[0:N])
// PLAN-NEXT: __accx_data(0);
// PLAN: #pragma omp target exit data map(delete: s.q[0:N])
static void pointers(struct parts s) {
#pragma acc enter data copyin(s)
#pragma acc enter data copyin(s.p[0 : N], s.q[0 : N])
  acc_copyin(s.p, N * sizeof(int));
#pragma acc parallel loop copy(s.p[0 : N]) present(s)
  for (int i = 0; i < N; ++i)
    s.p[i] = s.q[i] + 1;
#pragma acc exit data copyout(s.p[0 : N])
  // CHECK: pointers 1 1 1
  printf("pointers %d %d %d\n", there(&s), there(s.p), there(s.q));
#pragma acc exit data copyout(s.p[0 : N])
#pragma acc exit data delete (s.p[0 : N])
#pragma acc enter data create(s.q[0 : N])
#pragma acc exit data copyout(s.q[0 : N]) finalize
  // CHECK: 1 0 0, 6
  printf("%d %d %d, %d\n", there(&s), there(s.p), there(s.q), s.p[5]);
#pragma acc exit data delete (s)
  // CHECK: 0
  printf("%d\n", there(&s));
}

// Without the struct the pointer itself is there as long as what it points to.
static void alone(struct parts s) {
#pragma acc enter data copyin(s.a, s.p[0 : N])
#pragma acc enter data copyin(s.p[0 : N])
#pragma acc parallel loop present(s.a, s.p)
  for (int i = 0; i < N; ++i)
    s.p[i] = s.a + i;
  // CHECK: alone 1 1 0
  printf("alone %d %d %d\n", there(&s.p), there(s.p), there(&s.q));
#pragma acc exit data copyout(s.p[0 : N]) finalize
  // CHECK: 0 0 1, 45
  printf("%d %d %d, %d\n", there(&s.p), there(s.p), there(&s.a), s.p[5]);
#pragma acc exit data delete (s.a)
}

// An array inside of a struct, by directives and routines in turns.
static void array(void) {
  struct parts s = {.hole = {1, 2, 3, 4}};
  acc_copyin(s.hole, sizeof s.hole);
#pragma acc serial present(s.hole)
  s.hole[1] += 10;
#pragma acc exit data copyout(s.hole[0 : 4])
  // CHECK: array 12 0
  printf("array %d %d\n", s.hole[1], there(s.hole));
#pragma acc enter data copyin(s.hole[0 : 4])
#pragma acc enter data copyin(s.hole[1 : 2])
#pragma acc serial present(s.hole)
  s.hole[1] += 10;
  acc_copyout(s.hole, sizeof s.hole);
  // CHECK: 12 1
  printf("%d %d\n", s.hole[1], there(s.hole));
#pragma acc exit data copyout(s.hole[0 : 4])
  // CHECK: 22 0
  printf("%d %d\n", s.hole[1], there(s.hole));
}

// The whole and its parts at once, in a construct and around one.
static void whole(struct parts s) {
  for (int i = 0; i < N; ++i)
    s.p[i] = s.q[i] = i;
#pragma acc parallel loop copy(s, s.p[0 : N], s.q[0 : N])
  for (int i = 0; i < N; ++i)
    s.p[i] += s.q[i];
#pragma acc data copy(s.p[0 : N], s) copyin(s.q[0 : N])
  {
#pragma acc parallel loop present(s, s.p[0 : N], s.q[0 : N])
    for (int i = 0; i < N; ++i)
      s.p[i] += s.q[i];
#pragma acc serial
    s.b = 5;
  }
  // CHECK: whole 21 5, 0 0 0
  printf("whole %d %d, %d %d %d\n", s.p[7], s.b, there(&s), there(s.p),
         there(s.q));
}

int main(void) {
  struct parts s = {.a = 40, .p = malloc(N * sizeof(int))};
  s.q = malloc(N * sizeof(int));
  for (int i = 0; i < N; ++i)
    s.p[i] = s.q[i] = i;
  plain();
  structured();
  pointers(s);
  alone(s);
  array();
  whole(s);
  return 0;
}
