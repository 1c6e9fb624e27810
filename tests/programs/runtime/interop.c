// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interop objects: what they say about themselves and their device, and
// dependences through them.
//
// RUN: %clang -g -fopenmp-version=51 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <omp.h>
#include <stdio.h>

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      printf("line %d: %s\n", __LINE__, #c), ++wrong;                          \
  } while (0)

int main(void) {
  int a[100] = {0};
  // Without a region there would be no image, and so no device.
#pragma omp target map(tofrom : a)
  a[0] = 1;
  for (int d = 0; d < omp_get_num_devices(); ++d) {
    omp_interop_t object = omp_interop_none;
    int error = 1;
#pragma omp interop init(target : object) device(d)
    EXPECT(object != omp_interop_none);
    EXPECT(omp_get_interop_int(object, omp_ipr_device_num, &error) == d);
    EXPECT(error == 0);
    EXPECT(omp_get_num_interop_properties(object) >= 0);
    EXPECT(omp_get_interop_name(object, omp_ipr_device_num) != 0);
    EXPECT(omp_get_interop_type_desc(object, omp_ipr_device_num) != 0);
    error = 0;
    omp_get_interop_int(object, (omp_interop_property_t)(-100), &error);
    EXPECT(error < 0);
#pragma omp interop use(object)
#pragma omp interop destroy(object)
    EXPECT(object == omp_interop_none);
  }
  omp_interop_t sync = omp_interop_none;
#pragma omp interop init(targetsync : sync) device(0)
  EXPECT(sync != omp_interop_none);
#pragma omp interop destroy(sync)

  int error = 0;
  omp_get_interop_int(omp_interop_none, omp_ipr_device_num, &error);
  EXPECT(error != 0);
  printf("%d wrong\n", wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
