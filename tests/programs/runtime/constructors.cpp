// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors and destructors of device globals: in the order of the program,
// once a device, before the first region and after the last.
//
// RUN: %clangxx -g %s -o %t
// RUN: %run ACCX_HOST_DEVICES=1 %t 2>&1 | FileCheck %s
// RUN: %run ACCX_HOST_DEVICES=1 ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s

#include <cstdio>
#include <omp.h>

#pragma omp begin declare target
static int Order = 0;
struct Object {
  int Id;
  int Place;
  Object(int Id) : Id(Id), Place(++Order) {}
  ~Object() {
    if (!omp_is_initial_device())
      std::printf("device destroys %d\n", Id);
  }
};
static Object First(1);
static Object Second(2);
static Object Third(3);
#pragma omp end declare target

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  int Places[3] = {}, Total = 0;
#pragma omp target map(from : Places, Total)
  {
    Places[0] = First.Place;
    Places[1] = Second.Place;
    Places[2] = Third.Place;
    Total = Order;
  }
  std::printf("constructed %d %d %d of %d\n", Places[0], Places[1], Places[2],
              Total);
  return 0;
}

// CHECK: constructed 1 2 3 of 3
// CHECK-NEXT: device destroys 3
// CHECK-NEXT: device destroys 2
// CHECK-NEXT: device destroys 1
