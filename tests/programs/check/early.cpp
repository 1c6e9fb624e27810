// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that were there before the first kernel with checks are known, and
// those that were freed before it are not.
//
// RUN: %accxcxx -O1 --accx-check %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run not --crash %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// CHECK-NOT: accx
// CHECK: sum 4950
// FREED: the device code of {{.*}} writes host memory

#include <cstdio>
#include <omp.h>

int main(int argc, char **) {
  int *d = static_cast<int *>(omp_target_alloc(100 * sizeof(int), 0));
  if (argc > 1)
    omp_target_free(d, 0);
  int sum = 0;
#pragma omp target is_device_ptr(d) map(tofrom : sum)
  for (int i = 0; i < 100; ++i) {
    d[i] = i;
    sum += d[i];
  }
  std::printf("sum %d\n", sum);
  if (argc == 1)
    omp_target_free(d, 0);
}
