// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars in kernels have the values that the loops give them in order, and the
// variable of a `loop` is its own, also where it runs in order.
//
// RUN: %accxcc -O0 -w %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O2 -w %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O1 -w -fsyntax-only -Rpass=accx %s 2>&1 | \
// RUN:   FileCheck %s --check-prefix=CHECK-REMARK

#include <stdio.h>

enum { N = 1000 };
static int global;

int main(void) {
  int a[N], last = 0, some = 0, copied = 0, c = 0, after = 0;
  for (int i = 0; i < N; ++i)
    a[i] = i;

#pragma acc kernels
  {
    int k = 234;
    a[0] = k;
    // CHECK-REMARK: [[@LINE+1]]:13: remark: loop runs sequentially: the value of 'global' (line {{[0-9]+}}) may be needed after the loop
#pragma acc loop
    for (k = 0; k < N; ++k)
      global = a[k];
#pragma acc loop seq
    for (k = 0; k < N; ++k)
      a[k] += a[0];
    after = k;
  }
  // CHECK: 999 468 1701 234
  printf("%d %d %d %d\n", global, a[0], a[N - 1] + 234, after);

  // All iterations assign it, or some.
#pragma acc kernels loop
  for (int i = 0; i < N; ++i)
    last = i;
#pragma acc kernels loop copyin(a)
  for (int i = 0; i < N; ++i)
    if (i == 17)
      some = i;
  // CHECK-REMARK: [[@LINE+1]]:13: remark: {{.*}}'copied' (line {{[0-9]+}}) has a data clause, and iterations assign it
#pragma acc kernels loop copy(copied)
  for (int i = 0; i < N; ++i)
    copied = i;
  // CHECK: 999 17 999
  printf("%d %d %d\n", last, some, copied);

  // A loop that runs in order leaves the host's variable alone.
  int i = 5;
#pragma acc kernels loop copy(a)
  for (i = 1; i < N; ++i)
    a[i] += a[i - 1];
#pragma acc serial copyout(c)
  {
    int j = 3;
#pragma acc loop
    for (j = 0; j < 10; ++j)
      ;
    c = j;
  }
  // CHECK: 5 3
  printf("%d %d\n", i, c);
  return 0;
}
