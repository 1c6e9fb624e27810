// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of writes on different sides of a condition those come first that stand first
// in the program, also those of other arrays, and whichever way round the
// condition is compiled: what the first side reads the other has not written.
//
// RUN: %simt %s %t && %t | FileCheck %s
// RUN: %host -O1 %s -o %t.host && env OMP_NUM_THREADS=2 %t.host | FileCheck %s
// CHECK: RESULT ok
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, Block = 64 };

static int at(const int *x, int i) { // of the own block
  return i >= 0 && i < N ? x[i] : 0;
}

#define KERNEL(NAME, TEST, THEN, ELSE)                                         \
  static void NAME(int n, int *restrict a, int *restrict c) {                  \
    _Pragma("acc parallel loop copy(a[0:n], c[0:n])") for (int i = 0; i < n;   \
                                                           ++i) {              \
      int w = i % Block;                                                       \
      _Pragma("acc fcw FETCH_CHANNEL_WB(a[i:1:1], c[i:1:1]) block(64)") {      \
        if (TEST) {                                                            \
          THEN                                                                 \
        } else {                                                               \
          ELSE                                                                 \
        }                                                                      \
      }                                                                        \
    }                                                                          \
  }
#define RIGHT(X) (w < Block - 1 && i + 1 < n ? X[i + 1] : 3)
#define LEFT(X) (w > 0 ? X[i - 1] : 5)

// clang-format off
KERNEL(oneArray, i % 2 == 0,
       a[i] = 1; a[i] = RIGHT(a) + LEFT(a);,
       a[i] = 7; a[i] = LEFT(a) + 1;)
KERNEL(otherFirst, i % 2 == 0,
       a[i] = 1; a[i] = RIGHT(c) + LEFT(c);,
       c[i] = 7; c[i] = LEFT(a) + 1;)
KERNEL(otherLast, i % 2 == 0,
       c[i] = 1; c[i] = RIGHT(a) + LEFT(a);,
       a[i] = 7; a[i] = LEFT(c) + 1;)
KERNEL(inverted, i % 2 != 0,
       c[i] = 1; a[i] = RIGHT(c) + LEFT(a);,
       c[i] = 7; a[i] = LEFT(c) + RIGHT(a);)
KERNEL(nested, i % 2 == 0,
       if (i % 4 == 0) { c[i] = LEFT(c); a[i] = RIGHT(a); }
       else { a[i] = 2; c[i] = LEFT(a) + RIGHT(c); },
       c[i] = 9; a[i] = RIGHT(c); c[i] = LEFT(a);)
// clang-format on

/// Work-items that a step is of.
typedef int (*Is)(int);
static int even(int i) { return i % 2 == 0; }
static int odd(int i) { return i % 2 != 0; }
static int fourth(int i) { return i % 4 == 0; }
static int second(int i) { return i % 4 == 2; }

static int right(const int *x, int i) {
  return i % Block < Block - 1 && i + 1 < N ? at(x, i + 1) : 3;
}
static int left(const int *x, int i) {
  return i % Block > 0 ? at(x, i - 1) : 5;
}

/// All of a step read, then all write: x = value + l(left) + r(right).
static void step(Is is, int *x, int value, const int *l, const int *r) {
  int was[N];
  for (int i = 0; i < N; ++i)
    if (is(i))
      was[i] = value + (l ? left(l, i) : 0) + (r ? right(r, i) : 0);
  for (int i = 0; i < N; ++i)
    if (is(i))
      x[i] = was[i];
}

static int bad;
static void run(const char *name, void (*kernel)(int, int *, int *), int *ea,
                int *ec) {
  int *a = malloc(4 * N), *c = malloc(4 * N);
  for (int i = 0; i < N; ++i) {
    a[i] = i * 3;
    c[i] = 1000 - i;
  }
  kernel(N, a, c);
  for (int i = 0; i < N; ++i)
    if (a[i] != ea[i] || c[i] != ec[i]) {
      printf("%s: %d is %d, %d, not %d, %d\n", name, i, a[i], c[i], ea[i],
             ec[i]);
      bad = 1;
      break;
    }
  for (int i = 0; i < N; ++i) {
    ea[i] = i * 3;
    ec[i] = 1000 - i;
  }
  free(a), free(c);
}

int main(void) {
  int a[N], c[N];
  for (int i = 0; i < N; ++i) {
    a[i] = i * 3;
    c[i] = 1000 - i;
  }
  step(even, a, 1, 0, 0), step(even, a, 0, a, a);
  step(odd, a, 7, 0, 0), step(odd, a, 1, a, 0);
  run("oneArray", oneArray, a, c);
  step(even, a, 1, 0, 0), step(even, a, 0, c, c);
  step(odd, c, 7, 0, 0), step(odd, c, 1, a, 0);
  run("otherFirst", otherFirst, a, c);
  step(even, c, 1, 0, 0), step(even, c, 0, a, a);
  step(odd, a, 7, 0, 0), step(odd, a, 1, c, 0);
  run("otherLast", otherLast, a, c);
  step(odd, c, 1, 0, 0), step(odd, a, 0, a, c);
  step(even, c, 7, 0, 0), step(even, a, 0, c, a);
  run("inverted", inverted, a, c);
  step(fourth, c, 0, c, 0), step(fourth, a, 0, 0, a);
  step(second, a, 2, 0, 0), step(second, c, 0, a, c);
  step(odd, c, 9, 0, 0), step(odd, a, 0, 0, c), step(odd, c, 0, a, 0);
  run("nested", nested, a, c);
  puts(bad ? "RESULT BAD" : "RESULT ok");
  return bad;
}
