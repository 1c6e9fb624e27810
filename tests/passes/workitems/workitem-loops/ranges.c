// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items of which a condition says that they have nothing to do are left
// out: sums by a tree in blocks of 64 take loops of 32, 16 and so on, and no
// work-item asks whether it takes part; one writes the sum, although what the
// last step leaves of its condition has no code. Blocks at the end shorten
// them.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK-NOT: wi.waiting
// CHECK: wi.whole:
// CHECK: icmp slt i64 %{{.*}}, 32{{$}}
// CHECK: icmp slt i64 %{{.*}}, 32{{$}}
// CHECK: icmp slt i64 %{{.*}}, 16{{$}}
// CHECK: icmp slt i64 %{{.*}}, 16{{$}}
// CHECK: icmp slt i64 %{{.*}}, 8{{$}}
// CHECK: icmp slt i64 %{{.*}}, 8{{$}}
// CHECK: icmp slt i64 %{{.*}}, 4{{$}}
// CHECK: icmp slt i64 %{{.*}}, 4{{$}}
// CHECK: icmp slt i64 %{{.*}}, 2{{$}}
// CHECK: icmp slt i64 %{{.*}}, 2{{$}}
// CHECK: icmp slt i64 %{{.*}}, 1{{$}}
// CHECK: icmp slt i64 %{{.*}}, 1{{$}}
// CHECK: icmp slt i64 %{{.*}}, 1{{$}}
// CHECK-NOT: icmp slt i64 %{{.*}}, 64{{$}}
void f(int n, int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i) {
    int o = i & 63, tile = i >> 6;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(64)
    {
      for (int h = 32; h > 0; h >>= 1)
        if (o < h && i + h < n)
          a[i] = a[i] + a[i + h];
      if (o == 0)
        b[tile] = a[i];
    }
  }
}

#ifdef MAIN
int main(void) {
  static int a[1000], b[1000];
  const int sizes[] = {1, 2, 63, 64, 65, 200, 1000};
  int bad = 0;
  for (int s = 0; s < 7; ++s) {
    const int n = sizes[s];
    for (int i = 0; i < n; ++i)
      a[i] = i * i % 97 - 40;
    f(n, a, b);
    for (int t = 0; t * 64 < n; ++t) {
      int sum = 0;
      for (int i = t * 64; i < n && i < t * 64 + 64; ++i)
        sum += a[i];
      bad |= b[t] != sum;
    }
  }
  return bad;
}
#endif
