// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that conditions at edges choose: each is a load under the condition,
// and the element that is loaded anyway is not loaded again, or LLVM would make
// one load of a chosen address of the two, which for vectors is a gather.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK: phi float [ [[OWN:%[0-9]+]], %
// CHECK: phi float [ [[OWN]], %
void f(int n, float *restrict a, float *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i) {
    int e = i == n - 1 ? i : i + 1, w = i == 0 ? i : i - 1;
#pragma accx smc FETCH_CHANNEL(a[i : 1 : 1]) block(16)
    {
      float v = a[i] + 2 * a[e] + 3 * a[w];
      a[i] = v;
      b[i] = v;
    }
  }
}

#ifdef MAIN
int main(void) {
  static float a[1000], b[1000];
  const int sizes[] = {1, 2, 16, 17, 200, 1000};
  int bad = 0;
  for (int s = 0; s < 6; ++s) {
    const int n = sizes[s];
    for (int i = 0; i < n; ++i)
      a[i] = (float)(i * i % 97);
    f(n, a, b);
    for (int i = 0; i < n; ++i) {
      const int e = i == n - 1 ? i : i + 1, w = i == 0 ? i : i - 1;
      bad |= b[i] != (float)(i * i % 97 + 2 * (e * e % 97) + 3 * (w * w % 97));
    }
  }
  return bad;
}
#endif
