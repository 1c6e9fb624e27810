// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups with gaps of pointers are loads of whole registers, too.
//
// RUN: %plainclang -O2 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mprefer-vector-width=512 -fpass-plugin=%accx_plugin -Rpass=simd-remainder -DKERNEL -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: %plainclang -O2 -march=native -fpass-plugin=%accx_plugin %s -o %t && %t
// RUN: %plainclang -O3 -march=native -mprefer-vector-width=512 -fpass-plugin=%accx_plugin %s -o %t && %t

// CHECK: remark
// CHECK-LABEL: define{{.*}} @distances
struct part {
  float *at;
  int first, last;
  float *more;
};
__attribute__((noinline)) void distances(long *restrict out,
                                         const struct part *restrict p,
                                         const float *base, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = p[i].at - base;
}
__attribute__((noinline)) void pointers(float **restrict out,
                                        float *const *restrict p, long n) {
  for (long i = 0; i < n; ++i)
    out[i] = p[3 * i] + (p[3 * i + 1] - p[3 * i]) / 2;
}

#ifndef KERNEL
static float room[1000];
int main(void) {
  static struct part p[301];
  static float *q[903], *middle[301];
  static long out[301];
  int bad = 0;
  for (int i = 0; i < 301; ++i)
    p[i].at = room + (i * 7 + 3) % 1000, p[i].first = i, p[i].more = 0;
  for (int i = 0; i < 903; ++i)
    q[i] = room + (i * 11 + 5) % 1000;
  for (int n = 0; n <= 301; n += n < 40 ? 1 : 87) {
    distances(out, p, room, n);
    pointers(middle, q, n);
    for (int i = 0; i < n; ++i)
      bad |= out[i] != (i * 7 + 3) % 1000 ||
             middle[i] != q[3 * i] + (q[3 * i + 1] - q[3 * i]) / 2;
  }
  return bad;
}
#endif
