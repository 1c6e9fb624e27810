// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and numbers of devices; acc_on_device on both sides; settings by
// environment.

// RUN: %clangxx -g %s -o %t
// RUN: env ACCX_HOST_DEVICES=4 %run %t 0
// RUN: env ACCX_HOST_DEVICES=4 ACC_DEVICE_NUM=2 %run %t 2
// RUN: env ACCX_HOST_DEVICES=4 ACC_DEVICE_TYPE=MultiCore ACC_DEVICE_NUM=3 \
// RUN:   %run %t 3
// RUN: env ACCX_HOST_DEVICES=4 ACC_DEVICE_TYPE=ACC_DEVICE_NOT_HOST %run %t 0
// RUN: env ACCX_HOST_DEVICES=4 ACC_DEVICE_TYPE=default ACC_DEVICE_NUM=1 \
// RUN:   %run %t 1
// RUN: env ACCX_HOST_DEVICES=4 OMP_DEFAULT_DEVICE=2 %run %t 2
// RUN: env ACCX_HOST_DEVICES=4 ACC_DEVICE_TYPE=host %run %t -1
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t -1

// RUN: env ACC_DEVICE_TYPE=nvidia %run not --crash %t 0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// TYPE: ACC_DEVICE_TYPE='nvidia' ACC_DEVICE_NUM='0' names no device that is
// TYPE-SAME: present. There are: 1 host, {{[0-9]+}} multicore
// TYPE-NOT: ACC_DEVICE
// RUN: env ACC_DEVICE_TYPE=gpux %run not --crash %t 0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORD
// WORD: ACC_DEVICE_TYPE='gpux'
// RUN: env ACCX_HOST_DEVICES=2 ACC_DEVICE_NUM=2 %run not --crash %t 0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NUMBER
// NUMBER: ACC_DEVICE_NUM='2' names no device
// RUN: %run not --crash %t set 2>&1 | FileCheck %s --check-prefix=SET
// SET: acc_set_device_num: there is no device 99 of type multicore

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <openacc.h>
#include <thread>

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #Condition);             \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

#pragma omp begin declare target
static int called(acc_device_t Type) { return acc_on_device(Type); }
template <typename T> T generic(T Type) {
  return static_cast<T>(acc_on_device(Type));
}
#pragma omp end declare target

/// The device constructs without a device clause go to.
static int where() {
  static thread_local int Here;
  int *Place = &Here, Device = 0;
#pragma omp target enter data map(alloc : Place[0 : 1])
  while (Device < omp_get_initial_device() &&
         !omp_target_is_present(Place, Device))
    ++Device;
#pragma omp target exit data map(delete : Place[0 : 1])
  return Device;
}

static void onDevice(bool Host) {
  constexpr acc_device_t Types[] = {acc_device_none,      acc_device_default,
                                    acc_device_host,      acc_device_not_host,
                                    acc_device_nvidia,    acc_device_radeon,
                                    acc_device_multicore, acc_device_current};
  const bool HostIsDefault = Host;
  const int Expected[2][8] = {{0, 1, 0, 1, 0, 0, 1, 1},
                              {1, HostIsDefault, 1, 0, 0, 0, 0, 1}};
  for (int I = 0; I < 8; ++I) {
    acc_device_t Type = Types[I];
    int There[3];
#pragma omp target map(from : There) map(to : Type)
    {
      There[0] = acc_on_device(Type) != 0;
      There[1] = called(Type) != 0;
      There[2] = generic(Type) != 0;
    }
    for (int Answer : There)
      CHECK(Answer == Expected[Host][I]);
    CHECK((acc_on_device(Type) != 0) == Expected[1][I]);
    CHECK((called(Type) != 0) == Expected[1][I]);
  }
}

