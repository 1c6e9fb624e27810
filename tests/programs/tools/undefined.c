// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UndefinedBehaviorSanitizer in kernels.
//
// RUN: %accxcc -O1 -g -fsanitize=undefined %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %run %t 1 2>&1 | FileCheck %s
// RUN: %accxcc -DOPENMP -O0 -g -fsanitize=undefined -fno-sanitize-recover=all %s -o %t.omp
// RUN: %run %t.omp 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: not %run %t.omp 1 2>&1 | FileCheck %s
//
// RIGHT-NOT: error
// RIGHT: done
// CHECK: undefined.c:[[#@LINE+14]]:{{[0-9]+}}: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'

#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int a[3] = {INT_MAX, 2, 3};
  const int more = argc - 1;
#ifdef OPENMP
#pragma omp target teams distribute parallel for map(tofrom : a)
#else
#pragma acc parallel loop copy(a)
#endif
  for (int i = 0; i < 3; ++i)
    a[i] += more;
  printf("done\n");
  return 0;
}
