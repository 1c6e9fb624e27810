// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A channel type whose iterations write their own elements: two copies in turn,
// one barrier behind each write, and what was written goes from registers to
// the array. What is not optimized is an error; the host's own processor says
// so when it gets there.
//
// RUN: %device %s | %plan -accx-smc-interior=0 2>&1 | FileCheck %s
// RUN: not %accxcc-device -O0 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-O0
// RUN: %host -O1 %s -o %t && %t
// RUN: env OMP_TARGET_OFFLOAD=DISABLED not --crash %t 2>&1 | FileCheck %s --check-prefix=CHECK-HOST

// CHECK: blocks of 64
// CHECK: channel.c:[[#@LINE+29]]: 'a': 64 elements of 4 bytes, 1 read, 0 tests, 1 write, 1 access of a thread's own element, written back by parts of 4 bytes
// CHECK: [[COPY:@.*]] = internal addrspace(3) global [512 x i8] poison
// CHECK-LABEL: define {{.*}}main
// CHECK: %number{{.*}} = phi
// A block fetches, not before all have left its last.
// CHECK: barrier0
// CHECK: store i32 %{{.*}}, ptr addrspace(3)
// CHECK: barrier0
// CHECK: load float, ptr addrspace(3)
// CHECK-NOT: barrier0
// CHECK: store float %{{.*}}, ptr %[[OWN:.*]], align
// CHECK: store i1 true, ptr %[[NOTE:.*]], align
// CHECK: xor i32 %{{.*}}, 256
// CHECK: store i32 %{{.*}}, ptr addrspace(3)
// CHECK: barrier0
// CHECK-NOT: barrier0
// CHECK: load i1, ptr %[[NOTE]]
// CHECK: %[[V:.*]] = load i32, ptr %[[OWN]]
// CHECK: store i32 %[[V]], ptr %
// CHECK-NOT: stackmap

// CHECK-O0: channel.c:[[#@LINE+8]]: 'a': a channel type of fcw needs optimization
// CHECK-HOST: accx: {{.*}}channel.c:[[#@LINE+7]]: 'a': needs a device that runs the iterations of a block together
int main(void) {
  float data[64] = {0}, *restrict a = data;
  int n = 64;
#pragma omp target teams distribute parallel for map(tofrom : a[ : 64])
  for (int i = 0; i < n; ++i)
  // clang-format off
#pragma accx smc FETCH_CHANNEL_WB(a[i : 0 : 0]) block(64)
    a[i] = a[63 - i];
  return 0;
}
