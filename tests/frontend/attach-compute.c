// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attach on compute constructs: the struct's pointer leads to the device's
// data, whether the struct is present or comes with the construct; the host's
// struct keeps its own, and nothing is left on the device.
//
// RUN: %accxcc -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O2 -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: env ACCX_DIRECTORY=fused %t2 | FileCheck %s
// CHECK: present 45 1
// CHECK: with the construct 90 1
// CHECK: kernels 135 1
// CHECK: left 0 0

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
  int n;
  double *v;
};

int main(void) {
  double *p = (double *)malloc(80), s = 0;
  struct vector m = {10, p}, *q = &m;
  for (int i = 0; i < 10; ++i)
    p[i] = i;
#pragma acc data copyin(p[0 : 10])
  {
#pragma acc data copyin(m)
#pragma acc parallel loop present(m) attach(m.v) reduction(+ : s)
    for (int i = 0; i < m.n; ++i)
      s += m.v[i];
    printf("present %g %d\n", s, m.v == p);
#pragma acc parallel loop copyin(m) attach(m.v) reduction(+ : s)
    for (int i = 0; i < m.n; ++i)
      s += m.v[i];
    printf("with the construct %g %d\n", s, m.v == p);
#pragma acc kernels loop independent copyin(q[0 : 1]) attach(q -> v)           \
    reduction(+ : s)
    for (int i = 0; i < 10; ++i)
      s += q->v[i];
    printf("kernels %g %d\n", s, m.v == p);
  }
  printf("left %d %d\n", acc_is_present(&m, sizeof m), acc_is_present(p, 80));
  free(p);
}
