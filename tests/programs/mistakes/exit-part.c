// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exit of more than was entered, by a directive and by a routine.
// RUN: %accxcc -Wall %s -o %t
// RUN: not --crash %run %t 2>&1 | FileCheck %s
// RUN: not --crash %run %t routine 2>&1 | FileCheck %s --check-prefix=ROUTINE

// clang-format off
#include <openacc.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 100;
  double *a = calloc(n + 1, sizeof *a);
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i)
    a[i] += 1;
  // ROUTINE: acc_copyout: 808 bytes at {{.*}} is present in parts only
  if (argc > 1)
    acc_copyout(a, (n + 1) * sizeof *a);
  // CHECK: exit-part.c:[[@LINE+3]]: 'a[0:n + 1]' is present in parts only on device 0: 808 bytes at
  // CHECK: present: 'a[0:n]', 800 bytes at {{.*}}, the first 800 bytes of these (since {{.*}}exit-part.c:[[@LINE-8]])
  // CHECK: an exit names what one enter has named, or a part of that
#pragma acc exit data copyout(a[0:n + 1])
  free(a);
}
