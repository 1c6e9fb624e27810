// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short loops of a gang's workers become straight code, so that their loads are
// under way together. Gangs that have no others leave their multiprocessor to
// as many threads as it can hold; where loops go from barrier to barrier
// registers count for more.
//
// RUN: %device %s | %smc-tile | FileCheck %s

// CHECK: !{ptr @{{.*}}straight{{.*}}, !"minctasm", i32 8}
// CHECK: !{ptr @{{.*}}barriers{{.*}}, !"minctasm", i32 6}
// CHECK-COUNT-1: !"llvm.loop.unroll.full"
// CHECK-NOT: !"llvm.loop.unroll.full"
void straight(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0 : n * 256])
  for (int g = 0; g < n; ++g) {
    float s[256];
#pragma acc loop worker
    for (int i = 0; i < 256; ++i) {
      s[i] = a[g * 256 + i];
#pragma acc barrier
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += s[i / 16 * 16 + k];
      a[g * 256 + i] = sum;
    }
  }
}
void barriers(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0 : n * 256])
  for (int g = 0; g < n; ++g) {
    float s[256];
#pragma acc loop worker
    for (int i = 0; i < 256; ++i) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) {
        s[i] = a[g * 256 + (i + k) % 256];
#pragma acc barrier
        sum += s[255 - i];
#pragma acc barrier
      }
      a[g * 256 + i] = sum;
    }
  }
}
