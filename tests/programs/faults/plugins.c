// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins that cannot be used: one line says which and why. Without another
// plugin there is no device: the program runs on the host, or ends where it
// must not.
//
// RUN: %clang -g %s -o %t
// RUN: env LIBOMPTARGET_PLUGIN=/no/such/plugin.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-MISSING,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=nonesuch %t 2>&1 | FileCheck %s --check-prefixes=CHECK-NAME,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%s.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-GONE,CHECK-HOST
// RUN: cp %s %t.so
// RUN: env LIBOMPTARGET_PLUGIN=%t.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-TEXT,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.other_version.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-VERSION,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.refuses.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-REFUSES,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.short_table.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-SHORT,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.does_not_start.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-START,CHECK-HOST
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.no_symbol.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK-SYMBOL,CHECK-HOST
// RUN: %fault ACCX_FAULT=nonsense:1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK-NONSENSE,CHECK-HOST
//
// RUN: env LIBOMPTARGET_PLUGIN=/no/such/plugin.so OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-MISSING,CHECK-MANDATORY
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.refuses.so OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-REFUSES,CHECK-MANDATORY
//
// The others of the list are used.
// RUN: env LIBOMPTARGET_PLUGIN=/no/such/plugin.so:host %t 2>&1 | FileCheck %s --check-prefixes=CHECK-MISSING,CHECK-DEVICE
// RUN: env LIBOMPTARGET_PLUGIN=%plugins/libaccx.rtl.refuses.so:%accx_lib/libaccx.rtl.host.so:host %t 2>&1 | FileCheck %s --check-prefixes=CHECK-REFUSES,CHECK-DEVICE
// RUN: env LIBOMPTARGET_PLUGIN=host %t 2>&1 | FileCheck %s --check-prefixes=CHECK-QUIET,CHECK-DEVICE
// RUN: env LIBOMPTARGET_PLUGIN=host ACCX_HOST_DEVICES=many %t 2>&1 | FileCheck %s --check-prefixes=CHECK-VALUE,CHECK-HOST

#include <omp.h>
#include <stdio.h>

int main(void) {
  int on_host = -1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  printf("on %s, %d devices\n", on_host ? "host" : "device",
         omp_get_num_devices());
  return 0;
}

// CHECK-MISSING: omptarget error: device plugin '/no/such/plugin.so' is not used: {{.*}}No such file or directory
// CHECK-NAME: omptarget error: device plugin 'nonesuch' is not used: {{.*}}libaccx.rtl.nonesuch.so{{.*}}No such file or directory
// CHECK-GONE: omptarget error: device plugin '{{.*}}' is not used: {{.*}}No such file or directory
// CHECK-TEXT: omptarget error: device plugin '{{.*}}' is not used: {{.*}}invalid ELF header
// CHECK-VERSION: omptarget error: device plugin '{{.*}}' is not used: it is of another version: this runtime needs 2, the plugin has 3
// CHECK-REFUSES: omptarget error: device plugin '{{.*}}' is not used: it is of another version: this runtime needs 2; this plugin speaks version 7 only
// CHECK-SHORT: omptarget error: device plugin '{{.*}}' is not used: it is of another version: this runtime needs 2, the plugin has 2 with a shorter table
// CHECK-START: omptarget error: device plugin '{{.*}}' is not used: it failed to start: the coffee machine is out of beans
// CHECK-SYMBOL: omptarget error: device plugin '{{.*}}' is not used: it is not an accx device plugin (no symbol accx_plugin_get)
// CHECK-NONSENSE: omptarget error: device plugin '{{.*}}' is not used: it failed to start: ACCX_FAULT: 'nonsense:1' is no fault
// CHECK-VALUE: omptarget error: device plugin 'host' is not used: it failed to start: ACCX_HOST_DEVICES=many: must be a number from 0 to 1024
// CHECK-QUIET-NOT: error
// CHECK-HOST-NOT: error
// CHECK-HOST: on host, 0 devices
// CHECK-DEVICE-NOT: error
// CHECK-DEVICE: on device, 4 devices
// CHECK-MANDATORY: omptarget error: No images found compatible with the installed hardware.
// CHECK-MANDATORY: plugins.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
