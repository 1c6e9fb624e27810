// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps that overlap what is mapped: extended to either side, around it, and
// nested, in structured and unstructured order, on both directories. LLVM's
// runtime ends such programs, and so does ACCX_STRICT_MAP.
//
// RUN: %clang -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,no_va %t | FileCheck %s
// RUN: %run ACCX_STRICT_MAP=1 not --crash %t 2>&1 | FileCheck %s --check-prefix=CHECK-STRICT
// RUN: %run ACCX_STRICT_MAP=1 ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s --check-prefix=CHECK-STRICT

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static void reset(int *a) {
  for (int i = 0; i < N; ++i)
    a[i] = i;
}

static void expect(const char *what, const int *a, int begin, int end,
                   int plus) {
  for (int i = begin; i < end; ++i)
    if (a[i] != i + plus) {
      printf("%s: a[%d] is %d, not %d\n", what, i, a[i], i + plus);
      exit(1);
    }
}

static int present(const int *p) {
  return omp_target_is_present(p, omp_get_default_device());
}

/* [200, 600) is there; [400, 800) extends it to the right. */
static void right(int *a) {
  reset(a);
#pragma omp target data map(tofrom : a[200 : 400])
  {
#pragma omp target map(tofrom : a[200 : 400])
    for (int i = 200; i < 600; ++i)
      a[i] += 1;
#pragma omp target data map(tofrom : a[400 : 400])
    {
#pragma omp target map(tofrom : a[200 : 600])
      for (int i = 200; i < 800; ++i)
        a[i] += 10;
    }
    /* What only the inner one covered came back with it. */
    expect("right, inner", a, 600, 800, 10);
    expect("right, still out", a, 200, 600, 0);
  }
  expect("right", a, 200, 400, 11);
  expect("right", a, 400, 600, 11);
  expect("right", a, 600, 800, 10);
  expect("right, untouched", a, 0, 200, 0);
  expect("right, untouched", a, 800, N, 0);
}

static void left(int *a) {
  reset(a);
#pragma omp target enter data map(to : a[400 : 400])
#pragma omp target enter data map(to : a[100 : 400])
#pragma omp target map(alloc : a[100 : 700])
  for (int i = 100; i < 800; ++i)
    a[i] += 5;
#pragma omp target exit data map(from : a[400 : 400])
  /* [400, 500) is still mapped by the other one. */
  expect("left, first", a, 500, 800, 5);
  expect("left, covered", a, 400, 500, 0);
  if (!present(&a[450]) || present(&a[600]))
    printf("left: wrong presence\n");
#pragma omp target exit data map(from : a[100 : 400])
  expect("left", a, 100, 800, 5);
  if (present(&a[100]) || present(&a[450]))
    printf("left: still there\n");
}

/* Two islands, then the sea around both. */
static void around(int *a) {
  reset(a);
#pragma omp target enter data map(to : a[100 : 50])
#pragma omp target enter data map(to : a[700 : 50])
#pragma omp target map(alloc : a[100 : 50])
  for (int i = 100; i < 150; ++i)
    a[i] += 100;
#pragma omp target map(tofrom : a[0 : N])
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  expect("around, islands stay", a, 100, 150, 0);
  expect("around, islands stay", a, 700, 750, 0);
  expect("around", a, 0, 100, 1);
  expect("around", a, 150, 700, 1);
  expect("around", a, 750, N, 1);
#pragma omp target exit data map(from : a[100 : 50])
#pragma omp target exit data map(from : a[700 : 50])
  expect("around, first island", a, 100, 150, 101);
  expect("around, second island", a, 700, 750, 1);
}

/* Many windows that slide over the array, as a plane-streaming stencil does. */
static void sliding(int *a) {
  reset(a);
#pragma omp target enter data map(to : a[0 : 200])
  for (int begin = 100; begin + 200 <= N; begin += 100) {
    int *before = &a[begin - 100];
    int *now = &a[begin];
#pragma omp target enter data map(to : now[0 : 200])
#pragma omp target map(alloc : before[0 : 100])
    for (int i = 0; i < 100; ++i)
      before[i] += 7;
#pragma omp target exit data map(from : before[0 : 200])
  }
#pragma omp target map(alloc : a[800 : 200])
  for (int i = 800; i < 1000; ++i)
    a[i] += 7;
#pragma omp target exit data map(from : a[800 : 200])
  expect("sliding", a, 0, N, 7);
  for (int i = 0; i < N; ++i)
    if (present(&a[i])) {
      printf("sliding: a[%d] is still there\n", i);
      exit(1);
    }
}

/* Two sections of one array in one construct, seen through one pointer. */
static void sections(int *a) {
  reset(a);
#pragma omp target map(tofrom : a[0 : 300]) map(tofrom : a[600 : 200])
  {
    for (int i = 0; i < 300; ++i)
      a[i] += 2;
    for (int i = 600; i < 800; ++i)
      a[i] += 2;
  }
  expect("sections", a, 0, 300, 2);
  expect("sections, between", a, 300, 600, 0);
  expect("sections", a, 600, 800, 2);
}

int main(void) {
  int *a = malloc(N * sizeof(int));
  sections(a);
  right(a);
  left(a);
  around(a);
  sliding(a);
  free(a);
  // CHECK-NOT: a[
  // CHECK-NOT: left:
  // CHECK: done
  printf("done\n");
  return 0;
}

// CHECK-STRICT: omptarget message: explicit extension not allowed: host address specified is 0x{{[0-9a-f]+}} (1600 bytes), but device allocation maps to host at 0x{{[0-9a-f]+}} (1600 bytes)
// CHECK-STRICT: partial.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
