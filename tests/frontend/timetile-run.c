// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of several steps (`accx timetile`) leave arrays and pointers as
// steps one by one do. On processors they are made on request alone, and
// nowhere where an array that is read may be one that is written, or is not
// mapped.
//
// RUN: %accxcc -O2 %s -o %t
// RUN: env ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefix=APART
// RUN: env ACCX_STATS=1 ACCX_TIMETILE=0 %t 2>&1 | FileCheck %s --check-prefix=APART
// RUN: env ACCX_STATS=1 ACCX_TIMETILE=1 %t 2>&1 | FileCheck %s --check-prefix=TILED
// RUN: env ACCX_STATS=1 ACCX_TIMETILE=1 %t alias 2>&1 | FileCheck %s --check-prefix=APART
// RUN: env ACCX_STATS=1 ACCX_TIMETILE=1 %t absent 2>&1 | FileCheck %s --check-prefix=APART
// RUN: env ACCX_STATS=1 ACCX_TIMETILE=1 %t one 2>&1 | FileCheck %s --check-prefix=TILED
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ACCX_TIMETILE=1 %t | FileCheck %s
//
// Twelve steps of four: three launches and the last step.
// TILED: right
// TILED-NEXT: launches=4 h2d
// APART: right
// APART-NEXT: launches=12 h2d
// CHECK: right
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Rows = 60, Columns = 75, All = Rows * Columns, Steps = 12 };

static void step(const int *a, int *b, const int *p, int t) {
  for (int y = 1; y < Rows - 1; ++y)
    for (int x = 0; x < Columns; ++x)
      b[y * Columns + x] =
          ((a[(y - 1) * Columns + x] + 2 * a[(y + 1) * Columns + x] +
            3 * a[y * Columns + (x ? x - 1 : 0)] + p[y * Columns + x] + t) &
           1023);
}

static void steps(int **first, int **second, const int *p, size_t mapped) {
  int *a = *first, *b = *second;
  (void)mapped;
#pragma accx timetile(4)
  for (int t = 0; t < Steps; ++t) {
#pragma acc parallel loop collapse(2) copy(a[0 : All], b[0 : All])             \
    copyin(p[0 : mapped])
    for (int y = 1; y < Rows - 1; ++y)
      for (int x = 0; x < Columns; ++x)
        b[y * Columns + x] =
            ((a[(y - 1) * Columns + x] + 2 * a[(y + 1) * Columns + x] +
              3 * a[y * Columns + (x ? x - 1 : 0)] + p[y * Columns + x] + t) &
             1023);
    int *old = a;
    a = b;
    b = old;
  }
  *first = a;
  *second = b;
}

int main(int count, char **words) {
  const int isAlias = count > 1 && !strcmp(words[1], "alias"),
            isAbsent = count > 1 && !strcmp(words[1], "absent"),
            isOne = count > 1 && !strcmp(words[1], "one");
  int *memory = malloc(2 * All * sizeof(int)),
      *other = malloc(All * sizeof(int)),
      *wanted = malloc(3 * All * sizeof(int));
  for (int i = 0; i < 2 * All; ++i)
    wanted[i] = memory[i] = i * 7919 % 1013;
  for (int i = 0; i < All; ++i)
    wanted[2 * All + i] = other[i] = i % 17;
  int *a = memory, *b = memory + All, *wa = wanted, *wb = wanted + All;
  const int *p = isAlias ? b : other, *wp = isAlias ? wb : wanted + 2 * All;
  for (int t = 0; t < Steps; ++t) {
    step(wa, wb, wp, t);
    int *old = wa;
    wa = wb;
    wb = old;
  }
  if (isOne) {
#pragma acc data copy(memory[0 : 2 * All]) copyin(other[0 : All])
    steps(&a, &b, p, All);
  } else if (isAbsent) {
    steps(&a, &b, p, All);
  } else {
#pragma acc data copy(a[0 : All], b[0 : All]) copyin(other[0 : All])
    steps(&a, &b, p, All);
  }
  if (!memcmp(memory, wanted, 2 * All * sizeof(int)) &&
      (a == memory) == (wa == wanted))
    printf("right\n"), fflush(stdout);
  return 0;
}
