// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `o ^ 32` is consecutive for 32 places in a row, and `o & 32` the same: loops
// over strips of so many need no gathers.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && %t

// CHECK: wi.whole:
// CHECK: %{{.*}} = mul nuw nsw i64 %{{.*}}, 32
// CHECK: xor i32 %{{.*}}, 32
// CHECK: icmp slt i64 %{{.*}}, 2{{$}}
// CHECK: icmp slt i64 %{{.*}}, 32{{$}}
void f(int n, float *restrict a, float *restrict b) {
#pragma omp target teams distribute parallel for map(a[ : n * 64], b[ : n * 64])
  for (int i = 0; i < n * 64; ++i) {
    int o = i & 63, first = i - o;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(64)
    {
      a[i] = a[i] * 2;
      float other = a[first + (o ^ 32)];
      b[i] = o & 32 ? other - a[i] : a[i] + other;
    }
  }
}

#ifdef MAIN
int main(void) {
  static float a[640], b[640];
  for (int i = 0; i < 640; ++i)
    a[i] = (float)(i * i % 97);
  f(10, a, b);
  int bad = 0;
  for (int i = 0; i < 640; ++i) {
    float own = 2 * a[i], other = 2 * a[i ^ 32];
    bad |= b[i] != (i & 32 ? other - own : own + other);
  }
  return bad;
}
#endif
