// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// init, shutdown and set become calls; cache becomes nothing.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: calls(
// CHECK: __accx_acc_init({{[0-9]+}});
// CHECK: __accx_acc_init_device(0, {{[0-9]+}});
// CHECK: __accx_acc_init({{[0-9]+}});
// CHECK: __accx_acc_set_device_num(D, {{[0-9]+}});
// CHECK: __accx_acc_set_device_num(D, {{[0-9]+}});
// CHECK: __accx_acc_set_device_type({{[0-9]+}});
// CHECK: __accx_acc_set_default_async(3);
// CHECK: __accx_acc_set_device_num(0, {{[0-9]+}});
// CHECK: __accx_acc_set_default_async(4);
// CHECK: __accx_acc_shutdown({{[0-9]+}});
// CHECK: __accx_acc_shutdown_device(1, {{[0-9]+}});
void calls(int D, int C) {
#pragma acc init
#pragma acc init device_type(host) device_num(0)
#pragma acc init device_type(nvidia) if (C)
#pragma acc set device_num(D)
#pragma acc set device_num(D) device_type(nvidia)
#pragma acc set device_type(host)
#pragma acc set default_async(3) if (C)
#pragma acc set device_num(0) default_async(4)
#pragma acc shutdown
#pragma acc shutdown device_type(host) device_num(1)
}

// CHECK-LABEL: behindIf(
// CHECK: __accx_acc_set_device_num(1, {{[0-9]+}});
// CHECK: __accx_acc_set_device_num(2, {{[0-9]+}});
void behindIf(int C) {
  if (C)
#pragma acc set device_num(1)
    else
#pragma acc set device_num(2)
        C = 1;
}

// CHECK-LABEL: cache(
// CHECK: #pragma omp target teams distribute parallel for
void cache(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
#pragma acc cache(A[I : 1])
    A[I] += 1;
  }
}
