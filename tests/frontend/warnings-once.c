// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings of Clang and of accx come once, from the host's compilation, and not
// again from every device's. Errors of a device's compilation stay.
//
// RUN: %accxcc -Wall --accx-targets=host -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: not %accxcc -w --accx-targets=host -DBAD -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BAD --implicit-check-not=warning:
// clang-format off
// CHECK-DAG: warnings-once.c:[[#@LINE+2]]:{{.*}}unused variable 'Unused'
#pragma acc routine seq
static double f(double X) { int Unused; return X; }
void g(double *A) {
  double T = 0;
// CHECK-DAG: warnings-once.c:[[#@LINE+1]]:{{.*}}iterations assign 'T'
#pragma acc parallel loop copy(A[0:10], T)
  for (int I = 0; I < 10; ++I) {
    T = f(I);
    A[I] = T;
  }
#ifdef BAD
#pragma acc parallel loop copy(A[0:10])
  for (int I = 0; I < 10; ++I)
    A[I] = undeclared; // BAD: undeclared identifier 'undeclared'
#endif
}
// CHECK: 2 warnings generated
