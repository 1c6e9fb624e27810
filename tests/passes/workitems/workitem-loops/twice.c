// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition that is asked twice, around a value and where that is used, says
// which work-items have something to do: what others would leave in variables
// nobody looks at.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK: wi.whole:
// CHECK: icmp slt i64 %{{.*}}, 60{{$}}
void f(int n, float *restrict a, float *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i) {
    int o = i & 63;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(64)
    {
      a[i] = a[i] * 2;
      int inside = o > 1 && o < 62 && i < n - 1;
      float v = 0;
      if (inside)
        v = a[i - 1] + a[i + 1];
      if (inside)
        b[i] = v;
    }
  }
}

#ifdef MAIN
int main(void) {
  static float a[1000], b[1000];
  const int sizes[] = {1, 2, 63, 64, 65, 128, 200, 1000};
  int bad = 0;
  for (int s = 0; s < 8; ++s) {
    const int n = sizes[s];
    for (int i = 0; i < n; ++i) {
      a[i] = (float)(i * i % 97);
      b[i] = -1;
    }
    f(n, a, b);
    for (int i = 0; i < n; ++i) {
      const int o = i & 63, inside = o > 1 && o < 62 && i < n - 1;
      const int sum = (i - 1) * (i - 1) % 97 + (i + 1) * (i + 1) % 97;
      bad |= b[i] != (inside ? 2.0f * (float)sum : -1.0f);
    }
  }
  return bad;
}
#endif
