// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// perf's report names kernels, after the program has ended, and what the
// program left for it is removed by a later one.
//
// REQUIRES: perf
// RUN: rm -rf %t.tmp && mkdir %t.tmp
// RUN: %accxcc -O1 -g %s -o %t
// RUN: env TMPDIR=%t.tmp HOME=%t.tmp perf record -e cpu-clock -o %t.data %t
// RUN: env HOME=%t.tmp perf report -i %t.data --stdio | FileCheck %s
//
// An hour later.
// RUN: ls %t.tmp | FileCheck %s --check-prefix=LEFT
// RUN: touch -d '1 hour ago' %t.tmp/accx-perf-*
// RUN: touch -d '1 hour ago' %t.tmp/accx-perf-other
// RUN: cp %t.tmp/accx-perf-other %t.tmp/accx-perf-1-living
// RUN: touch -d '1 hour ago' %t.tmp/accx-perf-1-living
// RUN: ls %t.tmp/accx-perf-* | sort > %t.before
// RUN: env TMPDIR=%t.tmp HOME=%t.tmp perf record -e cpu-clock -o %t.data %t
// RUN: ls %t.tmp/accx-perf-* | sort > %t.after
// RUN: comm -12 %t.before %t.after | FileCheck %s --check-prefix=STAYS
// LEFT: accx-perf-{{[0-9]+}}-
// STAYS-NOT: accx-perf
// STAYS: accx-perf-1-living
// STAYS: accx-perf-other
// STAYS-NOT: accx-perf
//
// A temporary folder that does not exist.
// RUN: env TMPDIR=%t.tmp/none HOME=%t.tmp perf record -e cpu-clock -o %t.data %t
//
// Without perf nothing is left.
// RUN: rm -rf %t.tmp && mkdir %t.tmp
// RUN: env TMPDIR=%t.tmp %t
// RUN: ls %t.tmp | FileCheck %s --check-prefix=NOTHING --allow-empty
//
// The user's own folder.
// RUN: env ACCX_HOST_IMAGES=%t.tmp/images %t
// RUN: ls %t.tmp/images | FileCheck %s --check-prefix=KEPT
// NOTHING-NOT: accx
// KEPT: {{^}}perf.c.tmp-{{[0-9]+}}-0.so
// RUN: env ACCX_HOST_IMAGES=/proc/none %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: accx: warning: ACCX_HOST_IMAGES: cannot write /proc/none/{{.*}};
// images stay in memory

// CHECK: __omp_offloading_{{.*}}_main_l

#include <stdio.h>

int main(void) {
  int n = 20000;
  double x = 0;
#pragma acc parallel loop reduction(+ : x)
  for (int i = 0; i < n; ++i) {
    double y = 0;
    for (int j = 1; j < 1000; ++j)
      y += 1.0 / (i + j);
    x += y;
  }
  printf("%g\n", x);
  return 0;
}
