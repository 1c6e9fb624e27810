// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before sm_70 threads of a warp cannot diverge and wait for some of each
// other.
//
// RUN: %device %s > %t.ll
// RUN: %simt-lanes %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-NEW
// RUN: sed 's/"target-cpu"="sm_90"/"target-cpu"="sm_60"/' %t.ll > %t.old.ll
// RUN: %simt-lanes %t.old.ll 2>&1 | FileCheck %s

// CHECK-NEW: vector loop runs across 32 lanes
// CHECK: vector loop stays serial: GPUs before sm_70
// CHECK-NOT: lane.iv
void rows(int n, int m, float *a) {
#pragma acc parallel loop gang worker copy(a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
}
