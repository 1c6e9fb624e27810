// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of one step is straight code, too: what it writes for a step that does
// not come is gone, and with it the copy. With two steps both are there.
//
// RUN: %device %s -DSTEPS=1 | %plan 2>&1 >/dev/null | FileCheck %s
// RUN: %device %s -DSTEPS=2 | %plan 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=CHECK-TWO
// RUN: %host -O1 -DMAIN -DSTEPS=1 %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %host -O3 -march=native -DMAIN -DSTEPS=1 %s -o %t && %t
// RUN: %host -O1 -DMAIN -DSTEPS=2 %s -o %t && env OMP_NUM_THREADS=2 %t

// CHECK: block 64
// CHECK-NOT: copy
// CHECK-NOT: stop
// CHECK-TWO: copy of {{.*}} 'a'
// CHECK-TWO-DAG: stop: begin, all
// CHECK-TWO-DAG: stop: write, all
void f(int n, int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i) {
    int v = 0, w = i % 64;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(64)
    for (int k = 0; k < STEPS; ++k) {
      if (w > k && w < 63 - k && i < n - 1 - k)
        v = a[i - 1] + 2 * a[i + 1];
      if (k == STEPS - 1)
        break;
      a[i] = v;
    }
    b[i] = v;
  }
}

#ifdef MAIN
#include <stdlib.h>

/// Element \p i behind step \p k.
static int at(int n, const int *a, int i, int k) {
  const int w = i % 64;
  if (k < 0)
    return a[i];
  if (w > k && w < 63 - k && i < n - 1 - k)
    return at(n, a, i - 1, k - 1) + 2 * at(n, a, i + 1, k - 1);
  return k > 0 ? at(n, a, i, k - 1) : 0;
}

int main(void) {
  const int sizes[] = {1, 2, 63, 64, 65, 200, 1000};
  int bad = 0;
  for (int s = 0; s < 7; ++s) {
    const int n = sizes[s];
    int *a = malloc(4 * n), *b = malloc(4 * n);
    for (int i = 0; i < n; ++i)
      a[i] = i * i % 97;
    int *old = malloc(4 * n);
    for (int i = 0; i < n; ++i)
      old[i] = a[i];
    f(n, a, b);
    for (int i = 0; i < n; ++i)
      bad |= b[i] != at(n, old, i, STEPS - 1);
    free(a), free(b), free(old);
  }
  return bad;
}
#endif
