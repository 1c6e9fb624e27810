// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through pointers to `declare target indirect` functions, which become
// the device's functions on their way there.
//
// RUN: %clangxx -g -fopenmp-version=51 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <cstdio>
#include <omp.h>

#pragma omp begin declare target indirect
int twice(int X) { return 2 * X; }
int square(int X) { return X * X; }
int onDevice(int) { return !omp_is_initial_device(); }
#pragma omp end declare target

using Function = int (*)(int);

static int call(Function F, int Device, int X, Function &Place) {
  int Result = -1;
#pragma omp target map(from : Result, Place) device(Device)
  {
    Result = F(X);
    Place = F;
  }
  return Result;
}

int main() {
  for (int Device = 0; Device < omp_get_num_devices(); ++Device) {
    Function Places[3];
    std::printf("%d %d %d", call(twice, Device, 5, Places[0]),
                call(square, Device, 9, Places[1]),
                call(onDevice, Device, 0, Places[2]));
    const bool Own = Places[0] != twice && Places[1] != square &&
                     Places[2] != onDevice && Places[0] != Places[1];
    std::printf(Own ? ", the device's own\n" : ", the host's\n");
  }
  return 0;
}

// CHECK-COUNT-4: 10 81 1, the device's own
