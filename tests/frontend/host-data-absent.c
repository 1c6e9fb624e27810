// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// host_data of data that are not on the device: with if_present the host's
// address, without it an error that names variable and line. A null pointer
// stays one, and a construct whose condition fails asks for nothing, nor leaves
// its wish to a construct of OpenMP behind it.
//
// RUN: %accxcc -O1 -Wall %s -o %t && %run %t | FileCheck %s --implicit-check-not=0
// CHECK: pointer 1
// CHECK: array 1 1
// CHECK: some present 1 1
// CHECK: null 1
// CHECK: condition 1
// CHECK: after condition 1
// CHECK: present 1
// RUN: not --crash %run %t pointer 2>&1 | FileCheck %s --check-prefix=POINTER
// on device 0
// RUN: not --crash %run %t array 2>&1 | FileCheck %s --check-prefix=ARRAY
// device 0

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  double *p = malloc(80), a[10], b[10], *q, *none = NULL;
  if (argc > 1) {
    if (argv[1][0] == 'p') {
// POINTER: host-data-absent.c:[[@LINE+1]]:{{.*}}: 'p' is not present
#pragma acc host_data use_device(p)
      printf("%p\n", (void *)p);
    } else {
// ARRAY: host-data-absent.c:[[@LINE+1]]:{{.*}}: 'a' is not present
#pragma acc host_data use_device(a)
      printf("%p\n", (void *)a);
    }
    return 0;
  }
#pragma acc host_data use_device(p) if_present
  q = p;
  printf("pointer %d\n", q == p);
  double *r;
#pragma acc host_data use_device(a, p) if_present
  {
    q = a;
    r = p;
  }
  printf("array %d %d\n", q == a, r == p);
#pragma acc data create(b)
#pragma acc host_data use_device(b, p) if_present
  {
    q = b;
    r = p;
  }
  printf("some present %d %d\n", q != b && q != NULL, r == p);
#pragma acc host_data use_device(none)
  q = none;
  printf("null %d\n", q == NULL);
#pragma acc host_data use_device(p) if (argc > 1)
  q = p;
  printf("condition %d\n", q == p);
#pragma omp target data use_device_ptr(p)
  q = p;
  printf("after condition %d\n", q == NULL);
#pragma acc data create(p[0 : 10])
#pragma acc host_data use_device(p) if_present
  q = p;
  printf("present %d\n", q != p && q != NULL);
  free(p);
}
