// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of libraries that are opened and closed again: nothing is copied
// back to them, and what comes where they lay is written like other data.
//
// RUN: %clang -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %clang %s -o %t
// RUN: %run %t %t.so | FileCheck %s
// CHECK: own 5 5, table 7 7, then 1

#ifdef LIBRARY

const int table[4096] __attribute__((aligned(4096))) = {7};

int first(const int *p) {
  int value;
  int *q = (int *)p;
#pragma omp target map(tofrom : q[0 : 1]) map(from : value)
  {
    value = q[0];
    q[0] = 1;
  }
  return value;
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>

static const int own[1] = {5};

static int overwrite(const int *p) {
  int value;
  int *q = (int *)p;
#pragma omp target map(tofrom : q[0 : 1]) map(from : value)
  {
    value = q[0];
    q[0] = 1;
  }
  return value;
}

int main(int argc, char **argv) {
  // The device writes its copy of a constant, which stays there.
  const int in_own = overwrite(own);
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  const int *table = library ? dlsym(library, "table") : NULL;
  if (!table)
    return 1;
  int (*first)(const int *) = (int (*)(const int *))dlsym(library, "first");
  const int before = first(table), after = table[0];
  dlclose(library);
  int *new = mmap((void *)table, 4096, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (new != table)
    return 1;
  overwrite(new);
  printf("own %d %d, table %d %d, then %d\n", in_own, own[0], before, after,
         new[0]);
  return 0;
}

#endif
