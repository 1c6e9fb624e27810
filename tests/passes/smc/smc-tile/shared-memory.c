// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several arrays those that do not fit any more stay where they are, with
// what they would need; the others have their copies.
//
// RUN: %device %s | %plan 2>&1 | FileCheck %s

// CHECK: 'b' is not cached: it does not fit into shared memory (33280 bytes beside 33280 of 45056)
// CHECK: 'a': 2080 elements of 16 bytes
// CHECK: 'c': 258 elements of 4 bytes
// CHECK-NOT: 'b':
typedef struct {
  double x, y;
} pair;
void f(int n, const pair *a, const pair *b, const float *c, double *out) {
#pragma acc parallel loop copyin(a[0 : n], b[0 : n], c[0 : n])                 \
    copyout(out[0 : n])
  for (int i = 912; i < n - 912; ++i)
#pragma acc fcw FETCH_ONLY(a[i : 912 : 912], b[i : 912 : 912], c[i : 1 : 1])
    out[i] = a[i - 912].x + b[i + 912].y + c[i - 1] * c[i + 1];
}
