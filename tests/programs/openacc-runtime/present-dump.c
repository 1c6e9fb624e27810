// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that look at a device's memory: what is present, how much there
// is, and where its copies differ from the host's.

// RUN: %clang -g %s -o %t
// RUN: env ACCX_HOST_DEVICES=2 %run %t 2>&1 | FileCheck %s
// RUN: env ACC_DEVICE_TYPE=host %t 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %run not --crash %t absent 2>&1 | FileCheck %s --check-prefix=ABSENT

#include <openacc.h>
#include <stdio.h>

static void say(const char *What) {
  fflush(stderr);
  fprintf(stderr, "%s\n", What);
}

int main(int Count, char **Argv) {
  (void)Argv;
  int A[100] = {0}, B[50] = {0}, C[8] = {0};
  const int OnHost = acc_get_device_type() == acc_device_host;
  // ABSENT: acc_compare: 32 bytes at 0x{{.*}} are not present on device 0
  if (Count > 1)
    acc_compare(C, sizeof(C));

  say("nothing");
  acc_present_dump();
  // CHECK: nothing
  // CHECK-NEXT: Present table dump for device[0]:
  // CHECK-NEXT: ...empty...
  // HOST: nothing
  // HOST-NEXT: the current device is the host
  if (acc_bytesalloc() != 0)
    say("bytes of nothing");
  acc_copyin(A, sizeof(A));
  acc_copyin(A, sizeof(A));
#pragma omp target data map(ompx_hold, tofrom : B)
  {
    say("all");
    acc_present_dump_all();
    if (acc_bytesalloc() != (OnHost ? 0 : sizeof(A) + sizeof(B)))
      say("other bytes");
  }
  // CHECK: all
  // CHECK-NEXT: device[0]:
  // CHECK-DAG: host:0x{{[0-9a-f]+}} device:0x{{[0-9a-f]+}} size:400 presentcount:0+2 line:0 name:acc_copyin
  // CHECK-DAG: host:0x{{[0-9a-f]+}} device:0x{{[0-9a-f]+}} size:200 presentcount:1+0 line:{{[1-9][0-9]*}} name:B file:present-dump.c
  // CHECK: 2 entries, 600 bytes
  // CHECK-NEXT: device[1]:
  // CHECK-NEXT: ...empty...

  say("compare");
  acc_compare(A, sizeof(A));
  acc_compare_all();
  A[5] = A[7] = 1;
  acc_compare(A, sizeof(A));
  acc_compare(A, 5 * sizeof(int));
  acc_compare(A + 6, 8);
  acc_compare_all();
  acc_compare(NULL, 8);
  acc_compare(C, 0);
  // CHECK-NEXT: compare
  // CHECK-NEXT: acc_compare: device 0 has other values than the host in 2 of 400 bytes at 0x{{[0-9a-f]+}}; the first is byte 20
  // CHECK-NEXT: acc_compare: device 0 has other values than the host in 1 of 8 bytes at 0x{{[0-9a-f]+}}; the first is byte 4
  // CHECK-NEXT: acc_compare_all: device 0 has other values than the host in 2 of 400 bytes at 0x{{[0-9a-f]+}} of 'acc_copyin'; the first is byte 20
  // HOST: compare
  // HOST-NEXT: memory

  say("memory");
  acc_delete_finalize(A, sizeof(A));
  acc_clear_freelists();
  const size_t All = acc_get_memory(), Free = acc_get_free_memory();
  if (All == 0 || Free == 0 || Free > All)
    say("wrong");
  say("end");
  // CHECK: memory
  // CHECK-NEXT: end
  // HOST-NEXT: end
  return 0;
}
