// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests whose outer loops are innermost in memory compute the same in either
// order: all spellings, two and three loops, bounds and steps, no iterations,
// and numbers of iterations that are no products.
//
// RUN: %simt %s %t -Rpass=grid-order -Rpass-missed=grid-order 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks
// RUN: %t | FileCheck %s
// RUN: %simt %s %t.off -mllvm -accx-grid-order=0
// RUN: %t.off | FileCheck %s
//
// REMARKS-COUNT-14: collapsed loops have another one innermost
// REMARKS-NOT: keep their order
// CHECK: 25 sizes, 0 wrong

#include <stdio.h>
#include <string.h>

enum { Cells = 40000, Fixed = 31 };
static int a[Cells], b[Cells], c[Cells];
static long total, expected;

/// A case is a function of extents, on the device and, without directives, on
/// the host.
#define CASE(NAME, TYPE, DIRECTIVE, ...)                                       \
  static void NAME##OnDevice(TYPE n, TYPE m, TYPE l) {                         \
    int *out = b;                                                              \
    long sum = 0;                                                              \
    PRAGMA DIRECTIVE __VA_ARGS__ total = sum;                                  \
  }                                                                            \
  static void NAME##OnHost(TYPE n, TYPE m, TYPE l) {                           \
    int *out = c;                                                              \
    long sum = 0;                                                              \
    __VA_ARGS__ expected = sum;                                                \
  }
#define PRAGMA(...) WITH(__VA_ARGS__)
#define WITH(...) _Pragma(#__VA_ARGS__)
#define ON                                                                     \
  omp target teams distribute parallel for map(to : a) map(tofrom : out[:Cells])

CASE(ints, int, (ON collapse(2)),
     for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j)
         out[j * n + i] = a[j * n + i] + 1;)
CASE(longs, long, (ON collapse(2)),
     for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j)
         out[j * n + i] = a[j * n + i] + 2;)
CASE(sizes, unsigned long, (ON collapse(2)),
     for (unsigned long i = 0; i < n; ++i) for (unsigned long j = 0; j < m; ++j)
         out[j * n + i] = a[j * n + i] + 3;)
CASE(unsigneds, unsigned, (ON collapse(2)),
     for (unsigned i = 0; i < n; ++i) for (unsigned j = 0; j < m; ++j)
         out[j * n + i] = a[j * n + i] + 4;)
CASE(shorts, short, (ON collapse(2)),
     for (short i = 0; i < n; ++i) for (short j = 0; j < m; ++j)
         out[j * n + i] = a[j * n + i] + 5;)
CASE(fixed, int, (ON collapse(2)),
     for (int i = 1; i < Fixed - 1; ++i) for (int j = 1; j < Fixed - 1; ++j)
         out[j * Fixed + i] = a[(j - 1) * Fixed + i] + a[(j + 1) * Fixed + i] +
                              a[j * Fixed + i - 1] + a[j * Fixed + i + 1];)
CASE(outermost, int, (ON collapse(3)),
     for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) for (int k = 0;
                                                                  k < l; ++k)
         out[(k * m + j) * n + i] = a[(k * m + j) * n + i] + i;)
CASE(middle, long, (ON collapse(3)),
     for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) for (long k = 0;
                                                                    k < l; ++k)
         out[(i * l + k) * m + j] = a[(i * l + k) * m + j] + j;)
CASE(thirds, unsigned long, (ON collapse(3)),
     for (unsigned long i = 0; i < n; ++i) for (unsigned long j = 0; j < m;
                                                ++j) for (unsigned long k = 0;
                                                          k < l; ++k)
         out[(k * m + j) * n + i] = a[(k * m + j) * n + i] + k;)
CASE(bounds, int, (ON collapse(2)),
     for (int i = n - 1; i >= 2; i -= 3) for (int j = 1; j <= m; j += 2)
         out[j * n + i] = a[j * n + i] + 6;)
