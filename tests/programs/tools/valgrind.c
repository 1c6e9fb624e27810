// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// valgrind names the kernel, the file and the line of an error in a kernel,
// and of none in one that is right. Nothing stays in the temporary folder.
//
// REQUIRES: valgrind
// RUN: rm -rf %t.tmp && mkdir %t.tmp
// RUN: %accxcc -O0 -gdwarf-4 %s -o %t
// RUN: env TMPDIR=%t.tmp timeout 250 valgrind --fair-sched=yes --leak-check=no %t wrong 2>&1 | FileCheck %s
// RUN: env TMPDIR=%t.tmp timeout 250 valgrind --fair-sched=yes --leak-check=no --error-exitcode=3 %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: ls %t.tmp | FileCheck %s --check-prefix=NOTHING --allow-empty
// RUN: %accxcc -DOPENMP -O0 -gdwarf-4 %s -o %t.omp
// RUN: env TMPDIR=%t.tmp timeout 250 valgrind --fair-sched=yes --leak-check=no %t.omp wrong 2>&1 | FileCheck %s

// CHECK: Invalid write of size 4
// CHECK-NEXT: __omp_offloading_{{.*}}_main_l{{.*}} ({{.*}}valgrind.c:[[#@LINE+21]])
// CHECK: r 1
// NOTHING-NOT: {{.}}
// RIGHT: r 1
// RIGHT: ERROR SUMMARY: 0 errors

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int r = 0, at = argc > 1 ? 30 : 20;
#ifdef OPENMP
#pragma omp target map(tofrom : r)
#else
#pragma acc serial copy(r)
#endif
  {
    int *p = malloc(30 * sizeof(int));
    r = 1;
    if (p) {
      // One past the end if there is an argument.
      p[at] = 1;
      free(p);
    }
  }
  printf("r %d\n", r);
  return 0;
}
