// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of the body that a loop with a write sets under a condition is one
// array, however often its ways meet: what joins them is no code. `v`, `hit`
// and the sum that is never the same for both sides are three, what is to be
// written a fourth; a fifth says who writes. Whole blocks have theirs, others
// have theirs.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DRUN %s -o %t && %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK-NOT: wi.waiting
// CHECK-COUNT-3: %wi.held{{.*}} = alloca [64 x i32]
// CHECK-NEXT: %wi.held{{.*}} = alloca [64 x i8]
// CHECK-NEXT: %wi.held{{.*}} = alloca [64 x i32]
// CHECK-COUNT-3: %wi.held{{.*}} = alloca [64 x i32]
// CHECK-NEXT: %wi.held{{.*}} = alloca [64 x i8]
// CHECK-NEXT: %wi.held{{.*}} = alloca [64 x i32]
// CHECK-NEXT: %wi.fixed
// CHECK-NOT: alloca [64 x
// CHECK: ret void
void f(int n, int steps, int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i) {
    int v = b[i], hit = 0, other = b[i] * 3;
#pragma accx smc FETCH_CHANNEL(a[i : 1 : 1]) block(64)
    for (int k = 0; k < steps; ++k) {
      if (i > 0 && a[i - 1] > k) {
        v = a[i] + a[i - 1] + other;
        a[i] = v;
        hit = hit + 1;
      }
      other += v;
    }
    b[i] = v + 100 * hit + other;
  }
}

#ifdef RUN
#include <stdlib.h>
#include <string.h>

// Block by block, step by step.
static void want(int n, int steps, const int *a, int *b) {
  for (int first = 0; first < n; first += 64) {
    int c[66], old[66], v[64], hit[64] = {0}, other[64];
    int size = n - first < 64 ? n - first : 64;
    for (int j = 0; j < size + 2; ++j) {
      int at = first + j - 1;
      c[j] = at >= 0 && at < n ? a[at] : 0;
    }
    for (int j = 0; j < size; ++j) {
      v[j] = b[first + j];
      other[j] = b[first + j] * 3;
    }
    for (int k = 0; k < steps; ++k) {
      memcpy(old, c, sizeof c);
      for (int j = 0; j < size; ++j) {
        if (first + j > 0 && old[j] > k) {
          c[j + 1] = v[j] = old[j + 1] + old[j] + other[j];
          ++hit[j];
        }
        other[j] += v[j];
      }
    }
    for (int j = 0; j < size; ++j)
      b[first + j] = v[j] + 100 * hit[j] + other[j];
  }
}

int main(void) {
  int sizes[] = {1, 63, 64, 65, 200, 1000}, bad = 0;
  for (int s = 0; s < 6; ++s) {
    int n = sizes[s];
    int *a = malloc(4ul * n), *b = malloc(4ul * n), *x = malloc(4ul * n);
    for (int i = 0; i < n; ++i) {
      a[i] = (i * 7919) % 13 - 4;
      b[i] = x[i] = i % 5;
    }
    want(n, 5, a, x);
    f(n, 5, a, b);
    bad |= memcmp(b, x, 4ul * n) != 0;
    free(a), free(b), free(x);
  }
  return bad;
}
#endif
