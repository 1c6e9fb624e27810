// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations take their place from one counter.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static int in[N], out[N];
int main(void) {
  for (int i = 0; i < N; ++i) in[i] = i;
  int k = 0;
// CHECK: shared-counter.c:[[@LINE+1]]:{{.*}}iterations read and assign 'k' (line {{[0-9]+}}) at the same time{{.*}}atomic capture
#pragma acc parallel loop copyin(in) copy(out, k)
  for (int i = 0; i < N; ++i)
    if (in[i] % 2) out[k++] = in[i];
  printf("%d\n", k);
}
