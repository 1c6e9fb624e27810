// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that part come together and part again by what each way has left,
// which LLVM 19's analysis does not always see: two writes under a condition
// under a condition, whose other way writes, too.
//
// RUN: %simt %s %t && %t | FileCheck %s
// RUN: %host -O1 %s -o %t.host && %t.host | FileCheck %s
// CHECK: 0 wrong
#include <stdio.h>

enum { Count = 75, Block = 16 };
static int line[Count], counts[Count];

static void kernel(int *restrict a, int *restrict c, int p) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : Count],     \
                                                         c[ : Count])
  for (int i = 0; i < Count; ++i) {
#pragma accx smc FETCH_CHANNEL_WB(a[i : 3 : 3]) FETCH_CHANNEL_WB(c[i : 0 : 0]) \
    block(Block)
    {
      c[i] = i & 63;
      for (int k = 0; k < 3; ++k) {
        if ((k & c[i]) % 2 == 0) {
          if ((i % Block >= 3 ? a[i - 3] : 7) % 2 == 0) {
            a[i] = 2 - (i ^ c[i]);
            a[i] = c[i] * (i % Block >= 1 ? a[i - 1] : 7) & 255;
          }
        } else {
          a[i] = 5 * p & 255;
        }
      }
    }
  }
}

// All threads of a block take each step together.
static void model(int *a, int *c, int p) {
  for (int b = 0; b < Count; b += Block) {
    int m = Count - b < Block ? Count - b : Block, then[Block], also[Block];
    int now[Block];
    for (int t = 0; t < m; ++t)
      c[b + t] = b + t & 63;
    for (int k = 0; k < 3; ++k) {
      for (int t = 0; t < m; ++t) {
        then[t] = (k & c[b + t]) % 2 == 0;
        also[t] = then[t] && (t >= 3 ? a[b + t - 3] : 7) % 2 == 0;
      }
      for (int t = 0; t < m; ++t)
        if (also[t])
          a[b + t] = 2 - (b + t ^ c[b + t]);
      for (int t = 0; t < m; ++t)
        now[t] = c[b + t] * (t >= 1 ? a[b + t - 1] : 7) & 255;
      for (int t = 0; t < m; ++t)
        if (also[t])
          a[b + t] = now[t];
        else if (!then[t])
          a[b + t] = 5 * p & 255;
    }
  }
}

int main(void) {
  int wrong = 0;
  for (int p = 0; p < 5; ++p) {
    int a[Count], c[Count];
    for (int i = 0; i < Count; ++i)
      a[i] = line[i] = i * 7 % 11, c[i] = counts[i] = 0;
    kernel(line, counts, p);
    model(a, c, p);
    for (int i = 0; i < Count; ++i)
      wrong += a[i] != line[i] || c[i] != counts[i];
  }
  printf("%d wrong\n", wrong);
}
