// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with device code that another compiler linked, which leaves it out:
// that constructs run on the host is said once, with how to link, and is an
// error where devices are mandatory, or where another library has device code.
//
// RUN: %clang -g -c %s -o %t.o
// RUN: g++ %t.o -o %t -L%accx_lib -Wl,-rpath,%accx_lib -lomptarget -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib -lomp
// RUN: %t 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: linked-without.c:[[#@LINE+28]]:{{[0-9]+}}: constructs run on the host;
// the program was linked without the device code that its objects hold: link it
// with accxcc or accxc++ SAID-NOT: device code SAID: sum 55
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED-NOT: device code
// ASKED: sum 55
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: the program was linked without the device code that its objects
// hold: link it with accxcc or accxc++
//
// RUN: %clang -g -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: %clang -g -DMIXED -c %s -o %t.mixed.o
// RUN: g++ %t.mixed.o %t.so -o %t.mixed -L%accx_lib -Wl,-rpath,%accx_lib -lomptarget -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib -lomp
// RUN: not --crash %t.mixed 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: The program or library that holds the construct was linked without its
// device code: link it with accxcc or accxc++.

#include <stdio.h>

void other(void);

#ifndef LIBRARY
int main(void) {
  int sum = 0;
#ifdef MIXED
  other();
#endif
  for (int round = 0; round < 10; ++round)
#pragma omp target map(tofrom : sum)
    sum += round + 1;
  printf("sum %d\n", sum);
  return 0;
}
#else
void other(void) {
#pragma omp target
  {
  }
}
#endif
