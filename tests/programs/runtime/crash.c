// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fatal signal in a kernel names the construct; the program's own handlers
// and exit statuses stay as they are, and outside of kernels nothing is said.
//
// RUN: %clang -g %s -o %t
// RUN: %run not --crash %t sync 2>&1 | FileCheck %s --check-prefix=SYNC
// RUN: %run not --crash %t nowait 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: %run not --crash %t outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE --allow-empty
// RUN: %run %t own 2>&1 | FileCheck %s --check-prefix=OWN

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void own(int Signal) {
  static const char Text[] = "the program's own handler\n";
  if (write(1, Text, sizeof(Text) - 1) < 0)
    _exit(1);
  _exit(0);
}

int main(int argc, char **argv) {
  int zero = argc - 2, b[4] = {0};
#pragma omp target map(tofrom : b)
  b[0] = 1;
  if (!strcmp(argv[1], "own"))
    signal(SIGFPE, own);
  if (!strcmp(argv[1], "outside"))
    abort();
  if (!strcmp(argv[1], "nowait")) {
    // NOWAIT: accx: device 0: the program was aborted in the kernel of
    // {{.*}}crash.c:[[@LINE+1]], function main
#pragma omp target map(tofrom : b) nowait
    abort();
#pragma omp taskwait
  }
  // SYNC: accx: device 0: an integer was divided by zero in the kernel of
  // {{.*}}crash.c:[[@LINE+1]], function main
#pragma omp target map(tofrom : b)
  b[1] = 7 / zero;
  // OWN-NOT: accx
  // OWN: the program's own handler
  // OUTSIDE-NOT: accx
  return b[0] - b[1];
}
