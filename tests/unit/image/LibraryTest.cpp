//===- LibraryTest.cpp - Registered libraries and their globals -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several libraries at once, libraries that come and go, and globals.
//
//===----------------------------------------------------------------------===//

#include "harness/Child.h"
#include "harness/Program.h"
#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

using namespace accx;
using namespace harness;

namespace {

std::vector<char> arraysImage() {
  return readFile(ACCX_TEST_PLUGINS "/arrays.img");
}

/// A library over arrays.img with a counter on host and device.
struct ArraysLibrary {
  int64_t Counter = 0;
  Library Lib{arraysImage()};
  void *Add = Lib.kernel("add");
  void *Count = Lib.kernel("count");

  ArraysLibrary() {
    Lib.global("device_counter", &Counter, sizeof(Counter));
    Lib.registerNow();
  }
  int64_t count(int Device, int64_t Value) {
    int64_t Out = 0;
    Arguments()
        .map(&Out, sizeof(Out), MapTargetParam | MapFrom)
        .literal(static_cast<uintptr_t>(Value))
        .target(Device, Count);
    return Out;
  }
};

} // namespace

TEST_CASE("There are as many devices as the plugin has") {
  ArraysLibrary L;
  CHECK(__tgt_get_num_devices() == 4);
  CHECK(omp_get_num_devices() == 4);
  CHECK(omp_get_initial_device() == 4);
}

TEST_CASE("A global has one instance a device and library") {
  ArraysLibrary A, B;
  for (int Device = 0; Device < 4; ++Device) {
    CHECK(A.count(Device, 1) == 1);
    CHECK(A.count(Device, 10) == 11);
    CHECK(B.count(Device, 100) == 100);
    CHECK(omp_target_is_present(&A.Counter, Device));
    CHECK(omp_get_mapped_ptr(&A.Counter, Device) !=
          omp_get_mapped_ptr(&B.Counter, Device));
  }
  CHECK(A.Counter == 0);
  Arguments().map(&A.Counter, sizeof(A.Counter), MapFrom).update(2);
  CHECK(A.Counter == 11);
  A.Counter = 1000;
  Arguments().map(&A.Counter, sizeof(A.Counter), MapTo).update(3);
  CHECK(A.count(3, 1) == 1001);
  CHECK(A.count(2, 1) == 12);
}

TEST_CASE("Mapping a global changes neither its place nor its count") {
  ArraysLibrary L;
  CHECK(L.count(0, 7) == 7);
  void *Place = omp_get_mapped_ptr(&L.Counter, 0);
  Arguments Map;
  Map.map(&L.Counter, sizeof(L.Counter), MapTo | MapFrom);
  Map.enter(0);
  CHECK(omp_get_mapped_ptr(&L.Counter, 0) == Place);
  Map.exit(0);
  Map.exit(0);
  CHECK(omp_get_mapped_ptr(&L.Counter, 0) == Place);
  CHECK(L.count(0, 1) == 8);
  Arguments().map(&L.Counter, sizeof(L.Counter), MapDelete).exit(0);
  CHECK(omp_get_mapped_ptr(&L.Counter, 0) == Place);
}

TEST_CASE("A library's globals go with it") {
  auto First = std::make_unique<ArraysLibrary>();
  CHECK(First->count(1, 5) == 5);
  const int64_t *Where = &First->Counter;
  CHECK(omp_target_is_present(Where, 1));
  First->Lib.unregisterNow();
  CHECK_FALSE(omp_target_is_present(Where, 1));
  // Registered anew the image is loaded anew.
  First->Lib.registerNow();
  CHECK(First->count(1, 5) == 5);
}

TEST_CASE("Libraries come and go while another one works") {
  ArraysLibrary Stays;
  std::atomic<bool> Stop{false};
  std::atomic<int> Wrong{0};
  std::vector<std::thread> Workers;
  for (int T = 0; T < 3; ++T)
    Workers.emplace_back([&, T] {
      std::vector<int64_t> A(100, T);
      int64_t Expected = T;
      while (!Stop) {
        Arguments()
            .map(A.data(), A.size() * 8, MapTargetParam | MapTo | MapFrom)
            .literal(A.size())
            .literal(uintptr_t(3))
            .target(T, Stays.Add);
        Expected += 3;
        for (int64_t V : A)
          Wrong += V != Expected;
      }
    });
  for (int I = 0; I < 40; ++I) {
    ArraysLibrary Guest;
    const int Device = I % 4;
    Wrong += Guest.count(Device, I) != I;
    Wrong += Guest.count(Device, 1) != I + 1;
  }
  Stop = true;
  for (std::thread &T : Workers)
    T.join();
  CHECK(Wrong == 0);
}

TEST_CASE("requires-mismatch", "[.]") {
  ArraysLibrary A;
  Library First(arraysImage()), Second(arraysImage());
  First.requires_(RequiresUnifiedSharedMemory);
  First.registerNow();
  Second.requires_(RequiresReverseOffload | RequiresUnifiedSharedMemory);
  Second.registerNow();
}

TEST_CASE("requires clauses that differ are fatal") {
  Child C = runCase("requires-mismatch");
  INFO(C.Err);
  CHECK(C.Signal == SIGABRT);
  CHECK(C.has("omptarget fatal error 2: '#pragma omp requires "
              "reverse_offload' not used consistently!"));
}

TEST_CASE("global-of-other-size", "[.]") {
  int64_t Host[2] = {};
  Library Lib(arraysImage());
  void *Add = Lib.kernel("add");
  Lib.global("device_counter", Host, sizeof(Host));
  Lib.registerNow();
  Arguments().target(0, Add, 0, ";grid.c;main;3;1;;");
}

TEST_CASE("global-missing", "[.]") {
  int64_t Host = 0;
  Library Lib(arraysImage());
  void *Add = Lib.kernel("add");
  Lib.global("no_such_variable", &Host, sizeof(Host));
  Lib.registerNow();
  Arguments().target(0, Add, 0, ";grid.c;main;3;1;;");
}

TEST_CASE("A global that the image lacks or has smaller is fatal") {
  Child Smaller = runCase("global-of-other-size");
  INFO(Smaller.Err);
  CHECK(Smaller.Signal == SIGABRT);
  CHECK(Smaller.has("global 'device_counter': it has 8 bytes in the image, but "
                    "16 in the program"));
  CHECK(Smaller.has("grid.c:3:1: "));
  Child Missing = runCase("global-missing");
  INFO(Missing.Err);
  CHECK(Missing.Signal == SIGABRT);
  CHECK(Missing.has("global 'no_such_variable': "));
}

TEST_CASE("kernel-missing", "[.]") {
  Library Lib(arraysImage());
  void *None = Lib.kernel("no_such_kernel");
  Lib.registerNow();
  Arguments().target(0, None, 0, ";grid.c;main;3;1;;");
}

TEST_CASE("region-unknown", "[.]") {
  ArraysLibrary L;
  static char NotRegistered;
  Arguments().target(0, &NotRegistered, 0, ";grid.c;main;3;1;;");
}

TEST_CASE("A kernel that the image lacks is fatal") {
  Child Missing = runCase("kernel-missing");
  INFO(Missing.Err);
  CHECK(Missing.Signal == SIGABRT);
  CHECK(Missing.has("kernel 'no_such_kernel': "));
  CHECK(Missing.has("grid.c:3:1: "));
  Child Unknown = runCase("region-unknown");
  INFO(Unknown.Err);
  CHECK(Unknown.Signal == SIGABRT);
  CHECK(Unknown.has("does not have a matching target pointer"));
}
