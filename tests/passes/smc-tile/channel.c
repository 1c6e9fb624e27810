// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channel types mean something: where they are not supported the compilation
// for a GPU fails, and the host's own processor says so when it gets there.
//
// RUN: not %accxcc-device -O2 %s -o - 2>&1 | FileCheck %s
// RUN: not %accxcc-device -O0 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-O0
// RUN: %host -O1 %s -o %t && %t
// RUN: env OMP_TARGET_OFFLOAD=DISABLED not --crash %t 2>&1 | FileCheck %s --check-prefix=CHECK-HOST

// CHECK: channel.c:[[#@LINE+7]]: 'a' cannot be cached: channel types are not supported on GPUs
// CHECK-O0: channel.c:[[#@LINE+6]]: 'a': a channel type of fcw needs optimization
// CHECK-HOST: accx: {{.*}}channel.c:[[#@LINE+5]]: 'a': a channel type of fcw needs a device that runs the iterations of a block together
int main(void) {
  float data[64] = {0}, *restrict a = data;
#pragma omp target teams distribute parallel for map(tofrom : a[ : 64])
  for (int i = 0; i < 64; ++i)
#pragma accx smc FETCH_CHANNEL_WB(a[i : 0 : 0]) block(64)
    a[i] = a[63 - i];
  return 0;
}
