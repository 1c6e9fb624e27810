// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has no elements is present wherever it is asked for: a region of a mesh
// without elements has made nothing before.
//
// RUN: %accxcc -Wall -Werror %s -o %t
// RUN: %run %t
// RUN: env ACCX_DIRECTORY=fused %run %t

#include <stdlib.h>

int main(int argc, char **argv) {
  const int n = argc - 1;
  int count = 0;
  double *a = malloc(8), *b = malloc(80);
#pragma acc data copyin(a[0 : n]) copy(b[0 : 10])
  {
#pragma acc parallel loop present(a[0 : n], b[0 : 10]) reduction(+ : count)
    for (int i = 0; i < n; ++i) {
      b[i] = a[i];
      ++count;
    }
#pragma acc update host(a[0 : n])
#pragma acc data present(a[0 : n])
    ++count;
  }
  free(a);
  free(b);
  return count != 1;
}
