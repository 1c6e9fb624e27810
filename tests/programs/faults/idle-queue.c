// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue that waits for one whose work is known to have ended makes no call of
// the plugin's: none could fail. With work on it there is one again.
//
// RUN: %accx_lib/../bin/accxcc -O1 --accx-targets=host %s -o %t
// RUN: %fault ACCX_FAULT_OPTIONS=async ACCX_FAULT=event_wait:1+ %t waited | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async ACCX_FAULT=event_wait:1+ %t asked | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async %t busy | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async ACCX_FAULT=event_wait:1+ not --crash %t busy 2>&1 | FileCheck %s --check-prefix=BUSY
// CHECK: right
// BUSY: error: {{.*}}injected: event_wait
// BUSY-NOT: right
#include <openacc.h>
#include <stdio.h>
#include <string.h>

int main(int Count, char **Args) {
  const char *How = Count > 1 ? Args[1] : "";
  int A[64] = {0};
#pragma acc enter data copyin(A)
  for (int Round = 0; Round < 3; ++Round) {
#pragma acc parallel loop present(A) async(1)
    for (int I = 0; I < 64; ++I)
      A[I] += I;
    if (!strcmp(How, "waited")) {
#pragma acc wait(1)
    } else if (!strcmp(How, "asked")) {
      while (!acc_async_test(1))
        ;
    }
#pragma acc wait(1) async(2)
#pragma acc parallel loop present(A) async(2)
    for (int I = 0; I < 64; ++I)
      A[I] *= 2;
#pragma acc wait(2)
  }
#pragma acc exit data copyout(A)
  int Bad = 0;
  for (int I = 0; I < 64; ++I)
    Bad += A[I] != 14 * I;
  puts(Bad ? "wrong" : "right");
  return Bad;
}
