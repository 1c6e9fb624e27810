// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of devices agree, from both libraries and before any construct.
// RUN: %clang %s -o %t
// RUN: %run %t 4
// RUN: %run ACCX_HOST_DEVICES=2 %t 2
// RUN: %run OMP_DEFAULT_DEVICE=1 %t 4

#include "Inputs/expect.h"
#include <string.h>

extern int __tgt_get_num_devices(void);

int main(int argc, char **argv) {
  const int Expected = atoi(argv[1]);
  EXPECT(omp_get_num_devices() == Expected);
  EXPECT(__tgt_get_num_devices() == Expected);
  EXPECT(omp_get_initial_device() == Expected);
  EXPECT(omp_get_device_num() == Expected);
  EXPECT(omp_is_initial_device());

  int Seen[8] = {0};
  for (int D = 0; D < Expected; ++D) {
    int Number = -1, Initial = -1;
#pragma omp target device(D) map(from : Number, Initial)
    {
      Number = D;
      Initial = omp_is_initial_device();
    }
    EXPECT(!Initial);
    Seen[Number]++;
  }
  for (int D = 0; D < Expected; ++D)
    EXPECT(Seen[D] == 1);

  int OnHost = 0;
#pragma omp target device(omp_get_initial_device()) map(from : OnHost)
  OnHost = omp_is_initial_device();
  EXPECT(OnHost);
  return 0;
}
