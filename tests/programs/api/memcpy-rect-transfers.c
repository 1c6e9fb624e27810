// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rectangle takes as few transfers as its layout allows.
// RUN: %clang %s -o %t
// RUN: %run LIBOMPTARGET_INFO=32 %t 2>&1 | FileCheck %s

#include "Inputs/expect.h"
#include <string.h>

enum { X = 8, Y = 16, Z = 32 };
static int Cube[X][Y][Z];

static void copy(const char *Name, int *Device, size_t X0, size_t Y0, size_t Z0,
                 size_t NX, size_t NY, size_t NZ) {
  const size_t Volume[3] = {NX, NY, NZ}, Offsets[3] = {X0, Y0, Z0},
               Dims[3] = {X, Y, Z};
  fprintf(stderr, "%s\n", Name);
  EXPECT(omp_target_memcpy_rect(Device, Cube, sizeof(int), 3, Volume, Offsets,
                                Offsets, Dims, Dims, 0,
                                omp_get_initial_device()) == 0);
}

int main(void) {
  expectDevices();
  int *Device = omp_target_alloc(sizeof(Cube), 0);

  // CHECK: all
  // CHECK-NEXT: Copying data from host to device, {{.*}} Size=16384, Name=unknown
  // CHECK-NEXT: planes
  copy("all", Device, 0, 0, 0, X, Y, Z);
  // CHECK-NEXT: Copying data from host to device, {{.*}} Size=6144,
  // CHECK-NEXT: rows
  copy("planes", Device, 2, 0, 0, 3, Y, Z);
  // Whole rows of some planes: one pitched transfer of 2 runs of 5 rows.
  // CHECK-NEXT: Copying data from host to device, {{.*}} Size=1280,
  // CHECK-NEXT: column
  copy("rows", Device, 1, 4, 0, 2, 5, Z);
  // CHECK-NEXT: Copying data from host to device, {{.*}} Size=512,
  // CHECK-NEXT: face
  copy("column", Device, 0, 0, 3, X, Y, 1);
  // CHECK-NEXT: Copying data from host to device, {{.*}} Size=384,
  // CHECK-NEXT: block
  copy("face", Device, 5, 2, 10, 1, 12, 8);
  // Three dimensions that nothing unites: the longer outer one is the pitch.
  // CHECK-COUNT-3: Copying data from host to device, {{.*}} Size=320,
  // CHECK-NEXT: nothing
  copy("block", Device, 1, 2, 3, 3, 10, 8);
  // CHECK-NEXT: end
  copy("nothing", Device, 1, 2, 3, 3, 0, 8);
  fprintf(stderr, "end\n");
  omp_target_free(Device, 0);
  return 0;
}
