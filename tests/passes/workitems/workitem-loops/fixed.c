// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the work-items of a whole block declare a constant number of elements,
// its copy is at a constant place, and accesses that follow the work-item's
// place are at constants of it, so that vectors keep it. Others find it, too.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O3 -march=native -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %host -O3 -march=native -DMAIN -DINDEX %s -o %t && env OMP_NUM_THREADS=2 %t

// CHECK: getelementptr i8, ptr %wi.fixed, i64
void f(int n, int *restrict a, int *b, const int *p) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n], p[ : n])
  for (int i = 0; i < n; ++i) {
    int o = i & 63, tile = i >> 6, first = i - o;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(64)
    {
#ifdef INDEX
      int sum = a[first + p[o]];
      a[i] = sum;
#endif
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
  static int a[1024], b[1024], p[1024];
  const int sizes[] = {64, 65, 200, 1000};
  int bad = 0;
  for (int s = 0; s < 4; ++s) {
    const int n = sizes[s];
    for (int i = 0; i < n; ++i) {
      a[i] = i * i % 97 - 40;
      p[i] = 0;
    }
    f(n, a, b, p);
    for (int t = 0; t * 64 < n; ++t) {
      int sum = 0;
      for (int i = t * 64; i < n && i < t * 64 + 64; ++i)
#ifdef INDEX
        sum += a[t * 64];
#else
        sum += a[i];
#endif
      bad |= b[t] != sum;
    }
  }
  return bad;
}
#endif
