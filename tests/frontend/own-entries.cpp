// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two units compile with different macros, each for itself: functions of
// unnamed namespaces, static instances of templates, lambdas.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %accxcxx -O2 %s -DK=1 -c -o one.o
// RUN: %accxcxx -O2 %s -DK=3 -DOTHER -c -o two.o
// RUN: %accxcxx one.o two.o -o program
// RUN: %run ./program | FileCheck %s
// RUN: %accxcxx -O0 -g %s -DK=1 -c -o one0.o
// RUN: %accxcxx -O0 -g %s -DK=3 -DOTHER -c -o two0.o
// RUN: %accxcxx one0.o two0.o -o program0
// RUN: %run ./program0 | FileCheck %s
//
// What has one definition has one name.
// RUN: %tools/llvm-nm one.o two.o | FileCheck %s --check-prefix=NAMES
//
// Messages and tables have names as before.
// RUN: env ACCX_TIME=1 %run ./program 2>&1 | FileCheck %s --check-prefix=TIME

// CHECK: one 2 2 2 2 2
// CHECK: one 2 2 2 2 2 2
// CHECK: two 6 6 6 6 6
// CHECK: two 6 6 6 6 6 2
// CHECK: one 2 2 2 2 2
// CHECK: one 2 2 2 2 2 2

// NAMES: one.o:
// NAMES-DAG: [[INLINE:__omp_[a-z_0-9]+__Z10everywherei_l[0-9]+.region_id]]
// NAMES-DAG: [[OTHER:__omp_[a-z_0-9]+__Z14everywhere_too.*.region_id]]
// NAMES: two.o:
// NAMES-DAG: [[INLINE]]
// NAMES-DAG: [[OTHER]]

// TIME: own-entries.h:{{[0-9]+}} via_acc 3

#include "Inputs/own-entries.h"

#ifdef OTHER
void other() { show("two"); }
#else
void other();
int main() {
  show("one");
  other();
  show("one");
}
#endif
