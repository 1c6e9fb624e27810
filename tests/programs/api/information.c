// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime tells about itself: mapping tables, devices, and messages
// that a program turns on and off.
// RUN: %clang -g %s -o %t
// RUN: %run %t >%t.out 2>%t.err
// RUN: FileCheck %s --input-file=%t.out --check-prefix=CHECK-OUT
// RUN: FileCheck %s --input-file=%t.err --check-prefix=CHECK-ERR

#include "Inputs/expect.h"
#include <stdint.h>

void __tgt_set_info_flag(uint32_t);
int __tgt_print_device_info(int64_t);

int main(void) {
  int A[16] = {0}, B[4] = {0};
#pragma omp target enter data map(to : A) device(1)
#pragma omp target enter data map(to : B) device(1)
#pragma omp target enter data map(to : B) device(1)
  // CHECK-OUT: omptarget device 0 info: OpenMP Host-Device pointer mappings table empty
  // CHECK-OUT: omptarget device 1 info: OpenMP Host-Device pointer mappings after block at libomptarget:0:0:
  // CHECK-OUT-NEXT: omptarget device 1 info: Host Ptr           Target Ptr         Size (B) DynRefCount HoldRefCount Declaration
  // CHECK-OUT-DAG: omptarget device 1 info: {{0x[0-9a-f]+ +0x[0-9a-f]+}} 64       1           0            A at {{.*}}information.c:
  // CHECK-OUT-DAG: omptarget device 1 info: {{0x[0-9a-f]+ +0x[0-9a-f]+}} 16       2           0            B at {{.*}}information.c:
  // CHECK-OUT: omptarget device 2 info: OpenMP Host-Device pointer mappings table empty
  ompx_dump_mapping_tables();

  // CHECK-OUT: Device Type
  EXPECT(__tgt_print_device_info(0) == 1);
  printf("end\n");
  // CHECK-OUT: end

  // CHECK-ERR-NOT: omptarget
  // CHECK-ERR: on
  fprintf(stderr, "on\n");
  __tgt_set_info_flag(0x22);
  // CHECK-ERR-NEXT: omptarget device 1 info: Mapping exists {{.*}}Size=64, DynRefCount=2 (incremented)
#pragma omp target enter data map(to : A) device(1)
  // CHECK-ERR-NEXT: omptarget device 1 info: Mapping exists {{.*}}Size=64, DynRefCount=2 (update suppressed)
  // CHECK-ERR-NEXT: omptarget device 1 info: Copying data from device to host, {{.*}}Size=64,
  // CHECK-ERR-NEXT: off
#pragma omp target update from(A) device(1)
  __tgt_set_info_flag(0);
  fprintf(stderr, "off\n");
#pragma omp target update from(A) device(1)
#pragma omp target exit data map(delete : A, B) device(1)
  // CHECK-ERR-NOT: omptarget
  return 0;
}
