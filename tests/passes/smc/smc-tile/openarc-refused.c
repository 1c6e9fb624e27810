// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that not all workers come to, and more memory than a block has.
//
// RUN: %device -DCASE=0 %s | not %smc-tile -o /dev/null 2>&1 | FileCheck %s
// RUN: %device -DCASE=1 %s | not %smc-tile -o /dev/null 2>&1 | FileCheck %s
// RUN: %device -DCASE=2 %s | not %smc-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-MEMORY
// RUN: not %accxcc-device -O0 -DCASE=3 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-O0
// CHECK: openarc-refused.c:[[#@LINE+9]]: 'gang' cannot be cached: a barrier stands where not all workers of a gang provably come, or in a loop that may end earlier for some; give loops around it bounds that are the same for all
// CHECK-MEMORY: openarc-refused.c:[[#@LINE+11]]: 's' cannot be cached: it does not fit into shared memory (65536 bytes with those before, of 45056)
// CHECK-O0: openarc-refused.c:[[#@LINE+7]]: 'gang': blocks with barriers need optimization, -O1 or above
#if CASE == 2
#define LENGTH 16384
#else
#define LENGTH 64
#endif
void f(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0 : n * 64])
  for (int g = 0; g < n; ++g) {
    float s[LENGTH];
#pragma acc loop worker
    for (int i = 0; i < 64; ++i) {
      s[i] = a[g * 64 + i];
#if CASE == 0
      if (i < 32) {
#pragma acc barrier
      }
#elif CASE == 1
      for (int k = 0; k < i; ++k) {
#pragma acc barrier
        s[i] += s[k];
      }
#else
#pragma acc barrier
#endif
      a[g * 64 + i] = s[63 - i];
    }
  }
}
