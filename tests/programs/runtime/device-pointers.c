// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// use_device_ptr, use_device_addr, is_device_ptr and has_device_addr, with
// sections that do not start where their array does.
//
// RUN: %clang -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int fixed[100];

int main(void) {
  int wrong = 0;
  int *p = malloc(100 * sizeof(int));
  int *const host = p;
  for (int i = 0; i < 100; ++i)
    p[i] = fixed[i] = i;

#pragma omp target data map(tofrom : p[20 : 50])
  {
#pragma omp target data use_device_ptr(p)
    {
      wrong += p == host;
      wrong += (void *)(p + 20) != omp_get_mapped_ptr(host + 20, 0);
#pragma omp target is_device_ptr(p)
      for (int i = 20; i < 70; ++i)
        p[i] += 1;
    }
    wrong += p != host;
  }
  for (int i = 0; i < 100; ++i)
    wrong += p[i] != i + (i >= 20 && i < 70);

#pragma omp target data map(tofrom : fixed[10 : 30])
  {
    int *address = 0;
#pragma omp target data use_device_addr(fixed[10 : 30])
    address = &fixed[10];
    wrong += (void *)address != omp_get_mapped_ptr(&fixed[10], 0);
#pragma omp target is_device_ptr(address)
    for (int i = 0; i < 30; ++i)
      address[i] *= 2;
#pragma omp target data use_device_addr(fixed)
    {
#pragma omp target has_device_addr(fixed)
      for (int i = 10; i < 40; ++i)
        fixed[i] += 3;
    }
  }
  for (int i = 0; i < 100; ++i)
    wrong += fixed[i] != (i >= 10 && i < 40 ? 2 * i + 3 : i);

  int *own = omp_target_alloc(100 * sizeof(int), 0);
#pragma omp target is_device_ptr(own)
  for (int i = 0; i < 100; ++i)
    own[i] = 5 * i;
  omp_target_memcpy(p, own, 100 * sizeof(int), 0, 0, omp_get_initial_device(),
                    0);
  for (int i = 0; i < 100; ++i)
    wrong += p[i] != 5 * i;
  omp_target_free(own, 0);

  // What is not mapped has no device address.
  int *absent = malloc(4);
  int *const absent_host = absent;
#pragma omp target data map(alloc : p[0 : 1]) use_device_ptr(absent)
  wrong += absent != NULL && absent != absent_host;
  free(absent_host);
  free(p);
  printf("%d wrong\n", wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
