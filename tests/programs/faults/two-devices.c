// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults of one device amid 10,000 constructs that are queued on two: a kernel
// that traps, memory that is short, a device that goes away. The program ends
// in good time, with one message that has the construct's line and the device.
//
// RUN: %accx_lib/../bin/accxcc -O1 --accx-targets=host %s -o %t
// RUN: %fault %t | FileCheck %s --check-prefix=RIGHT
// RUN: %fault ACCX_FAULT_OPTIONS=async %t | FileCheck %s --check-prefix=RIGHT
// RUN: %fault ACCX_FAULT_OPTIONS=async,no_peer %t | FileCheck %s --check-prefix=RIGHT
// RIGHT: right
//
// RUN: bash -c 'for o in "" async async,no_peer; do for n in 1 77 2000; do for w in each last first none; do \
// RUN:   %fault ACCX_FAULT_OPTIONS=$o ACCX_FAULT=trap@1:$n timeout 60 not --crash %t $w 2>&1 | FileCheck %s --check-prefix=TRAP || exit 1; done; done; done'
// TRAP-NOT: right
// TRAP: error: {{.*}}device 1 failed: {{.*}}injected: trap
// TRAP-NEXT: two-devices.c:[[#]]:{{.*}}fatal error
// TRAP-NOT: error: {{.*}}failed
// TRAP-NOT: right
//
// RUN: bash -c 'for o in "" async async,no_peer; do for n in 1 500 4500; do for w in each last none; do \
// RUN:   %fault ACCX_FAULT_OPTIONS=$o ACCX_FAULT=lost@1:$n timeout 60 not --crash %t $w 2>&1 | FileCheck %s --check-prefix=LOST || exit 1; done; done; done'
// LOST-NOT: right
// LOST: injected: the device is gone
// LOST-NEXT: two-devices.c:[[#]]:{{.*}}fatal error
// LOST-NOT: right
//
// RUN: bash -c 'for o in "" async; do \
// RUN:   %fault ACCX_FAULT_OPTIONS=$o ACCX_FAULT=commit@1:1+ timeout 60 not --crash %t 2>&1 | FileCheck %s --check-prefix=SHORT || exit 1; \
// RUN:   %fault ACCX_DIRECTORY=fused ACCX_FAULT_OPTIONS=$o ACCX_FAULT=alloc@1:1+ timeout 60 not --crash %t 2>&1 | FileCheck %s --check-prefix=SHORT || exit 1; done'
// SHORT-NOT: right
// SHORT: two-devices.c:[[#]]{{.*}}injected: {{commit|alloc}}
// SHORT: two-devices.c:[[#]]:{{.*}}fatal error
// SHORT-NOT: right
//
// Calls fail, on the first thread too, before and while the program ends. The
// devices are far behind, so that it has to wait for them.
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=200 ACCX_FAULT=event_sync:1+,queue_wait:1+ timeout 60 not --crash %t none 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: error: {{.*}} failed: injected: {{event_sync|queue_wait}}
// ENDS-NEXT: two-devices.c:[[#]]:{{.*}}fatal error

#include <openacc.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, Steps = 2500 };

static int Left[N], Right[N];

int main(int Argc, char **Argv) {
  const char *How = Argc > 1 ? Argv[1] : "each";
  for (int I = 0; I < N; ++I)
    Left[I] = Right[I] = I;
#pragma acc enter data copyin(Left) deviceid(0)
#pragma acc enter data copyin(Left, Right) deviceid(1)
#pragma acc enter data copyin(Right) deviceid(0)
  for (int S = 0; S < Steps; ++S) {
#pragma acc parallel loop deviceid(0) present(Left)
    for (int I = 0; I < N; ++I)
      Left[I] += 1;
#pragma acc parallel loop deviceid(1) present(Right)
    for (int I = 0; I < N; ++I)
      Right[I] += 2;
#pragma acc update peer to(Left[0 : 1]) to_device(1) from(Left[0 : 1])         \
    from_device(0)
#pragma acc update peer to(Right[0 : 1]) to_device(0) from(Right[0 : 1])       \
    from_device(1)
  }
#pragma acc exit data copyout(Left) delete (Right)deviceid(0)
#pragma acc exit data copyout(Right) delete (Left)deviceid(1)
  if (!strcmp(How, "none"))
    return 0;
  if (!strcmp(How, "each")) {
#pragma acc wait device(0)
#pragma acc wait device(1)
  } else if (!strcmp(How, "first")) {
    // The first device's work needed what the second one's made.
#pragma acc wait device(0)
  } else {
#pragma acc wait device(1)
#pragma acc wait device(0)
  }
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    Bad += Left[I] != I + Steps || Right[I] != I + 2 * Steps;
  printf(Bad ? "%d wrong\n" : "right\n", Bad);
  return Bad != 0;
}
