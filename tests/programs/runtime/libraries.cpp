// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offloading libraries that are linked, opened and closed: each has globals of
// its own, loaded anew with every opening, constructed before and destroyed
// after their use.
//
// RUN: %clangxx -g -fPIC -shared -DGUEST=2 %S/Inputs/guest.cpp -o %t.2.so
// RUN: %clangxx -g -fPIC -shared -DGUEST=3 %S/Inputs/guest.cpp -o %t.3.so
// RUN: %clangxx -g -DGUEST=1 -c %S/Inputs/guest.cpp -o %t.1.o
// RUN: %clangxx -g %s %t.1.o -o %t
// RUN: %run %t %t.2.so %t.3.so 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t %t.2.so %t.3.so 2>&1 | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t %t.2.so %t.3.so 2>&1 | FileCheck %s

#include <cstdio>
#include <dlfcn.h>
#include <omp.h>

extern "C" int guest(int Device, int Add);

#pragma omp begin declare target
static int Plain = 1000;
#pragma omp end declare target

static int Wrong = 0;
#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition))                                                          \
      std::printf("line %d: %s\n", __LINE__, #Condition), ++Wrong;             \
  } while (0)

int main(int, char **Argv) {
  int Own = 0, Added = 0;
  for (int Round = 0; Round < 25; ++Round) {
    void *Two = dlopen(Argv[1], RTLD_NOW | RTLD_LOCAL);
    void *Three = dlopen(Argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!Two || !Three) {
      std::printf("%s\n", dlerror());
      return 1;
    }
    using Guest = int (*)(int, int);
    auto GuestTwo = reinterpret_cast<Guest>(dlsym(Two, "guest"));
    auto GuestThree = reinterpret_cast<Guest>(dlsym(Three, "guest"));
    const int Device = Round % omp_get_num_devices();
    EXPECT(GuestTwo(Device, 5) == 7);
    EXPECT(GuestThree(Device, 5) == 8);
    EXPECT(GuestTwo(Device, 1) == 8);
    if (Round % 2)
      dlclose(Two);
    EXPECT(GuestThree(Device, 1) == 9);
    if (Device == 0)
      EXPECT(guest(0, 1) == 1 + ++Added);
#pragma omp target map(from : Own)
    Own = ++Plain;
    EXPECT(Own == 1001 + Round);
    dlclose(Three);
    if (Round % 2 == 0)
      dlclose(Two);
  }
  std::printf("%d wrong\n", Wrong);
  return 0;
}

// CHECK-NOT: when unloaded
// CHECK: {{^}}0 wrong
// CHECK-NOT: when unloaded
