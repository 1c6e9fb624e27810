// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar or struct in no_create is the device's where it is present, and the
// program's own memory where it is not, on the construct and on data around it.
//
// RUN: %accxcc -O1 %s -o %t && %run %t | FileCheck %s

#include <openacc.h>
#include <stdio.h>

int main(void) {
  int here = 1, absent = 1;
  acc_copyin(&here, sizeof here);
#pragma acc parallel no_create(here)
  {
    here = here + 4;
  }
  // CHECK: 1
  printf("%d\n", here);
  acc_update_self(&here, sizeof here);
  // CHECK: 5
  printf("%d\n", here);
#pragma acc serial no_create(absent)
  {
    absent += 5;
  }
  // CHECK: 6 0
  printf("%d %d\n", absent, acc_is_present(&absent, sizeof absent));
  struct pair {
    int a, b;
  } both = {1, 2}, neither = {3, 4};
  void *at[3];
#pragma acc enter data copyin(both)
#pragma acc data no_create(here, absent, both, neither)
  {
#pragma acc parallel copyout(at)
    {
      at[0] = &here;
      at[1] = &absent;
      at[2] = &neither;
      both.b += here;
    }
    both.b = 0;
    // CHECK: 1 1 1
    printf("%d %d %d\n", at[0] == acc_deviceptr(&here), at[1] == &absent,
           at[2] == &neither);
#pragma acc exit data delete (both)finalize
    // CHECK: 1 0
    printf("%d %d\n", acc_is_present(&both, sizeof both),
           acc_is_present(&neither, sizeof neither));
#pragma acc update self(both)
  }
  // CHECK: 7 0
  printf("%d %d\n", both.b, acc_is_present(&both, sizeof both));
  return 0;
}
