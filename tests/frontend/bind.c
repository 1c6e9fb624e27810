// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bind: code for the device calls the other function, by name and by symbol, of
// a definition, a declaration and a named routine, from regions and from other
// routines; the host calls the routine itself.
//
// RUN: %accxcc -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O2 -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: %accxcxx -x c++ -O1 -Wall %s -o %txx && %run %txx | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t2 | FileCheck %s --check-prefix=HOST
// CHECK: name 2 1
// CHECK: symbol 2 1
// CHECK: declaration 2 1
// CHECK: named 2 1
// CHECK: named symbol 2 1
// CHECK: routine 4 2
// CHECK: if 1
// HOST: name 1 1

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma acc routine seq
int on_device(int x) { return 2 * x; }

#pragma acc routine seq bind(on_device)
int by_name(int x) { return x; }

#pragma acc routine seq bind("on_device")
__attribute__((noinline)) int by_symbol(int x) { return x; }

#pragma acc routine bind(on_device) seq
int declared(int);

int named(int x);
#pragma acc routine(named) seq bind(on_device)

int named_symbol(int x);
#pragma acc routine(named_symbol) seq bind("on_device")

#pragma acc routine seq
int caller(int x) { return by_name(x) + by_symbol(x); }

int declared(int x) { return x; }
int named(int x) { return x; }
int named_symbol(int x) { return x; }

#ifdef __cplusplus
}
#endif

int main(int argc, char **argv) {
  int r = 0;
#pragma acc serial copyout(r)
  r = by_name(1);
  printf("name %d %d\n", r, by_name(1));
#pragma acc parallel copyout(r)
  r = by_symbol(1);
  printf("symbol %d %d\n", r, by_symbol(1));
  r = 0;
#pragma acc parallel loop reduction(+ : r)
  for (int i = 0; i < 2; ++i)
    r += declared(i);
  printf("declaration %d %d\n", r, declared(1));
#pragma acc serial copyout(r)
  r = named(1);
  printf("named %d %d\n", r, named(1));
#pragma acc serial copyout(r)
  r = named_symbol(1);
  printf("named symbol %d %d\n", r, named_symbol(1));
#pragma acc serial copyout(r)
  r = caller(1);
  printf("routine %d %d\n", r, caller(1));
#pragma acc serial copyout(r) if (argc > 1)
  r = by_name(1);
  printf("if %d\n", r);
}
