// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index plus a loop's counter: its distance from the block's first is the
// thread's place plus the counter, and nothing is subtracted. The numbers of
// blocks, which have 32 bits, are counted so.
//
// RUN: %accxcc-device -O2 -mllvm -accx-smc-interior=0 %s -o - | FileCheck %s
// RUN: %device %s | %smc-tile -o /dev/null

// CHECK-LABEL: define {{.*}}sums
// CHECK: %[[THREAD:.*]] = {{.*}}call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: %[[ORIGIN:.*]] = shl {{.*}}i32 %{{.*}}, 8
// CHECK: %[[PLACE:.*]] = {{.*}}call i32 @llvm.umin.i32(
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NOT: sub {{.*}}, %[[ORIGIN]]
// CHECK-NOT: phi i64
// CHECK: ret void
void sums(int n, int h, int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(from : b[ : n])
  for (int i = 0; i < n; ++i) {
    const int o = i & 255;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(256)
    {
      for (int k = 128; k > 0; k >>= 1)
        if (o < k && i + k < n)
          a[i] += a[i + k];
      b[i] = a[i];
    }
  }
}
