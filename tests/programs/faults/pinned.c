// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory is short while a region holds its entries and queued work waits for
// them: releasing memory must not wait for that work in turn.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_DIRECTORY=fused ACCX_FAULT=alloc:2 ACCX_FAULT_OPTIONS=async,delay=200000 timeout 60 %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=alloc:1 ACCX_FAULT_OPTIONS=async,delay=200000 timeout 60 %t 2>&1 | FileCheck %s

#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int a[200];

int main(void) {
  int big[2000];
  for (int i = 0; i < 2000; ++i)
    big[i] = i;
  for (int i = 0; i < 200; ++i)
    a[i] = i;
  // What happens at a device's first region is over by then.
#pragma omp target
  {
  }
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      // Its copy takes a while; then the firstprivate array needs memory, and
      // gets it at the second attempt only.
#pragma omp target map(tofrom : a[0 : 100]) firstprivate(big)
      for (int i = 0; i < 50; ++i)
        a[i] += big[1];
    } else {
      // Overlaps: it wants to grow the block that the region above holds.
      usleep(20000);
#pragma omp target nowait map(tofrom : a[50 : 150])
      for (int i = 100; i < 200; ++i)
        a[i] += 2;
#pragma omp taskwait
    }
  }
  for (int i = 0; i < 200; ++i)
    if (a[i] != i + (i < 50) + (i >= 100 ? 2 : 0)) {
      printf("a[%d] is %d\n", i, a[i]);
      return 1;
    }
  printf("done\n");
  return 0;
}

// CHECK-NOT: error
// CHECK: done
