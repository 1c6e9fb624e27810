// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and conditions that are the same for all work-items stand outside of
// the loops over them; a write in them is a stop that all reach. Nobody reads
// the copy behind the last write but its own next step. So is a write under a
// condition that work-items disagree on, if it has one side; of two sides some
// reach one, some the other.
//
// RUN: %device %s | %plan 2>&1 >/dev/null | FileCheck %s
// RUN: %device -DDIVERGENT %s | %plan 2>&1 >/dev/null | FileCheck %s --check-prefix=CHECK-SOME
// RUN: %device -DONE %s | %plan 2>&1 >/dev/null | FileCheck %s --check-prefix=CHECK-ONE
// CHECK: block 16 x 8
// CHECK-NEXT: copy of {{.*}}'a', 2 dimensions of 8 bytes
// CHECK-NEXT: stop: write, all
// CHECK: stop: join, all
// CHECK-NOT: , some
// CHECK-SOME: stop: write, some
// CHECK-SOME: stop: join, all
// CHECK-ONE: stop: write, all
// CHECK-ONE-NOT: , some
void f(int n, int m, int steps, double (*restrict a)[m], double (*b)[m]) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
#pragma accx smc FETCH_CHANNEL(a[i : 1 : 1][j : 1 : 1]) block(16, 8)
      for (int k = 0; k < steps; ++k)
#ifdef DIVERGENT
        if (i + k < n)
          a[i][j] = a[i][j] * 2;
        else
          a[i][j] = 1;
#elif defined ONE
        if (i + k < n)
          a[i][j] = a[i][j] * 2;
#else
        if (k != steps / 2)
          a[i][j] = a[i][j] * 2;
#endif
      b[i][j] = a[i][j];
    }
}
