// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rest of a loop of whole vectors is code that nothing leads to. It goes
// while the loop ahead is changed, with a loop that was to be changed, too.
//
// RUN: %plainclang -O3 -mavx512f -mavx512bw -mavx512vl -mavx512dq -fpass-plugin=%accx_plugin -Rpass='simd-function|simd-remainder' -S -emit-llvm %s -o - 2>&1 | FileCheck %s

// CHECK: vectorized outer loop with 32 lanes
// CHECK: remainder is
// CHECK: define{{.*}} @f
void f(double (*restrict a)[140][160], double (*restrict c)[160],
       double *restrict sum) {
  for (int i = 0; i < 150; ++i)
    for (int j = 0; j < 140; ++j)
      for (int k = 0; k < 160; ++k)
        a[i][j][k] = (double)((i * j + k) % 160) / 160;
  for (int r = 0; r < 150; ++r)
    for (int q = 0; q < 140; ++q) {
      for (int p = 0; p < 160; ++p) {
        sum[p] = 0;
        for (int s = 0; s < 160; ++s)
          sum[p] += a[r][q][s] * c[s][p];
      }
      for (int p = 0; p < 160; ++p)
        a[r][q][p] = sum[p];
    }
}
