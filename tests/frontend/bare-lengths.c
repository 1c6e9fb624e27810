// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 'a[n]' in a data clause is one element; older compilers took it for
// 'a[0:n]', and so does -facc-bare-lengths.
//
// RUN: %accx_print -fplugin-arg-accx-bare-lengths %s | FileCheck %s
// RUN: %accxcc -facc-bare-lengths -Wall -Werror %s -o %t && %run %t
// RUN: %accxcc -DELEMENT %s -o %t && not --crash %run %t 2>&1 | FileCheck %s --check-prefix=CHECK-ELEMENT

#include <stdlib.h>

struct rows {
  double *v[2];
};

int main(int argc, char **argv) {
  const int n = 99 + argc;
  double gamma[4][8];
  double *a = malloc(n * sizeof *a);
  struct rows r = {{a, a}};
  int bad = 0;
  for (int i = 0; i < 32; ++i)
    gamma[i / 8][i % 8] = i;
  for (int i = 0; i < n; ++i)
    a[i] = 0;
  // CHECK: map(ompx_hold,tofrom: a[0:n]) map(ompx_hold,to: gamma[0:4][0:8])
#ifndef ELEMENT
#pragma acc data copy(a[n]) copyin(gamma[4][8])
#else
#pragma acc data copy(a[0 : n]) copyin(gamma)
#endif
  {
    // CHECK: present{{.*}}a[0:n - 1 + 1]
    // CHECK-ELEMENT: [[#@LINE+2]]: 'a[n - 1 + 1]' is not present
    // CHECK-ELEMENT: 'a[n - 1 + 1]' is one element: 'a[0:n - 1 + 1]' is the first n - 1 + 1, which accxcc -facc-bare-lengths takes it for
#pragma acc parallel loop present(a[n - 1 + 1])
    for (int i = 0; i < n; ++i)
      a[i] += gamma[i % 4][i % 8];
    // CHECK: target update from({{.*}}a[0:n])
#pragma acc update host(a[n])
    // An element of something that goes on is none of these.
    // CHECK: r.v[1][0:n]
#pragma acc parallel loop present(r.v[1][0 : n]) if (0)
    for (int i = 0; i < n; ++i)
      bad += 0 * i;
  }
  for (int i = 0; i < n; ++i)
    bad += a[i] != gamma[i % 4][i % 8];
  return bad;
}
