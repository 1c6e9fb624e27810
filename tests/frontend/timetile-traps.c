// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies that are easily taken for others: steps together or apart, results are
// those of steps one by one.
//
// RUN: %accxcc -O1 -w -Rpass=accx %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=TILED < %t.remarks
// RUN: env ACCX_TIMETILE=1 %t | FileCheck %s
// TILED-COUNT-8: 'timetile' makes launches
// CHECK: 0 wrong
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { Most = 300, Around = 8 };
static unsigned memory[2][Most + 2 * Around], wanted[2][Most + 2 * Around];
static const unsigned coefficients[2][2] = {{3, 5}, {7, 9}};
static struct {
  unsigned first[Most], second[Most];
} fields;
static int wrong;
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define SWAP                                                                   \
  unsigned *old = a;                                                           \
  a = b;                                                                       \
  b = old;

static void fill(unsigned (*of)[Most + 2 * Around]) {
  for (int e = 0; e < Most + 2 * Around; ++e) {
    of[0][e] = e * 7919 % 1013;
    of[1][e] = e * 31 % 997;
  }
}

#define CASE(NAME, ...)                                                        \
  static void NAME(int n, int steps) {                                         \
    int k = 1;                                                                 \
    double half = n - 0.5;                                                     \
    (void)k, (void)half;                                                       \
    fill(memory), fill(wanted);                                                \
    unsigned *a = wanted[0] + Around, *b = wanted[1] + Around;                 \
    for (int t = 0; t < steps; ++t) {                                          \
      for (int x = 0; x < n; ++x)                                              \
        __VA_ARGS__ SWAP                                                       \
    }                                                                          \
    a = memory[0] + Around, b = memory[1] + Around;                            \
    PRAGMA(acc data copy(memory) copyin(coefficients)) {                       \
      PRAGMA(accx timetile(4))                                                 \
      for (int t = 0; t < steps; ++t) {                                        \
        PRAGMA(acc parallel loop)                                              \
        for (int x = 0; x < n; ++x)                                            \
          __VA_ARGS__ SWAP                                                     \
      }                                                                        \
    }                                                                          \
    if (memcmp(memory, wanted, sizeof memory)) {                               \
      printf(#NAME ": wrong for %d cells, %d steps\n", n, steps);              \
      ++wrong;                                                                 \
    }                                                                          \
  }

CASE(commas, {
  unsigned l = x > 0 ? a[x - 1] : 1, r = a[x + 1];
  b[x] = l * 3 + r * 7 + a[x];
})
CASE(signs, { b[x] = a[x - -1] * 3 + a[x + -1] * 5; })
CASE(scopes, {
  unsigned v = 0;
  {
    int k = 0;
    v += a[x + k];
  }
  b[x] = v + 3 * a[x + k];
})
CASE(narrow, {
  uint8_t r = x + 1;
  b[x] = a[r] * 3 + a[(uint8_t)(x + 1)];
})
CASE(floating, { b[x] = (x < half ? a[x + 1] : 1) * 3 + a[x]; })
CASE(rows, {
  b[x] = a[x - 1] * (unsigned)(sizeof coefficients / sizeof coefficients[0]) +
         a[x] * coefficients[1][0];
})
CASE(clampedGuard, {
  int g = x > 3 ? x : 3;
  unsigned v = 0;
  if (g > 0)
    v = a[x - 1];
  b[x] = v * 3 + a[x];
})
CASE(parentheses, {
  int g = 0;
  (g) = 1;
  b[x] = a[x + g] * 3 + a[x];
})
CASE(negation, { b[x] = (!x == 5 ? 0 : a[x + 1]) * 3 + a[x]; })
CASE(both, {
  unsigned v = a[x];
  if (x > 0 && x < n - 1)
    v += a[x - 1] + 3 * a[x + 1];
  b[x] = v;
})
CASE(inner, {
  unsigned v = 0;
  for (int d = -2; d <= 2; ++d)
    v += (d + 3) * a[x + d];
  b[x] = v;
})

/// The array that steps read is a part of what they read by another name.
static void alias(int n, int steps) {
  for (int form = 0; form < 2; ++form) {
    for (int e = 0; e < Most; ++e)
      fields.first[e] = e * 7919 % 1013, fields.second[e] = e * 31 % 997;
    unsigned *a = fields.first + 1, *b = fields.second + 1;
    if (form) {
#pragma acc data copy(fields)
      {
#pragma accx timetile(4)
        for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
          for (int x = 0; x < n; ++x)
            b[x] = a[x - 1] * 3 + fields.first[x + 1];
          SWAP
        }
      }
    } else {
      for (int t = 0; t < steps; ++t) {
        for (int x = 0; x < n; ++x)
          b[x] = a[x - 1] * 3 + fields.first[x + 1];
        SWAP
      }
      memcpy(wanted[0], &fields, sizeof wanted[0]);
    }
  }
  if (memcmp(wanted[0], &fields, sizeof wanted[0])) {
    printf("alias: wrong for %d cells, %d steps\n", n, steps);
    ++wrong;
  }
}

int main(void) {
  void (*const all[])(int, int) = {commas,   signs, scopes,       narrow,
                                   floating, rows,  clampedGuard, parentheses,
                                   negation, both,  inner,        alias};
  const int cells[] = {1, 31, 290}, steps[] = {0, 3, 4, 9, 12};
  for (unsigned f = 0; f < sizeof all / sizeof *all; ++f)
    for (unsigned c = 0; c < 3; ++c)
      for (unsigned s = 0; s < 5; ++s)
        all[f](cells[c], steps[s]);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
