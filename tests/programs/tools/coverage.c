// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coverage of kernels: how often a function of device code and the lines of a
// region ran on all devices together, beside what the program counts.
//
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: %accxcc -O0 --coverage -c %s -o a.o
// RUN: %accxcc --coverage a.o -o a
// RUN: %run ./a 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: %run ./a 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: %bin/llvm-cov gcov -t a.device.gcda | FileCheck %s --check-prefix=GCOV
// RUN: %bin/llvm-cov gcov -t a.gcda | FileCheck %s --check-prefix=PROGRAM
// GCOV: 800:{{.*}}int odd(
// GCOV: 800:{{.*}}if (odd(i))
// GCOV-NEXT: 400:{{.*}}s += i;
// PROGRAM: 8:{{.*}}#pragma omp target
// PROGRAM: #####:{{.*}}if (odd(i))
// PROGRAM: 2:{{.*}}printf
// RUNS-NOT: profiling
// RUNS: sum 10000
// RUNS-NOT: profiling
//
// RUN: %accxcc -O0 -fprofile-instr-generate -fcoverage-mapping %s -o b
// RUN: %run ACCX_HOST_IMAGES=images LLVM_PROFILE_FILE=c.profraw ./b
// RUN: %bin/llvm-profdata merge c.profraw c.device-*.profraw -o c.profdata
// RUN: mv images/*-0.so image.so
// RUN: %bin/llvm-cov show b -object image.so -instr-profile c.profdata > show
// RUN: FileCheck %s --check-prefix=SHOW < show
// SHOW: 400|int odd(
// SHOW: 1|int main
// SHOW: 200|{{.*}}s += i;
//
// Without a name, and with one that tells programs apart.
// RUN: %run ./b
// RUN: ls | FileCheck %s --check-prefix=NAMES
// RUN: %run LLVM_PROFILE_FILE=d-%%m.profraw ./b
// RUN: ls | FileCheck %s --check-prefix=POOL
// NAMES: {{^}}default.device-{{.*}}.profraw
// NAMES: {{^}}default.profraw
// POOL: {{^}}d-{{[0-9_]+}}.profraw
// POOL-NEXT: {{^}}d-{{[0-9_]+}}.profraw

#include <stdio.h>

#pragma omp begin declare target
int odd(int i) { return i & 1; }
#pragma omp end declare target

int main(void) {
  int s = 0;
  for (int d = 0; d < 4; ++d) {
#pragma omp target teams distribute parallel for map(tofrom : s)               \
    reduction(+ : s) device(d)
    for (int i = 0; i < 100; ++i) {
      if (odd(i))
        s += i;
    }
  }
  printf("sum %d\n", s);
  return 0;
}
