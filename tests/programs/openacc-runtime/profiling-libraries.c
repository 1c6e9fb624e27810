// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACC_PROFLIB names libraries that are tools; LD_PRELOAD finds one, too. What
// is no tool is said, and the program runs on.

// RUN: %clang %s -o %t
// RUN: %clang -shared -fPIC -DTOOL='"one"' %S/Inputs/prof-tool.c -o %t.one.so
// RUN: %clang -shared -fPIC -DTOOL='"two"' %S/Inputs/prof-tool.c -o %t.two.so
// RUN: echo 'int nothing;' > %t.c
// RUN: %clang -shared -fPIC -Wl,--no-as-needed %t.c -o %t.none.so
// RUN: %run %t | FileCheck %s --check-prefix=PLAIN
// RUN: env ACC_PROFLIB=%t.one.so %run %t | FileCheck %s --check-prefix=ONE
// RUN: env "ACC_PROFLIB=;%t.one.so;%t.two.so" %run %t \
// RUN:   | FileCheck %s --check-prefixes=ONE,TWO
// RUN: env ACC_PROFLIB=%t.one.so:%t.two.so %run %t \
// RUN:   | FileCheck %s --check-prefixes=ONE,TWO
// RUN: env LD_PRELOAD=%t.one.so %run %t | FileCheck %s --check-prefix=ONE
// RUN: env LD_PRELOAD=%t.one.so ACC_PROFLIB=%t.two.so %run %t \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: env ACC_PROFLIB=%t.none.so:%t.missing.so:%t.two.so %run %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG

// PLAIN-NOT: constructs
// PLAIN: sum 3
// ONE: one: hello
// TWO-NEXT: two: hello
// ONE: sum 3
// ONE: one: 3 constructs
// TWO-NEXT: two: 3 constructs
// BOTH: two: hello
// BOTH-NEXT: one: hello
// BOTH: sum 3
// BOTH: two: 3 constructs
// BOTH-NEXT: one: 3 constructs
// WRONG: accx: ACC_PROFLIB: {{.*}}.none.so has no function acc_register_library
// WRONG: accx: ACC_PROFLIB: {{.*}}.missing.so: cannot open shared object file
// WRONG: two: hello
// WRONG: sum 3

#include <stdio.h>

int main(void) {
  int Sum = 0;
  for (int I = 0; I < 3; ++I) {
#pragma omp target map(tofrom : Sum)
    Sum += 1;
  }
  printf("sum %d\n", Sum);
  fflush(stdout);
  return 0;
}
