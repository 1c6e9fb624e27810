// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous constructs may start together with those that come next, until
// something may look for them, or takes a while.
//
// RUN: %hostcode -fopenacc -O2 -Rpass=late-waits -Rpass-missed=late-waits %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-REMARK --input-file=%t.err

void g(void);

// CHECK-LABEL: define {{.*}}@chain(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call void @acc_wait(
// CHECK: call {{.*}}@__accx_async_begin(
// CHECK-NOT: settle
// CHECK: or i64 {{.*}}, 4294967296
// CHECK: call {{.*}}@__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: or i64 {{.*}}, 4294967296
// CHECK: call {{.*}}@__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: call void @__accx_async_end()
// CHECK-REMARK: async.c:[[#@LINE+3]]:{{.*}} remark: the region may start together with those that come next, before a call of 'acc_wait'
void chain(int n, float *a, float *b, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop present(a[0 : n], b[0 : n]) async(3)
    for (int i = 0; i < n; ++i)
      a[i] += b[i];
// CHECK-REMARK: async.c:[[#@LINE+1]]:{{.*}} remark: the region may start together with those that come next, before a call of 'acc_wait'
#pragma acc parallel loop present(a[0 : n], b[0 : n]) async(3)
    for (int i = 0; i < n; ++i)
      b[i] += a[i];
  }
#pragma acc wait(3)
}

// The device is busy while the host is. What a store may hit is the program's
// to order; the loop is told apart.
// CHECK-LABEL: define {{.*}}@overlaps(
// CHECK: call {{.*}}@__tgt_target_kernel(
// CHECK: call {{.*}}@__tgt_target_kernel(
// CHECK: call void @accx.settle(i32 5)
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call void @acc_wait_all(
// CHECK-REMARK: async.c:[[#@LINE+2]]:{{.*}} remark: the region may start together with those that come next, before a call of 'acc_wait_all' in line [[#@LINE+11]], a store to memory that regions may use in line [[#@LINE+10]]
void overlaps(int n, float *a, float *b, float *restrict h) {
#pragma acc parallel loop present(a[0 : n]) async
  for (int i = 0; i < n; ++i)
    a[i] += 1;
// CHECK-REMARK: async.c:[[#@LINE+1]]:{{.*}} remark: the region may start together with those that come next, before a call of 'acc_wait_all'
#pragma acc parallel loop present(b[0 : n]) async
  for (int i = 0; i < n; ++i)
    b[i] += 1;
  for (int i = 0; i < n; ++i)
    h[i] = h[i] * 3 + 1;
#pragma acc wait
}

// Nothing is put off where each is looked for, and nothing is said: nobody
// would have waited.
// CHECK-LABEL: define {{.*}}@calls(
// CHECK-NOT: settle
// CHECK-NOT: 4294967296
// CHECK: ret void
// CHECK-REMARK-NOT: remark
void calls(int n, float *a, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop present(a[0 : n]) async(1)
    for (int i = 0; i < n; ++i)
      a[i] += 1;
    g();
  }
}
