// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that waits by events, or queues by calls of accx/event.h, is not
// told that nothing waits for its queues, or uses them.
// RUN: %accx_syntax -Wall -Wextra -Werror -I%accx_include %s
// RUN: %accx_syntax -Wall -Wextra -Werror -isystem %accx_include %s
// RUN: %accx_syntax -Wall -Wextra -I%accx_include -DNONE %s 2>&1 | FileCheck %s
#include <accx/event.h>

int main(void) {
  static int A[10], B[10];
  accx_event_t E = 0;
#pragma acc data copyin(A)
  {
#ifndef NONE
    accx_read(5, A, 0, -1, sizeof(A), 0, 0, &E);
#pragma acc wait(5)
#endif
#pragma acc parallel loop present(A) async(2)
    for (int I = 0; I < 10; ++I)
      A[I] = 1;
// CHECK: [[#@LINE-3]]:{{[0-9]+}}: warning: 'async', and nothing in the program waits
#pragma accx write(A) file(1) async(2) event(E)
  }
#pragma accx read(B) file(0)
#ifndef NONE
  accx_event_wait(1, &E);
#endif
  return B[3];
}
