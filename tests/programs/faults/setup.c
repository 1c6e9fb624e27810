// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, images, queues that cannot be had when the program first needs them.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=image_load:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-LOAD,CHECK
// RUN: %fault ACCX_FAULT=image_global:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-GLOBAL,CHECK
// RUN: %fault ACCX_FAULT=image_kernel:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-KERNEL,CHECK
// RUN: %fault ACCX_FAULT=queue_create:1 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-QUEUE,CHECK
// RUN: %fault ACCX_FAULT=queue_wait:1 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-WAIT,CHECK
// RUN: %fault ACCX_FAULT=reserve:1+ %t 2>&1 | FileCheck %s --check-prefix=CHECK-DONE
//
// A device that does not open is left out; the others are used.
// RUN: %fault ACCX_FAULT=device_open:2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK-OPEN
// RUN: %fault ACCX_FAULT=device_info:4 %t 2>&1 | FileCheck %s --check-prefixes=CHECK-INFO
//
// Without any device the program runs on the host, unless it must not.
// RUN: %fault ACCX_FAULT=device_open:1+ %t 2>&1 | FileCheck %s --check-prefixes=CHECK-NONE
// RUN: %fault ACCX_FAULT=image_check:1+ %t 2>&1 | FileCheck %s --check-prefixes=CHECK-HOST
// RUN: %fault ACCX_FAULT=device_open:1+ OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-NODEV
// RUN: %fault ACCX_FAULT=image_check:1+ OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-NOIMG

#include "Inputs/intact.h"

#include <omp.h>

#pragma omp declare target
int global = 5;
#pragma omp end declare target
int a[1000];

int main(void) {
  int on_host = 0;
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  WATCH(a);
// CHECK-LOAD: omptarget error: Failed to load images on device 0: failed to load image: injected: image_load
// CHECK-GLOBAL: omptarget error: Failed to load images on device 0: global 'global': injected: image_global
// CHECK-KERNEL: omptarget error: {{.*}}injected: image_kernel
// CHECK-QUEUE: omptarget error: {{.*}}injected: queue_create
// CHECK-WAIT: omptarget error: {{.*}}injected: queue_wait
// CHECK: setup.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
#pragma omp target map(tofrom : a) map(from : on_host)
  {
    on_host = omp_is_initial_device();
    for (int i = 0; i < 1000; ++i)
      a[i] += global;
  }
  for (int i = 0; i < 1000; ++i)
    if (a[i] != i + 5)
      return 1;
  fprintf(stderr, "done on %s, %d devices\n", on_host ? "host" : "device",
          omp_get_num_devices());
  return 0;
}

// CHECK: host data intact (1)
// CHECK-DONE: done on device, 4 devices
// CHECK-OPEN: omptarget error: device 1 of plugin 'fault' is not used: injected: device_open
// CHECK-OPEN: done on device, 3 devices
// CHECK-INFO: omptarget error: device 3 of plugin 'fault' is not used: injected: device_info
// CHECK-INFO: done on device, 3 devices
// CHECK-NONE-COUNT-4: omptarget error: device {{[0-3]}} of plugin 'fault' is not used: injected: device_open
// CHECK-NONE: done on host, 0 devices
// CHECK-HOST: done on host, 0 devices
// CHECK-NODEV-COUNT-4: omptarget error: device {{[0-3]}} of plugin 'fault' is not used: injected: device_open
// CHECK-NODEV: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK-NOIMG: omptarget error: No images found compatible with the installed hardware. Found 1 image(s); plugin 'fault': injected: image_check
// CHECK-NOIMG: omptarget fatal error 1: failure of target construct while offloading is mandatory
