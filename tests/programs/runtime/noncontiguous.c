// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided updates: the right elements and no others, in as few transfers as
// the shape allows. (Clang 19 describes a section with a stride wrongly if it
// starts above 0 or is in the outermost dimension.)
//
// RUN: %clang -g -fopenmp-version=51 %s -o %t
// RUN: bash -c 'for c in whole rows planes strided box columns; do %run ACCX_STATS=1 %t $c > %t.out 2>&1 && FileCheck %s --check-prefix=CHECK-$c --input-file %t.out || exit 1; done'
// RUN: bash -c 'for c in whole rows planes strided box columns; do %run ACCX_STATS=1 ACCX_DIRECTORY=fused %t $c > %t.out 2>&1 && FileCheck %s --check-prefix=CHECK-$c --input-file %t.out || exit 1; done'
// RUN: bash -c 'for c in whole rows planes strided box columns; do %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async ACCX_STATS=1 %t $c > %t.out 2>&1 && FileCheck %s --check-prefix=CHECK-$c --input-file %t.out || exit 1; done'

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X 6
#define Y 8
#define Z 10

static int a[X][Y][Z];

static int inside(const char *c, int x, int y, int z) {
  if (!strcmp(c, "whole"))
    return 1;
  if (!strcmp(c, "rows"))
    return x == 2 && y >= 3 && y < 5;
  if (!strcmp(c, "planes"))
    return x >= 1 && x < 4;
  if (!strcmp(c, "strided"))
    return y % 2 == 0;
  if (!strcmp(c, "box"))
    return x >= 1 && x < 3 && y >= 2 && y < 6 && z >= 3 && z < 8;
  return z == 4; /* columns */
}

int main(int argc, char **argv) {
  const char *c = argc > 1 ? argv[1] : "whole";
#pragma omp target enter data map(alloc : a)
#pragma omp target map(alloc : a)
  for (int x = 0; x < X; ++x)
    for (int y = 0; y < Y; ++y)
      for (int z = 0; z < Z; ++z)
        a[x][y][z] = 1000 + x * 100 + y * 10 + z;
  // One transfer each way; h2d_copies and d2h_copies count them.
  if (!strcmp(c, "whole")) {
#pragma omp target update from(a[0 : X][0 : Y][0 : Z])
  } else if (!strcmp(c, "rows")) {
#pragma omp target update from(a[2 : 1][3 : 2][0 : Z])
  } else if (!strcmp(c, "planes")) {
#pragma omp target update from(a[1 : 3][0 : Y][0 : Z])
  } else if (!strcmp(c, "strided")) {
#pragma omp target update from(a[0 : X][0 : 4 : 2][0 : Z])
  } else if (!strcmp(c, "box")) {
#pragma omp target update from(a[1 : 2][2 : 4][3 : 5])
  } else {
#pragma omp target update from(a[0 : X][0 : Y][4 : 1])
  }
  for (int x = 0; x < X; ++x)
    for (int y = 0; y < Y; ++y)
      for (int z = 0; z < Z; ++z) {
        int expected = inside(c, x, y, z) ? 1000 + x * 100 + y * 10 + z : 0;
        if (a[x][y][z] != expected) {
          printf("a[%d][%d][%d] is %d, not %d\n", x, y, z, a[x][y][z],
                 expected);
          return 1;
        }
        a[x][y][z] = -1;
      }
  if (!strcmp(c, "whole")) {
#pragma omp target update to(a[0 : X][0 : Y][0 : Z])
  } else if (!strcmp(c, "rows")) {
#pragma omp target update to(a[2 : 1][3 : 2][0 : Z])
  } else if (!strcmp(c, "planes")) {
#pragma omp target update to(a[1 : 3][0 : Y][0 : Z])
  } else if (!strcmp(c, "strided")) {
#pragma omp target update to(a[0 : X][0 : 4 : 2][0 : Z])
  } else if (!strcmp(c, "box")) {
#pragma omp target update to(a[1 : 2][2 : 4][3 : 5])
  } else {
#pragma omp target update to(a[0 : X][0 : Y][4 : 1])
  }
#pragma omp target exit data map(from : a)
  for (int x = 0; x < X; ++x)
    for (int y = 0; y < Y; ++y)
      for (int z = 0; z < Z; ++z) {
        int expected = inside(c, x, y, z) ? -1 : 1000 + x * 100 + y * 10 + z;
        if (a[x][y][z] != expected) {
          printf("after: a[%d][%d][%d] is %d, not %d\n", x, y, z, a[x][y][z],
                 expected);
          return 1;
        }
      }
  return 0;
}

// The second copy from the device is the whole array's at the end.
// CHECK-whole: h2d_copies=1 h2d_bytes=1920 d2h_copies=2 d2h_bytes=3840
// CHECK-rows: h2d_copies=1 h2d_bytes=80 d2h_copies=2 d2h_bytes=2000
// CHECK-planes: h2d_copies=1 h2d_bytes=960 d2h_copies=2 d2h_bytes=2880
// CHECK-strided: h2d_copies=1 h2d_bytes=960 d2h_copies=2 d2h_bytes=2880
// CHECK-box: h2d_copies=2 h2d_bytes=160 d2h_copies=3 d2h_bytes=2080
// CHECK-columns: h2d_copies=1 h2d_bytes=192 d2h_copies=2 d2h_bytes=2112
