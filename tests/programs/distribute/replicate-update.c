// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait for the device that a replicated array was updated on is enough for
// all copies of it, also where another device has much to do before.
//
// RUN: %accxcc -O1 %s -o %t
// RUN: env ACCX_HOST_DEVICES=2 %run %t
// RUN: env ACCX_HOST_DEVICES=4 %run %t

#include <openacc.h>
#include <stdio.h>

enum { N = 1000 };

int main(void) {
  static int R[N], Out[N];
  double Busy = 1;
  const int Last = acc_get_num_devices(acc_device_not_host) - 1;
  int Bad = 0;
#pragma acc enter data copyin(Busy) deviceid(Last)
#pragma acc wait device(Last)
#pragma accx replicate(R[0 : N]) devices(all)
  for (int Step = 1; Step < 4; ++Step) {
#pragma acc serial present(Busy) deviceid(Last)
    for (int I = 0; I < 20000000; ++I)
      Busy = Busy * 0.5 + I;
    for (int I = 0; I < N; ++I)
      R[I] = I + Step;
#pragma acc update device(R[0 : N]) deviceid(0)
#pragma acc wait device(0)
    acc_set_device_num(Last, acc_device_not_host);
#pragma acc parallel loop present(R[0 : N]) copyout(Out)
    for (int I = 0; I < N; ++I)
      Out[I] = R[I];
    acc_set_device_num(0, acc_device_not_host);
    for (int I = 0; I < N; ++I)
      Bad += Out[I] != I + Step;
  }
#pragma acc exit data delete (Busy)deviceid(Last)
  if (Bad)
    printf("%d elements are wrong\n", Bad);
  return Bad != 0;
}
