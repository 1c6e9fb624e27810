// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `accx timetile` may not say.
//
// RUN: not %accxcc -O1 -fsyntax-only -Rpass-missed=accx %s 2>&1 | FileCheck %s
#define LOOP                                                                   \
  for (int t = 0; t < steps; ++t) {                                            \
    _Pragma("acc parallel loop") for (int i = 1; i < n - 1; ++i) b[i] =        \
        a[i - 1] + a[i + 1];                                                   \
    float *old = a;                                                            \
    a = b;                                                                     \
    b = old;                                                                   \
  }

void f(float *a, float *b, int n, int steps) {
  // CHECK: timetile-bad.c:[[#@LINE+14]]:22: error: expected '(' after 'timetile'
  // CHECK: note: write 'timetile(n)' with the number of steps of a launch
  // CHECK: timetile-bad.c:[[#@LINE+1]]:22: error: the steps of 'timetile' must be a number from 1 to 64
#pragma accx timetile(steps)
  LOOP;
  // CHECK: timetile-bad.c:[[#@LINE+1]]:22: error: the steps of 'timetile' must be a number from 1 to 64
#pragma accx timetile(100)
  LOOP;
  // CHECK: timetile-bad.c:[[#@LINE+1]]:14: remark: each step stays a launch of its own: 8 steps read 16 cells around a block of 16: write fewer steps, or a larger 'block'
#pragma accx timetile(8) block(16)
  LOOP;
  // CHECK: timetile-bad.c:[[#@LINE+1]]:26: error: 'block' of 'timetile' must have a number for each loop of the construct
#pragma accx timetile(8) block(16, 16)
  LOOP;
#pragma accx timetile
  LOOP;
}
