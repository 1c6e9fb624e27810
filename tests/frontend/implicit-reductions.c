// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -facc-implicit-reductions: sums and the like without a clause are reductions,
// on every loop that takes part in them.
//
// RUN: %accxcc -O1 -facc-implicit-reductions -Rpass=accx %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: %accxcc -O1 -facc-implicit-reductions -fno-acc-implicit-reductions %s -o %t 2>&1 | FileCheck %s --check-prefix=CHECK-OFF

// CHECK-OFF: implicit-reductions.c:[[#@LINE+8]]:13: warning: what line [[#@LINE+10]] combines
double A[1000];
int main(void) {
  double S = 5, M = -1;
  int Count = 2;
  for (int I = 0; I < 1000; ++I)
    A[I] = (I * 7) % 1000;
// CHECK: remark: adds reduction(+: S) for line [[#@LINE+3]]
#pragma acc parallel loop
  for (int I = 0; I < 1000; ++I)
    S += A[I];
// CHECK: remark: adds reduction(max: M) for line [[#@LINE+6]]
#pragma acc parallel loop gang
  for (int I = 0; I < 10; ++I) {
#pragma acc loop vector
    for (int J = 0; J < 100; ++J) {
      if (A[I * 100 + J] > M)
        M = A[I * 100 + J];
      Count++;
    }
  }
  return !(S == 5 + 999 * 500.0 && M == 999 && Count == 1002);
}
