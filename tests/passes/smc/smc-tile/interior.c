// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that have all of their iterations, and no index near an end that the
// program or the array's length compares it with, get a body of their own.
//
// RUN: %device %s | %smc-tile -o %t.ll
// RUN: opt -passes=adce -S %t.ll | FileCheck %s
// RUN: %device %s | %smc-tile -accx-smc-interior=0 | FileCheck %s --check-prefix=CHECK-OFF
// CHECK-OFF-NOT: inside
// RUN: %simt %s %t && %t | FileCheck %s --check-prefix=CHECK-RESULT
// RUN: %simt %s %t -O1 && %t | FileCheck %s --check-prefix=CHECK-RESULT
// CHECK-RESULT: RESULT ok

#include <stdio.h>
#include <stdlib.h>

// What the block's first index is, in one comparison each; the body without a
// comparison of an index, and without the threads' conditions.
// CHECK-LABEL: define {{.*}}relax
// CHECK: {{^}}place{{[0-9]*}}:
// CHECK: %inside = icmp ult i32
// CHECK: %inside{{[0-9]+}} = icmp ult i32
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[BORDER:[0-9]+]]
// CHECK-NOT: icmp {{sge|eq}}
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NOT: icmp {{sge|eq}}
// CHECK: {{^}}[[BORDER]]:
// CHECK: icmp eq
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: icmp sge
static void relax(int n, int m, float (*restrict a)[96], float (*b)[96]) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[ : n]) \
    map(tofrom : b[ : n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      int y = i - i / 8 * 2 - 1, x = j - j / 8 * 2 - 1;
      int up = y == 0 ? y : y - 1, down = i < n - 1 ? y + 1 : y;
#pragma accx smc FETCH_CHANNEL(a[y : 0 : 0][x : 0 : 0]) block(8, 8)
      {
        int is = i % 8 > 0 && i % 8 < 7 && j % 8 > 0 && j % 8 < 7;
        if (is && y >= 0 && x >= 0 && y < n && x < m) {
          float left = 0 < x ? a[y][x - 1] : 3;
          float right = m > j + 1 ? a[y][x + 1] : 5;
          b[y][x] =
              a[y][x] + 2 * left + 4 * right + 8 * a[up][x] + 16 * a[down][x];
        }
      }
    }
}

// Backwards, ends that are constants, counters of 64 bits, and what only an
// array's length bounds.
// CHECK-LABEL: define {{.*}}backwards
// CHECK: %inside = icmp ult i64
static void backwards(long n, long *restrict a, long *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : b[ : n])
  for (long i = 0; i < n; ++i) {
    long k = n - 1 - i;
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(32)
    {
      long next = (i & 31) < 31 && i + 1 < n ? a[i + 1] : 7;
      b[i] = i > 40 ? next + k : i != 200 ? next - k : 9;
    }
  }
}

// Nothing is compared that tells blocks apart: one body.
// CHECK-LABEL: define {{.*}}places
// CHECK-NOT: inside
// CHECK: ret void
static void places(int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[ : 256])           \
    map(tofrom : b[ : 256])
  for (int i = 0; i < 256; ++i)
#pragma accx smc CHANNEL_ONLY(a[i : 0 : 0]) block(64)
  {
    a[i] = i;
    b[i] = (i & 63) > 0 ? a[i - 1] : 0;
  }
}

// Blocks of more than 512 threads: one body.
// CHECK-LABEL: define {{.*}}large
// CHECK-NOT: inside
// CHECK: ret void
void large(int n, int *restrict a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : b[ : n])
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(1024)
    b[i] = i > 0 && (i & 1023) > 0 ? a[i - 1] : 0;
}

static float A[96][96], B[96][96], C[96][96];

static int checkRelax(int n, int m) {
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 96; ++j)
      A[i][j] = (float)((i * 31 + j * 7) % 13), B[i][j] = C[i][j] = -1;
  relax(n, m, A, B);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      int y = i - i / 8 * 2 - 1, x = j - j / 8 * 2 - 1;
      if (i % 8 == 0 || i % 8 == 7 || j % 8 == 0 || j % 8 == 7)
        continue;
      C[y][x] = A[y][x] + 2 * (x > 0 ? A[y][x - 1] : 3) +
                4 * (j + 1 < m ? A[y][x + 1] : 5) + 8 * A[y ? y - 1 : 0][x] +
                16 * A[i < n - 1 ? y + 1 : y][x];
    }
  int bad = 0;
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 96; ++j)
      bad += B[i][j] != C[i][j];
  return bad;
}

static int checkLines(long n) {
  long *a = malloc(8 * n + 8), *b = calloc(n + 1, 8);
  int bad = 0, p[256], q[256];
  for (long i = 0; i < n; ++i)
    a[i] = i * 3 % 17;
  backwards(n, a, b);
  for (long i = 0; i < n; ++i) {
    long next = (i & 31) < 31 && i + 1 < n ? a[i + 1] : 7, k = n - 1 - i;
    bad += b[i] != (i > 40 ? next + k : i != 200 ? next - k : 9);
  }
  places(p, q);
  for (int i = 0; i < 256; ++i)
    bad += q[i] != ((i & 63) > 0 ? i - 1 : 0);
  free(a), free(b);
  return bad;
}

int main(void) {
  const int sizes[] = {0, 1, 7, 8, 9, 24, 31, 40, 57, 96};
  int bad = 0;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j)
      bad += checkRelax(sizes[i], sizes[j]);
    bad += checkLines(sizes[i] * 7L);
  }
  printf("RESULT %s\n", bad ? "BAD" : "ok");
  return bad != 0;
}
