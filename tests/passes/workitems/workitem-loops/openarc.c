// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenARC's nests on processors: the gang's object is the thread's, regions
// between barriers are loops; a barrier that not all come to is refused.
//
// RUN: %device %s | %plan 2>&1 >/dev/null | FileCheck %s
// RUN: %device -DBAD %s | not %plan 2>&1 >/dev/null | FileCheck %s --check-prefix=CHECK-BAD
// CHECK: block 1 x 64
// CHECK: stop: barrier, all
// CHECK-NOT: stop
// CHECK-BAD: openarc.c:[[#@LINE+3]]: 'gang': the iterations of a block cannot run together: iterations of a block may disagree on reaching it
// clang-format off
void f(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0:n * 64])
  for (int g = 0; g < n; ++g) {
    float s[8][8];
#pragma acc loop worker
    for (int i = 0; i < 8; ++i)
#pragma acc loop worker
      for (int j = 0; j < 8; ++j) {
        s[i][j] = a[g * 64 + i * 8 + j];
#pragma acc barrier
#ifdef BAD
        if (j < 4) {
#pragma acc barrier
        }
#endif
        a[g * 64 + i * 8 + j] = s[j][i];
      }
  }
}
