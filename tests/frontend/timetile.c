// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `accx timetile` makes launches of several steps where it can tell what each
// step reads and writes; else the loop is what it was, and a remark says why.
//
// RUN: %accxcc -O1 -fsyntax-only -Rpass=accx -Rpass-missed=accx %s 2>&1 | FileCheck %s
// RUN: %accxcc -O1 -Wall -Wextra -Werror -fsyntax-only %s
// RUN: %accxcc -O1 -Wall -Wextra -Werror -fsyntax-only -x c++ %s
// RUN: %accxcc -O1 -fsyntax-only -fprofile-instr-generate -Rpass-missed=accx %s 2>&1 | FileCheck %s --check-prefix=CHECK-COUNTERS
// RUN: %accxcc -O0 -fsyntax-only -Rpass-missed=accx %s 2>&1 | FileCheck %s --check-prefix=CHECK-O0
#define SWAP                                                                   \
  float *old = a;                                                              \
  a = b;                                                                       \
  b = old

#pragma acc routine seq
float effect(float);
static inline float twice(float v) { return 2 * v; }

// A border of cells that are only read; rows of n + 2 cells.
void inside(float *a, float *b, int n, int steps) {
  // CHECK: timetile.c:[[#@LINE+3]]:14: remark: 'timetile' makes launches of up to 4 steps, which read 'a' and write 'b'
  // CHECK-COUNTERS: timetile.c:[[#@LINE+2]]:14: remark: each step stays a launch of its own: the program is compiled with checks or counters in its code
  // CHECK-O0: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: the program is compiled without optimization
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop collapse(2)
    for (int y = 1; y <= n; ++y)
      for (int x = 1; x <= n; ++x)
        b[y * (n + 2) + x] =
            twice(a[(y - 1) * (n + 2) + x] + a[y * (n + 2) + x + 1]);
    SWAP;
  }
}

// The whole array: reads are clamped, guarded, or from a neighbour's constant.
void whole(float *a, float *b, const float *p, int n, int steps) {
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: 'timetile' makes launches of up to 2 steps
#pragma accx timetile(2) block(16, 32)
  for (int t = 0; t < steps; t += 2) {
#pragma acc kernels loop independent async
    for (int y = 0; y < n; ++y)
#pragma acc loop independent
      for (int x = 0; x < n; ++x) {
        const int w = x > 0 ? x - 1 : x;
        float v = a[y * n + w] + p[y * n + x] * t;
        if (y < n - 1)
          v += a[(y + 1) * n + x];
        b[y * n + x] = v;
      }
    SWAP;
  }
}

void apart(float *a, float *b, int n, int steps, float *c, volatile float *v,
           float **rows, int *count, float sum) {

  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: 'a [ ( i + 1 ) % n ]' is not beside the iteration's own element
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = a[(i + 1) % n];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: 'a [ i + 1 ]' may be outside of what the loops write, and not every iteration reads it
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = c[i] > 0 ? a[i + 1] : a[i];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: the construct is not followed by the swap of two pointers
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = a[i];
    SWAP;
    ++*count;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: it calls 'effect', which may do more than compute a value
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = effect(a[i]);
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: it assigns 'c'
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i) {
      c[i] = a[i];
      b[i] = a[i];
    }
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: it has an access that is volatile or atomic
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = a[i] + v[i];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: it has an access through what is no array's name
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[i] = a[i] + rows[i][0];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: the construct has 'reduction'
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < n; ++i)
      b[i] = a[i], sum += a[i];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: 'b' is not assigned once by every iteration
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      if (c[i] > 0)
        b[i] = a[i];
    SWAP;
  }
  // CHECK: timetile.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: 'b [ n - 1 - i ]' is not the iteration's own element
#pragma accx timetile(4)
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int i = 0; i < n; ++i)
      b[n - 1 - i] = a[i];
    SWAP;
  }
}
