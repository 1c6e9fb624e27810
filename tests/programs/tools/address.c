// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AddressSanitizer in kernels: the program links, reports errors on the
// kernel's stack, globals and heap with file and line, and none where there is
// none. Four devices have each their own globals, which are not taken for one
// that is defined twice.
//
// RUN: %accxcc -O1 -g -fsanitize=address %s -o %t
// RUN: %run %t | FileCheck %s --check-prefix=RIGHT
// RUN: not %run %t stack 2>&1 | FileCheck %s --check-prefixes=CHECK,STACK
// RUN: not %run %t global 2>&1 | FileCheck %s --check-prefixes=CHECK,GLOBAL
// RUN: not %run %t heap 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
// RUN: %accxcc -DOPENMP -O0 -g -fsanitize=address,undefined %s -o %t.omp
// RUN: %run %t.omp | FileCheck %s --check-prefix=RIGHT
// RUN: not %run %t.omp heap 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
//
// With the run-time as a shared object, and compiled and linked in two steps.
// RUN: %accxcc -O1 -g -fsanitize=address -c %s -o %t.o
// RUN: %accxcc -fsanitize=address -shared-libsan %t.o -o %t.shared
// RUN: %run LD_LIBRARY_PATH=%rt %t.shared | FileCheck %s --check-prefix=RIGHT
// RUN: not %run LD_LIBRARY_PATH=%rt %t.shared heap 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
//
// RIGHT: total 40
// CHECK: ERROR: AddressSanitizer: {{stack|global|heap}}-buffer-overflow
// CHECK: __omp_offloading_{{.*}}_main_l{{.*}} {{.*}}address.c:
// STACK: 'stack{{.*}}' (line {{[0-9]+}}) <== Memory access at offset
// GLOBAL: is located 0 bytes after global variable 'table'
// HEAP: is located 0 bytes after 40-byte region
// HEAP: __omp_offloading_{{.*}}_main_l{{.*}} {{.*}}address.c:

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp begin declare target
int table[10];
#pragma omp end declare target

int main(int argc, char **argv) {
  const char *wrong = argc > 1 ? argv[1] : "";
  const int s = strcmp(wrong, "stack") ? 9 : 10;
  const int g = strcmp(wrong, "global") ? 9 : 10;
  const int h = strcmp(wrong, "heap") ? 9 : 10;
  int total = 0;
  for (int device = 0; device < 4; ++device) {
    int sum = 0;
#ifdef OPENMP
#pragma omp target map(tofrom : sum) device(device)
#else
#pragma acc set device_num(device)
#pragma acc serial copy(sum)
#endif
    {
      int stack[10];
      int *heap = malloc(10 * sizeof(int));
      for (int i = 0; i < 10; ++i)
        stack[i] = heap[i] = table[i] = i;
      sum += stack[s] / 9 + table[g] + heap[h] - 9;
      free(heap);
    }
    total += sum;
  }
  printf("total %d\n", total);
  return 0;
}
