// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar in no_create is the device's where it is present, and the program's
// where it is not.
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
  return 0;
}
