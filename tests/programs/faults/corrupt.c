// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose device image was damaged in the file: no device takes it, so
// that it runs on the host, or says why it must not.
//
// RUN: %clang -g %s -o %t
// RUN: /usr/bin/python3 %S/Inputs/damage.py truncate %t %t.truncated
// RUN: /usr/bin/python3 %S/Inputs/damage.py symbols %t %t.symbols
// RUN: /usr/bin/python3 %S/Inputs/damage.py magic %t %t.magic
// RUN: %t | FileCheck %s --check-prefix=CHECK-DEVICE
// RUN: bash -c 'for d in truncated symbols magic; do %t.$d | FileCheck %s --check-prefix=CHECK-HOST || exit 1; done'
// RUN: bash -c 'for d in truncated symbols magic; do %run not --crash %t.$d 2>&1 | FileCheck %s || exit 1; done'

#include <omp.h>
#include <stdio.h>

int main(void) {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  printf("on %s\n", on_host ? "host" : "device");
  return 0;
}

// CHECK-DEVICE: on device
// CHECK-HOST: on host
// CHECK: omptarget error: No images found compatible with the installed hardware. Found 1 image(s); plugin 'host': {{.+}}
// CHECK: corrupt.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
