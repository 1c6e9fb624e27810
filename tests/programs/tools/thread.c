// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ThreadSanitizer finds a race of a kernel's threads, with file and line, and
// none in kernels that have none: on the caller's thread, on queues, from
// inside a parallel region, on several devices.
//
// RUN: %accxcc -O1 -g -fsanitize=thread %s -o %t
// RUN: env TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_thread_leaks=0 %run %t | FileCheck %s --check-prefix=RIGHT
// RUN: env TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_thread_leaks=0 not %run %t race 2>&1 | FileCheck %s
//
// RIGHT: sums 19900 19900 19900 19900
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: __omp_offloading_{{.*}}_main_l{{.*}}thread.c:
// CHECK: SUMMARY: ThreadSanitizer: data race

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = 200, sums[4] = {0};
  int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma acc enter data copyin(a[0 : n]) create(b[0 : n])
#pragma acc parallel loop async(1) present(a[0 : n], b[0 : n])
  for (int i = 0; i < n; ++i)
    b[n - 1 - i] = a[i];
#pragma acc parallel loop async(1) present(a[0 : n], b[0 : n])
  for (int i = 0; i < n; ++i)
    a[i] = b[i];
#pragma acc wait
#pragma acc exit data copyout(a[0 : n]) delete (b[0 : n])

#pragma omp parallel for num_threads(4)
  for (int d = 0; d < 4; ++d) {
    int sum = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n])            \
    map(tofrom : sum) reduction(+ : sum) device(d)
    for (int i = 0; i < n; ++i)
      sum += a[i];
    sums[d] = sum;
  }
  printf("sums %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);

  if (argc > 1) {
    // The threads meet before they race: one that begins when the other has
    // ended comes after it. Relaxed operations put nothing in order, and the
    // wait is bounded, so that a thread that is alone ends, too.
    int last = 0, arrived = 0;
#pragma omp target parallel map(to : a[0 : n]) map(tofrom : last, arrived)     \
    num_threads(2)
    {
      __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
      for (int w = 0; w < 100000000; ++w)
        if (__atomic_load_n(&arrived, __ATOMIC_RELAXED) > 1)
          break;
      for (int i = 0; i < n; ++i)
        last += a[i];
    }
    printf("last %d\n", last);
  }
  free(a);
  free(b);
  return 0;
}
