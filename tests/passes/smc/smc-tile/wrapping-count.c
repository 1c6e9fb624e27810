// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's own flattened loop whose count wraps: n * 7 is 100 modulo 2^64.
// There are no rows of 7, the last one has 2. Signed counts do not wrap, and
// then there are.
//
// RUN: not %simt %s %t -DBLOCK='block(4, 4)' 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %simt %s %t -DBLOCK='block(16)' -DHERE=i && %t | FileCheck %s
// RUN: %simt %s %t -DBLOCK='block(4, 4)' -DSIGNED -Rpass=smc-tile 2>&1 | FileCheck %s --check-prefix=SIGNED
// RUN: %t | FileCheck %s
// ROWS: wrapping-count.c:{{[0-9]+}}: 'a' cannot be cached: blocks of that
// SIGNED: 'a' cached: {{.*}} for blocks of 16 threads
// CHECK: RESULT ok
#include <stdio.h>
#include <stdlib.h>

#ifdef SIGNED
typedef long Count;
#else
typedef unsigned long Count;
#endif

#ifndef HERE
#define HERE (r * M + c)
#endif

enum { M = 7, Size = 140 };

static void add(Count n, const double *restrict a, double *restrict b) {
#pragma acc parallel loop copyin(a[0 : Size]) copy(b[0 : Size])
  for (Count i = 0; i < n * M; ++i) {
    Count r = i / M, c = i % M;
#define PRAGMA(X) _Pragma(#X)
#define FCW(SHAPE) PRAGMA(acc fcw FETCH_CHANNEL(a [HERE:1:1]) SHAPE)
    FCW(BLOCK) {
      double s = a[HERE];
      if (c > 0)
        s += a[HERE - 1];
      if (c + 1 < M)
        s += a[HERE + 1];
      b[HERE] = s;
    }
  }
}

static int check(Count n, int count) {
  double a[Size], b[Size];
  int bad = 0;
  for (int i = 0; i < Size; ++i)
    a[i] = (double)i * i, b[i] = -1;
  add(n, a, b);
  for (int i = 0; i < Size; ++i) {
    double s = a[i];
    s += i % M ? a[i - 1] : 0;
    s += i % M + 1 < M ? a[i + 1] : 0;
    bad += b[i] != (i < count ? s : -1);
  }
  return bad;
}

int main(void) {
  int bad = check(Size / M, Size);
#ifndef SIGNED
  unsigned long inverse = 1; // of 7, modulo 2^64
  for (int k = 0; k < 7; ++k)
    inverse *= 2 - M * inverse;
  bad += check(inverse * 100, 100);
#endif
  printf(bad ? "RESULT %d bad\n" : "RESULT ok\n", bad);
  return bad != 0;
}
