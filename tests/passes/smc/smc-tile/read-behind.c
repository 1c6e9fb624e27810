// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the statement writes goes to the array behind it, by threads that share
// it among them: who reads memory there waits for all of them.
//
// RUN: %simt %s %t && %t | FileCheck %s
// RUN: %host -O1 %s -o %t.host && %t.host | FileCheck %s
// CHECK: own 0, neighbours 0, of another shape 0, in rounds 0 wrong
#include <stdio.h>

enum { Rows = 13, Columns = 21, Block = 8, Count = 100 };
static float data[Rows][Columns], line[Count];
static int seen[Rows][Columns], found[Count];

// The copy is larger than the block.
static int own(float (*restrict a)[Columns], int (*y)[Columns]) {
  int wrong = 0;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(tofrom : a[ : Rows], y[ : Rows])
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) {
#pragma accx smc CHANNEL_WB(a[i : 2 : 2][j : 2 : 2]) block(4, 8)
      {
        a[i][j] = (float)(3 * i + j);
      }
      y[i][j] = (int)a[i][j];
    }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      wrong += y[i][j] != 3 * i + j;
  return wrong;
}

// Each thread writes its own element, and reads what another one wrote.
static int neighbours(float *restrict a, int *y, int shift) {
  int wrong = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[ : Count],     \
                                                         y[ : Count])
  for (int i = 0; i < Count; ++i) {
    int other = i / Block * Block + (i + shift) % Block;
#pragma accx smc FETCH_CHANNEL_WB(a[i : 0 : 0]) block(Block)
    {
      a[i] = (float)(5 * i);
    }
    if (other < Count)
      y[i] = (int)a[other];
  }
  for (int i = 0; i < Count; ++i) {
    int other = i / Block * Block + (i + shift) % Block;
    wrong += other < Count && y[i] != 5 * other;
  }
  return wrong;
}

// Only some write.
static int others(float *restrict a, int *y) {
  int wrong = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[ : Count],     \
                                                         y[ : Count])
  for (int i = 0; i < Count; ++i) {
#pragma accx smc FETCH_CHANNEL_WB(a[i : 1 : 1]) block(Block)
    {
      if (i % 3 == 0)
        a[i] = -1;
    }
    y[i] = (int)
        a[i / Block * Block + Block / 2 < Count ? i / Block * Block + Block / 2
                                                : i];
  }
  for (int i = 0; i < Count; ++i) {
    int of = i / Block * Block + Block / 2;
    if (of >= Count)
      of = i;
    wrong += y[i] != (of % 3 ? 5 * of : -1);
  }
  return wrong;
}

// What is read ahead of the statement stands behind it in the next round.
static int rounds(float *restrict a, int *y, int shift) {
  int wrong = 0;
  for (int i = 0; i < Count; ++i)
    a[i] = (float)i;
#pragma omp target teams distribute parallel for map(tofrom : a[ : Count],     \
                                                         y[ : Count])
  for (int i = 0; i < Count; ++i) {
    int other = i / Block * Block + (i + shift) % Block;
    if (other >= Count)
      other = i;
    int sum = 0;
    for (int round = 0; round < 4; ++round) {
      sum += (int)a[other];
#pragma accx smc FETCH_CHANNEL_WB(a[i : 0 : 0]) block(Block)
      {
        a[i] = a[i] + 1;
      }
    }
    y[i] = sum;
  }
  for (int i = 0; i < Count; ++i) {
    int other = i / Block * Block + (i + shift) % Block;
    wrong += y[i] != 4 * (other < Count ? other : i) + 6;
  }
  return wrong;
}

int main(void) {
  int first = own(data, seen), second = 0, fourth = 0;
  for (int shift = 1; shift < Block; ++shift)
    second += neighbours(line, found, shift);
  int third = others(line, found);
  for (int shift = 1; shift < Block; ++shift)
    fourth += rounds(line, found, shift);
  printf("own %d, neighbours %d, of another shape %d, in rounds %d wrong\n",
         first, second, third, fourth);
}
