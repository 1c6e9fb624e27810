// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each of many unrolled steps needs is not moved out of the loop over
// blocks, where registers would have to hold it for all of them.
//
// RUN: %device -DSTEPS=20 %s | %smc-tile | FileCheck %s
// RUN: %device -DSTEPS=12 %s | %smc-tile | FileCheck %s --check-prefix=CHECK-FEW
// CHECK: !{!"llvm.licm.disable"}
// CHECK-FEW-NOT: licm.disable

void path(int n, int first, int *restrict a, int *b, const int *restrict data) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n])         \
    map(tofrom : b[ : n]) map(to : data[ : n * 64])
  for (int p = 0; p < n; ++p) {
    int i = p - (p / 256 * 2 * STEPS + STEPS), place = p % 256, value = 0;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(256)
    for (int k = 0; k < STEPS; ++k)
      if (place > k && place < 255 - k && i > 0 && i < n - 1) {
        int least = a[i] < a[i - 1] ? a[i] : a[i - 1];
        value = data[(long)(first + k) * n + i] +
                (least < a[i + 1] ? least : a[i + 1]);
        a[i] = value;
      }
    if (place > STEPS && place < 255 - STEPS && i > 0 && i < n - 1)
      b[i] = value;
  }
}
