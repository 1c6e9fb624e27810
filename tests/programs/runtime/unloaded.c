// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that a library left on the device keep their names when it is closed.
//
// RUN: %clang -g -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %clang -g %s -o %t
// RUN: %run not --crash %t %t.so 2>&1 | FileCheck %s
// RUN: %run LIBOMPTARGET_INFO=4 not --crash %t %t.so 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused not --crash %t %t.so 2>&1 | FileCheck %s
// CHECK: closed
// CHECK: 'b[0:1000]' is not present on device 0
// CHECK-NEXT: present: 'a[0:n]', 400 bytes {{.*}} (since {{.*}}unloaded.c:[[# @LINE + 5]])

#ifdef LIBRARY

void put(int *a, int n) {
#pragma omp target enter data map(to : a[0 : n])
}

#else

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int *a = malloc(100 * sizeof *a), *b = malloc(1000 * sizeof *b);
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  if (!library)
    return 1;
  void (*put)(int *, int) = (void (*)(int *, int))dlsym(library, "put");
  put(a, 100);
  if (dlclose(library) || dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD))
    return 1;
  fprintf(stderr, "closed\n");
#pragma omp target map(present, tofrom : b[0 : 1000])
  b[0] = 1;
  return 0;
}

#endif