CASE(
    sums, int, (ON collapse(2) map(tofrom : sum)),
    for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) {
      out[j * n + i] = a[j * n + i];
      PRAGMA(omp atomic update)
      sum += i * 3 + j;
    })
CASE(conditions, int, (ON collapse(2)),
     for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) if ((i ^ j) & 1)
         out[j * n + i] = a[j * n + i] * 2;)
CASE(
    inside, int, (ON collapse(2)),
    for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) {
      int s = 0;
      for (int k = 0; k < 5; ++k)
        s += a[(j + k) * n + i] * a[k * n + i];
      out[j * n + i] = s;
    })
CASE(
    insideSizes, unsigned long, (ON collapse(2)),
    for (unsigned long i = 0; i < n; ++i) for (unsigned long j = 0; j < m;
                                               ++j) {
      int s = 0;
      for (unsigned long k = 0; k < 7; ++k)
        s += a[(j + k) * n + i] * a[k * n + i];
      out[j * n + i] = s;
    })
// The program's own digits: the last row need not be whole.
CASE(cells, int, (ON),
     for (int k = 0; k < n * m - m / 2; ++k)
         out[k % 7 * n + k / 7] = a[k % 7 * n + k / 7] + 8;)
CASE(
    ownRows, unsigned, (ON), for (unsigned k = 0; k < n * m; ++k) {
      unsigned i = k / m, j = k % m;
      out[j * n + i] = a[j * n + i] + 9;
    })
// Digits of a rest whose divisors are no multiples of each other.
CASE(
    uneven, int, (ON), for (int k = 0; k < n * 30; ++k) {
      int i = k / 10, j = k % 10 / 3, t = k % 10 % 3;
      out[(i * 3 + t) * 4 + j] = a[(i * 3 + t) * 4 + j] + k;
    })
CASE(
    even, int, (ON), for (int k = 0; k < n * 36; ++k) {
      int i = k / 12, j = k % 12 / 3, t = k % 12 % 3;
      out[(i * 3 + t) * 400 + j] = a[(i * 3 + t) * 400 + j] + k;
    })
// Where there are no rows nothing divides by their length.
CASE(
    guarded, int, (ON), for (int k = 0; k < n * 7; ++k) {
      int at = k;
      if (m)
        at = k % m * 7 * n / 64 + k / m % 7;
      out[at] = k;
    })

static int wrong, number;
#define TRY(NAME)                                                              \
  do {                                                                         \
    memset(b, 0, sizeof(b));                                                   \
    memset(c, 0, sizeof(c));                                                   \
    NAME##OnDevice(n, m, l);                                                   \
    NAME##OnHost(n, m, l);                                                     \
    if (memcmp(b, c, sizeof(b)) || total != expected) {                        \
      printf("%s is wrong at %d x %d x %d\n", #NAME, n, m, l);                 \
      ++wrong;                                                                 \
    }                                                                          \
  } while (0)

int main(void) {
  for (int i = 0; i < Cells; ++i)
    a[i] = i * 37 % 101;
  static const int sizes[] = {0, 1, 2, 5, 33, 64, 65};
  for (int x = 0; x < 7; ++x)
    for (int y = 0; y < 7; ++y) {
      const int n = sizes[x], m = sizes[y], l = sizes[(x * 3 + y * 5) % 5];
      if (x && y && (x + 2 * y) % 3)
        continue;
      ++number;
      TRY(ints);
      TRY(longs);
      TRY(sizes);
      TRY(unsigneds);
      TRY(shorts);
      TRY(fixed);
      TRY(sums);
      TRY(conditions);
      TRY(inside);
      TRY(insideSizes);
      TRY(bounds);
      if (m == 0)
        TRY(guarded);
      if (n < 6) {
        TRY(uneven);
        TRY(even);
      }
      if (n)
        TRY(cells);
      if (m)
        TRY(ownRows);
      if (n * m * l <= Cells) {
        TRY(outermost);
        TRY(middle);
        TRY(thirds);
      }
    }
  printf("%d sizes, %d wrong\n", number, wrong);
  return 0;
}
