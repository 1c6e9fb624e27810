// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks away from the edges of what a program works on have code without its
// conditions there: no load is under a condition, no index a choice. In blocks
// at the edges ranges of places stand for conditions.
//
// RUN: %host-device -O3 -mavx512f -mavx512vl -mprefer-vector-width=512 %s -o - | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK: load <16 x float>
// CHECK-NOT: @llvm.masked
// CHECK: store <16 x float>
void f(int n, const float *restrict a, float *restrict b, int *restrict c) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n], c[ : n])
  for (int i = 0; i < n; ++i) {
    int e = i == n - 1 ? i : i + 1, w = i == 0 ? i : i - 1;
#pragma accx smc FETCH_CHANNEL(c[i : 0 : 0]) block(64)
    {
      c[i] = 1;
      if (i >= 0 && i < n)
        b[i] = a[e] + 2 * a[i] - a[w];
    }
  }
}

#ifdef MAIN
int main(void) {
  static float a[1000], b[1000];
  static int c[1000];
  const int sizes[] = {1, 2, 64, 65, 128, 192, 193, 1000};
  int bad = 0;
  for (int s = 0; s < 8; ++s) {
    const int n = sizes[s];
    for (int i = 0; i < n; ++i)
      a[i] = (float)(i * i % 97);
    f(n, a, b, c);
    for (int i = 0; i < n; ++i)
      bad |=
          b[i] != a[i == n - 1 ? i : i + 1] + 2 * a[i] - a[i == 0 ? i : i - 1];
  }
  return bad;
}
#endif
