// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say whose the last iteration was are computed: it is one
// thread's, also where a team asks. A variable that the threads share keeps the
// region's barriers.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop
// CHECK: parallel region of {{.*}} is kept: code around it may touch memory that threads share
int last(int n, float *x) {
  int at = 0;
#pragma omp target teams distribute parallel for lastprivate(at)               \
    map(tofrom : x[ : n]) map(from : at)
  for (int i = 0; i < n; i++) {
    x[i] += 1;
    at = i;
  }
  return at;
}

// CHECK: %[[OWNER:.*]] = urem i64 %{{.*}}, %size
// CHECK-NEXT: %is.last = icmp eq i64 %position, %[[OWNER]]
// CHECK-NEXT: zext i1 %is.last to i32
// CHECK-NEXT: store i32
// CHECK: call void @__kmpc_parallel_51
// CHECK: %[[THREAD:.*]] = urem i64 %{{.*}}, %size
// CHECK-NEXT: %is.last = icmp eq i64 %position, %[[THREAD]]
