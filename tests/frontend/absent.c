// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that is not present: one message, with the construct's line, what is
// present instead, and what to write, in the words of the program's language.

// RUN: %accxcc -O1 -Wall -Werror %s -o %t
// RUN: not --crash %t part 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-PART --implicit-check-not="accx error" --implicit-check-not=omptarget --implicit-check-not=http
// RUN: not --crash %t none 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE --implicit-check-not="accx error" --implicit-check-not=omptarget
// RUN: not --crash %t data 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DATA --implicit-check-not="accx error" --implicit-check-not=omptarget
// RUN: not --crash %t update 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-UPDATE --implicit-check-not="accx error" --implicit-check-not=omptarget
// RUN: not --crash %t other 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-OTHER --implicit-check-not="accx error" --implicit-check-not=omptarget
// RUN: not --crash %t many 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-MANY --implicit-check-not="accx error" --implicit-check-not=omptarget
// RUN: not --crash env ACCX_STRICT_MAP=1 %t none 2>&1 | FileCheck %s --check-prefix=CHECK-STRICT
// RUN: %accxcc -O1 %S/Inputs/absent-openmp.c -o %t.openmp
// RUN: not --crash %t.openmp 2>&1 | FileCheck %S/Inputs/absent-openmp.c

// CHECK: accx error: absent.c:
// CHECK-STRICT: accx message: device mapping required by 'present' map type modifier
// does not exist for host address 0x{{[0-9a-f]+}} (400 bytes)

#include <stdlib.h>
#include <string.h>

float Grid[50];
float Memory[400];

int main(int Argc, char **Argv) {
  const char *How = Argc > 1 ? Argv[1] : "";
  float *A = Memory, *B = Memory + 200;
  if (!strcmp(How, "part")) {
#pragma acc enter data copyin(A[10 : 20], Grid)
// CHECK-PART-SAME: [[#@LINE+4]]: 'A[0:100]' is not present on device 0: 400 bytes at 0x{{[0-9a-f]+$}}
// CHECK-PART-NEXT: present: 'A[10:20]', 80 bytes at 0x{{[0-9a-f]+}}, 80 bytes of these, from byte 40 (since absent.c:[[#@LINE-2]])
// CHECK-PART-NEXT: present: 'Grid', 200 bytes at 0x{{.*}} these (since absent.c:[[#@LINE-3]])
// CHECK-PART-NEXT: copyin(A[0:100]) on 'data' around this construct, or on 'enter data' before it, makes it present
#pragma acc parallel loop present(A[0 : 100])
    for (int I = 0; I < 100; ++I)
      A[I] = 0;
  }
  if (!strcmp(How, "none")) {
// CHECK-NONE-SAME: [[#@LINE+3]]: 'A[0:100]' is not present on device 0: 400 bytes
// CHECK-NONE-NEXT: nothing is present there
// CHECK-NONE-NEXT: copyin(A[0:100])
#pragma acc parallel loop present(A[0 : 100])
    for (int I = 0; I < 100; ++I)
      A[I] = 0;
  }
  if (!strcmp(How, "data")) {
// CHECK-DATA-SAME: [[#@LINE+3]]: 'B[0:10]' is not present on device 0: 40 bytes
// CHECK-DATA-NEXT: nothing is present there
// CHECK-DATA-NEXT: copyin(B[0:10])
#pragma acc data present(B[0 : 10])
    B[0] = 1;
  }
  if (!strcmp(How, "update")) {
#pragma acc enter data create(A[0 : 100])
// CHECK-UPDATE-SAME: [[#@LINE+3]]: 'A[90:20]' is not present on device 0: 80 bytes
// CHECK-UPDATE-NEXT: present: 'A[0:100]', 400 bytes at 0x{{[0-9a-f]+}}, the first 40 bytes of these
// CHECK-UPDATE-NEXT: copyin(A[90:20]) on 'data' or 'enter data' makes it present; with 'if_present' the update skips what is not
#pragma acc update self(A[90 : 20])
  }
  if (!strcmp(How, "other")) {
#pragma acc set device_num(2)
#pragma acc enter data create(A[0 : 100])
#pragma acc set device_num(1)
// CHECK-OTHER-SAME: [[#@LINE+4]]: 'A[0:10]' is not present on device 1: 40 bytes
// CHECK-OTHER-NEXT: nothing is present there
// CHECK-OTHER-NEXT: it is present on device 2
// CHECK-OTHER-NEXT: copyin(A[0:10])
#pragma acc parallel loop present(A[0 : 10])
    for (int I = 0; I < 10; ++I)
      A[I] = 0;
  }
  if (!strcmp(How, "many")) {
    for (int I = 0; I < 7; ++I) {
#pragma acc enter data create(Memory[100 + 10 * I : 5])
    }
// CHECK-MANY-SAME: [[#@LINE+7]]: 'B[0:2]' is not present on device 0: 8 bytes
// CHECK-MANY-NEXT: present: 'Memory[100 + 10 * I:5]', 20 bytes at 0x{{[0-9a-f]+}}, 140 bytes before these
// CHECK-MANY-NEXT: present: 'Memory[100 + 10 * I:5]', 20 bytes at 0x{{[0-9a-f]+}}, 180 bytes before these
// CHECK-MANY-NEXT: present:
// CHECK-MANY-NEXT: present:
// CHECK-MANY-NEXT: and 3 more, which LIBOMPTARGET_INFO=4 lists
// CHECK-MANY-NEXT: copyin
#pragma acc parallel present(B[0 : 2])
    B[0] = 1;
  }
}

// CHECK: absent.c:{{[0-9]+}}:{{[0-9]+}}: accx fatal error 1: this construct failed; host data may be out of date, so the program ends
