// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A breakpoint on a line of a region stops in the kernel, on another device
// than the first, too; lines are stepped over, locals and mapped arrays read.
// A kernel's name serves as well.
//
// REQUIRES: gdb
// RUN: awk '/[s]top here/ {print "tbreak gdb.c:" NR}' %s > %t.gdb
// RUN: %accxcc -O0 -g %s -o %t
// RUN: env HOME=%t.home timeout 120 gdb -nx -q -batch -ex 'set breakpoint pending on' -x %t.gdb -ex run -ex 'info locals' -ex next -ex 'print twice' -ex 'print a[3]' -ex continue %t 2>&1 | FileCheck %s
// RUN: env HOME=%t.home timeout 120 gdb -nx -q -batch -ex 'set breakpoint pending on' -x %t.gdb -ex run -ex bt -ex 'rbreak _main_l.*' -ex 'info sharedlibrary' %t 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: %accxcc -DOPENMP -O0 -g %s -o %t.omp
// RUN: env HOME=%t.home timeout 120 gdb -nx -q -batch -ex 'set breakpoint pending on' -x %t.gdb -ex run -ex 'info locals' -ex next -ex 'print twice' -ex 'print a[3]' -ex continue %t.omp 2>&1 | FileCheck %s

// CHECK: {{[Tt]}}emporary breakpoint 1{{.*}}__omp_offloading_{{.*}}gdb.c:
// CHECK: i = 3
// CHECK: {{^}}$1 = 6
// CHECK: {{^}}$2 = 3
// CHECK: sum 13
// CHECK: exited normally

// NAMES: __omp_offloading_{{.*}}_main_l{{.*}} at {{.*}}gdb.c:
// NAMES: __tgt_target_kernel
// NAMES: main () at {{.*}}gdb.c:
// NAMES: Breakpoint {{.*}}__omp_offloading_{{.*}}(2 locations)
// NAMES: Yes {{.*}}/proc/{{[0-9]+}}/fd/

#include <stdio.h>

int main(void) {
  int a[4] = {0, 1, 2, 3}, sum = 0;
#ifdef OPENMP
#pragma omp target map(tofrom : a, sum) device(1)
#else
#pragma acc serial copy(a, sum)
#endif
  {
    int i = 3;
    int twice = a[i] * 2; // stop here
    sum = twice + 7;
  }
  printf("sum %d\n", sum);
  return 0;
}
