// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A load from memory of which nobody knows where it lies is no reason to wait
// for kernels that write mapped data alone; it is for those that write what the
// program says is the device's, and what it told the runtime of.
//
// RUN: %hostcode -O2 %s | FileCheck %s --check-prefix=CHECK-CODE
// RUN: %program -O2 %s -o %t
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 %t mapped 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-FEW
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 %t raw 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-EACH
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 %t associated 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-EACH
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 ACCX_STATS=1 %t mapped 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-FEW
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 ACCX_STATS=1 %t raw 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-EACH
// CHECK-FEW: late_regions=200 {{.*}} waits={{[0-9]}}{{ }}
// CHECK-EACH: late_regions=200 {{.*}} waits={{[1-9][0-9]+}}{{ }}
// CHECK: right

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, Steps = 100 };

// CHECK-CODE-LABEL: define {{.*}}@mapped(
// CHECK-CODE: call i32 @__tgt_target_kernel(
// CHECK-CODE: call void @accx.settle(i32 2)
__attribute__((noinline)) void mapped(int *a, const int *b, const int *flags) {
  for (int t = 0; t < Steps; ++t) {
#pragma omp target teams distribute parallel for map(a[ : N], b[ : N])
    for (int i = 0; i < N; ++i)
      a[i] += b[i];
    int add = flags[t % 4];
#pragma omp target teams distribute parallel for map(a[ : N])
    for (int i = 0; i < N; ++i)
      a[i] += add;
  }
}

__attribute__((noinline)) void raw(int *a, const int *flags) {
  for (int t = 0; t < Steps; ++t) {
#pragma omp target teams distribute parallel for is_device_ptr(a)
    for (int i = 0; i < N; ++i)
      a[i] += 1;
    int add = flags[t % 4];
#pragma omp target teams distribute parallel for is_device_ptr(a)
    for (int i = 0; i < N; ++i)
      a[i] += add;
  }
}

int main(int argc, char **argv) {
  int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int)),
      *flags = malloc(4 * sizeof(int));
  const int device = omp_get_default_device(), host = omp_get_initial_device();
  for (int i = 0; i < N; ++i)
    b[i] = 1;
  for (int i = 0; i < 4; ++i)
    flags[i] = i;
  int *d = omp_target_alloc(N * sizeof(int), device);
  omp_target_memcpy(d, a, N * sizeof(int), 0, 0, device, host);
  if (!strcmp(argv[1], "raw")) {
    raw(d, flags);
    omp_target_memcpy(a, d, N * sizeof(int), 0, 0, host, device);
  } else if (!strcmp(argv[1], "associated")) {
    omp_target_associate_ptr(a, d, N * sizeof(int), 0, device);
#pragma omp target data map(to : b[ : N])
    mapped(a, b, flags);
    omp_target_disassociate_ptr(a, device);
    omp_target_memcpy(a, d, N * sizeof(int), 0, 0, host, device);
  } else {
#pragma omp target data map(to : b[ : N]) map(tofrom : a[ : N])
    mapped(a, b, flags);
  }
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += a[i] != Steps + Steps / 4 * 6;
  printf(wrong ? "wrong\n" : "right\n");
  omp_target_free(d, device);
  return argc != 2 || wrong;
}
