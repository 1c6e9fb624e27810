// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributed loops leave one another under way: their parts may start together
// with those of the next loops, until something may look for them.
//
// RUN: %hostcode -fopenacc -O2 -Rpass=late-waits -Rpass-missed=late-waits %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-REMARK --input-file=%t.err

void g(void);

// CHECK-LABEL: define {{.*}}@steps(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call void @g(
// CHECK-NOT: settle
// CHECK: call {{.*}}@__accx_distribute_begin(
// CHECK-NOT: settle
// CHECK: or i64 {{.*}}, 4294967296
// CHECK: call {{.*}}@__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: call {{.*}}@__accx_distribute_end()
// CHECK-REMARK: distribute.c:[[#@LINE+4]]:{{.*}} remark: the region is waited for later, before a call of 'g'
void steps(int n, float *a, float *b, int num) {
  for (int t = 0; t < num; ++t) {
#pragma accx distribute
#pragma acc parallel loop present(a[0 : n], b[0 : n])
    for (int i = 1; i < n - 1; ++i)
      b[i] = a[i - 1] + a[i + 1];
    float *old = a;
    a = b;
    b = old;
  }
  g();
}

// Sums are put together by the host.
// CHECK-LABEL: define {{.*}}@sums(
// CHECK-NOT: 4294967296
// CHECK: ret float
// CHECK-REMARK: distribute.c:[[#@LINE+5]]:{{.*}} remark: the region is waited for where it stands, before a call of '__accx_distribute_slots'
float sums(int n, float *a, int num) {
  float sum = 0;
  for (int t = 0; t < num; ++t) {
#pragma accx distribute
#pragma acc parallel loop present(a[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; ++i)
      sum += a[i];
  }
  return sum;
}
