// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declare target variables: one instance a device, updates, `link` variables
// that are mapped like others, and static ones in a function.
//
// RUN: %clang -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <omp.h>
#include <stdio.h>

int counter = 5;
int table[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
#pragma omp declare target to(counter, table)
int linked[100];
#pragma omp declare target link(linked)

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      printf("line %d: %s\n", __LINE__, #c), ++wrong;                          \
  } while (0)

int main(void) {
  const int devices = omp_get_num_devices();
  for (int d = 0; d < devices; ++d) {
    int seen = 0;
#pragma omp target device(d) map(from : seen)
    {
      counter += d;
      table[d] = -1;
      seen = counter;
    }
    EXPECT(seen == 5 + d);
  }
  EXPECT(counter == 5);
  for (int d = 0; d < devices; ++d) {
#pragma omp target update from(counter, table) device(d)
    EXPECT(counter == 5 + d);
    for (int i = 0; i < 10; ++i)
      EXPECT(table[i] == (i == d ? -1 : i));
  }
  counter = 100;
#pragma omp target update to(counter) device(1)
  int one = 0, two = 0;
#pragma omp target device(1) map(from : one)
  one = counter;
#pragma omp target device(2) map(from : two)
  two = counter;
  EXPECT(one == 100);
  EXPECT(two == 7);

  for (int i = 0; i < 100; ++i)
    linked[i] = i;
#pragma omp target map(tofrom : linked)
  for (int i = 0; i < 100; ++i)
    linked[i] += 1;
  for (int i = 0; i < 100; ++i)
    EXPECT(linked[i] == i + 1);
#pragma omp target enter data map(to : linked)
#pragma omp target
  linked[3] = 1000;
  EXPECT(linked[3] == 4);
#pragma omp target exit data map(from : linked)
  EXPECT(linked[3] == 1000);
  printf("%d wrong\n", wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
