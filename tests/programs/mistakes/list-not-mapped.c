// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linked list whose first node alone is copied.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
struct Node { double value; struct Node *next; };
int main(void) {
  struct Node *list = NULL;
  for (int i = 0; i < 100; ++i) {
    struct Node *n = malloc(sizeof *n);
    n->value = i; n->next = list; list = n;
  }
  double sum = 0;
#pragma acc serial copyin(list[0:1]) copy(sum)
// CHECK: list-not-mapped.c:[[@LINE+1]]:{{.*}}reads host memory through 'n'
  for (struct Node *n = list; n; n = n->next) sum += n->value;
  printf("%g\n", sum);
}
