// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsigned counters: the trip count may reach 2^32 - 1, and is never negative.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop
void down(unsigned n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (unsigned i = n; i > 3; i -= 2)
    x[i - 1] += 1;
}

// CHECK: %last = load i32
// CHECK-NEXT: %[[LAST:.*]] = zext i32 %last to i64
// CHECK-NEXT: %trip = add i64 %[[LAST]], 1
// CHECK-NOT: select
// CHECK: icmp ult i64 %grid.iv, %trip
// CHECK: icmp ult i64 %grid.iv, 4294967296