static void properties(int Devices) {
  const acc_device_t Type = acc_device_multicore;
  for (int I = 0; I < Devices; ++I) {
    CHECK(acc_get_property(I, Type, acc_property_memory) > 0);
    CHECK(acc_get_property(I, Type, acc_property_free_memory) > 0);
    CHECK(!acc_get_property(I, Type, acc_property_shared_memory_support));
    CHECK(std::strlen(acc_get_property_string(I, Type, acc_property_name)));
    CHECK(std::strlen(acc_get_property_string(I, Type, acc_property_vendor)));
    CHECK(std::strlen(acc_get_property_string(I, Type, acc_property_driver)));
  }
  CHECK(!acc_get_property(Devices, Type, acc_property_memory));
  CHECK(!acc_get_property(-1, Type, acc_property_memory));
  CHECK(!acc_get_property(0, acc_device_nvidia, acc_property_memory));
  CHECK(!acc_get_property_string(0, acc_device_nvidia, acc_property_name));
  CHECK(!acc_get_property_string(0, Type, acc_property_memory));
  CHECK(!acc_get_property(0, Type, acc_property_name));
  CHECK(acc_get_property(0, acc_device_host, acc_property_memory) > 0);
  CHECK(acc_get_property(0, acc_device_host,
                         acc_property_shared_memory_support) == 1);
}

int main(int, char **Argv) {
  const int Devices = acc_get_num_devices(acc_device_multicore);
  CHECK(acc_get_num_devices(acc_device_host) == 1);
  CHECK(acc_get_num_devices(acc_device_none) == 0);
  CHECK(acc_get_num_devices(acc_device_nvidia) == 0);
  if (!std::strcmp(Argv[1], "set")) {
    acc_set_device_num(99, acc_device_multicore);
    return 0;
  }
  const int First = std::atoi(Argv[1]);
  const bool Host = First < 0;
  // Threads of the program have it too, whether they come before or after.
  int InThread = -7;
  std::thread([&] { InThread = where(); }).join();
  CHECK(InThread == (Host ? omp_get_initial_device() : First));
  int InRegion[2] = {-7, -7};
#pragma omp parallel num_threads(2)
  InRegion[omp_get_thread_num()] = acc_get_device_num(acc_device_current);
  CHECK(InRegion[0] == (Host ? 0 : First) && InRegion[1] == InRegion[0]);

  CHECK(acc_get_device_type() ==
        (Host ? acc_device_host : acc_device_multicore));
  CHECK(acc_get_device_num(acc_get_device_type()) == (Host ? 0 : First));
  CHECK(where() == (Host ? omp_get_initial_device() : First));
  onDevice(Host);
  if (Host)
    return 0;

  CHECK(acc_get_num_devices(acc_device_not_host) == Devices);
  CHECK(acc_get_num_devices(acc_device_default) == Devices);
  for (int I = 0; I < Devices; ++I) {
    acc_set_device_num(I, acc_device_multicore);
    CHECK(where() == I && omp_get_default_device() == I);
    CHECK(acc_get_device_num(acc_device_multicore) == I);
    CHECK(acc_get_device_num(acc_device_not_host) == I);
    CHECK(acc_get_device_num(acc_device_nvidia) == 0);
    // Stays, as it is of that type.
    acc_set_device_type(acc_device_not_host);
    CHECK(where() == I);
  }
  acc_set_device_type(acc_device_host);
  CHECK(where() == omp_get_initial_device());
  CHECK(acc_get_device_type() == acc_device_host);
  acc_set_device_type(acc_device_multicore);
  CHECK(acc_get_device_type() == acc_device_multicore);
  acc_set_device_num(1, acc_device_none);
  CHECK(where() == 1);
  // Another thread's device is its own.
  std::thread([] { acc_set_device_num(0, acc_device_multicore); }).join();
  CHECK(where() == 1);
  // A member of a region has what its region's thread set.
  int Inherited = -7;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    Inherited = acc_get_device_num(acc_device_multicore);
  CHECK(Inherited == 1);
  properties(Devices);
  return 0;
}
