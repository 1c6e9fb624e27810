// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flexible array members come and go with their struct: in structured and
// unstructured constructs, with the struct in front or behind, beside other
// members, and alone. Nothing stays on the device.
//
// RUN: %accxcc -O1 -Wall %s -o %t && %run %t | FileCheck %s
// RUN: env ACCX_DIRECTORY=fused %t | FileCheck %s
// CHECK: construct 55 0 0
// CHECK: unstructured 65 0 0
// CHECK: two steps 75 0 0
// CHECK: update 85
// CHECK: member and elements 95 0 0
// CHECK: elements alone 105 0 0

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
  int n;
  float scale;
  double v[];
};

static double sum(struct vector *p) {
  double s = 0;
  for (int i = 0; i < 10; i++)
    s += p->v[i];
  return s;
}

static void show(const char *what, struct vector *p) {
  printf("%s %g %d %d\n", what, sum(p), acc_is_present(p, 1),
         acc_is_present(p->v, 1));
}

int main(void) {
  struct vector *p = malloc(sizeof *p + 10 * sizeof(double));
  p->n = 10;
  p->scale = 1;
  for (int i = 0; i < 10; i++)
    p->v[i] = i;
#pragma acc parallel loop copy(p[0 : 1], p->v[0 : 10])
  for (int i = 0; i < p->n; i++)
    p->v[i] += 1;
  show("construct", p);

#pragma acc enter data copyin(p[0 : 1], p->v[0 : 10])
#pragma acc parallel loop present(p[0 : 1])
  for (int i = 0; i < p->n; i++)
    p->v[i] += p->scale;
#pragma acc exit data copyout(p->v[0 : 10], p[0 : 1])
  show("unstructured", p);

#pragma acc enter data copyin(p[0 : 1])
#pragma acc enter data copyin(p->v[0 : 10])
#pragma acc parallel loop present(p[0 : 1])
  for (int i = 0; i < p->n; i++)
    p->v[i] += p->scale;
#pragma acc exit data copyout(p->v[0 : 10])
#pragma acc exit data delete (p[0 : 1])
  show("two steps", p);

#pragma acc data copyin(p[0 : 1], p->v[0 : 10])
  {
#pragma acc parallel loop present(p[0 : 1], p->v[0 : 10])
    for (int i = 0; i < p->n; i++)
      p->v[i] += 1;
#pragma acc update self(p->v[0 : 10])
  }
  printf("update %g\n", sum(p));

#pragma acc parallel loop copyin(p->n, p->scale) copy(p -> v[0 : 10])
  for (int i = 0; i < p->n; i++)
    p->v[i] += p->scale;
  show("member and elements", p);

#pragma acc parallel loop copy(p->v[0 : 10])
  for (int i = 0; i < 10; i++)
    p->v[i] += 1;
  show("elements alone", p);
  free(p);
}
