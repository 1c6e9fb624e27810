//===- ItemsTest.cpp - What map items do ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of map items, one by one, through the entry points.
//
//===----------------------------------------------------------------------===//

#include "harness/Child.h"
#include "harness/Program.h"
#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <vector>

using namespace accx;
using namespace harness;

namespace {

struct Kernels {
  Library Lib{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Add = Lib.kernel("add");
  void *Sum = Lib.kernel("sum");
  Kernels() { Lib.registerNow(); }

  void add(int64_t *A, size_t N, int64_t Value, uint64_t Type) {
    Arguments()
        .map(A, N * 8, MapTargetParam | Type)
        .literal(N)
        .literal(static_cast<uintptr_t>(Value))
        .target(0, Add);
  }
};

bool there(const void *P) { return omp_target_is_present(P, 0); }

std::vector<int64_t> numbers(size_t N) {
  std::vector<int64_t> A(N);
  for (size_t I = 0; I < N; ++I)
    A[I] = static_cast<int64_t>(I);
  return A;
}

bool holds(const std::vector<int64_t> &A, size_t Begin, size_t End,
           int64_t Plus) {
  for (size_t I = Begin; I < End; ++I)
    if (A[I] != static_cast<int64_t>(I) + Plus)
      return false;
  return true;
}

} // namespace

TEST_CASE("Counts decide when data comes back") {
  Kernels K;
  auto A = numbers(100);
  Arguments All;
  All.map(A.data(), 800, MapTo | MapFrom);
  All.enter(0);
  All.enter(0);
  K.add(A.data(), 100, 1, MapTo | MapFrom);
  CHECK(holds(A, 0, 100, 0));
  All.exit(0);
  CHECK(there(A.data()));
  CHECK(holds(A, 0, 100, 0));
  All.exit(0);
  CHECK_FALSE(there(A.data()));
  CHECK(holds(A, 0, 100, 1));
  // One exit too many is none.
  All.exit(0);
  CHECK(holds(A, 0, 100, 1));
}

TEST_CASE("always copies whatever the count") {
  Kernels K;
  auto A = numbers(100);
  Arguments All;
  All.map(A.data(), 800, MapTo);
  All.enter(0);
  K.add(A.data(), 100, 1, MapTo | MapFrom | MapAlways);
  CHECK(holds(A, 0, 100, 1));
  for (auto &V : A)
    V += 10;
  Arguments Again;
  Again.map(A.data(), 800, MapTo | MapAlways);
  Again.enter(0);
  K.add(A.data(), 100, 1, MapFrom | MapAlways);
  CHECK(holds(A, 0, 100, 12));
  All.exit(0);
  All.exit(0);
  CHECK_FALSE(there(A.data()));
}

TEST_CASE("delete ends all counts at once") {
  Kernels K;
  auto A = numbers(10);
  Arguments All;
  All.map(A.data(), 80, MapTo);
  for (int I = 0; I < 5; ++I)
    All.enter(0);
  Arguments().map(A.data(), 80, MapDelete).exit(0);
  CHECK_FALSE(there(A.data()));
}

TEST_CASE("A hold outlives delete and release") {
  Kernels K;
  auto A = numbers(10);
  Arguments Hold, Dynamic;
  Hold.map(A.data(), 80, MapTo | MapFrom | MapOmpxHold);
  Dynamic.map(A.data(), 80, MapTo | MapFrom);
  Hold.enter(0);
  Dynamic.enter(0);
  K.add(A.data(), 10, 1, 0);
  Arguments().map(A.data(), 80, MapDelete).exit(0);
  CHECK(there(A.data()));
  Dynamic.exit(0);
  CHECK(there(A.data()));
  Hold.exit(0);
  CHECK_FALSE(there(A.data()));
  CHECK(holds(A, 0, 10, 1));
}

TEST_CASE("Small arrays of constructs in a row wait for nobody, kernels for "
          "all of them") {
  Kernels K;
  std::vector<std::vector<int64_t>> All(60, numbers(100));
  (void)takeEventCalls();
  for (auto &A : All)
    Arguments().map(A.data(), A.size() * 8, MapTo).enter(0);
  const accx_fault_event_calls Entered = takeEventCalls();
  // An event between two copies would keep the plugin from packing them.
  if (variant().rfind("staged", 0) == 0)
    CHECK(Entered.Records + Entered.Waits + Entered.Queries == 0);
  for (auto &A : All)
    K.add(A.data(), A.size(), 7, MapTo | MapFrom);
  for (auto &A : All) {
    Arguments().map(A.data(), A.size() * 8, MapFrom).exit(0);
    CHECK(holds(A, 0, A.size(), 7));
  }
}

TEST_CASE("Overlapping maps cover what their union covers") {
  Kernels K;
  auto A = numbers(300);
  Arguments Left, Middle, Right;
  Left.map(&A[0], 200 * 8, MapTo | MapFrom);
  Right.map(&A[100], 200 * 8, MapTo | MapFrom);
  Middle.map(&A[120], 50 * 8, MapTo | MapFrom);
  Left.enter(0);
  K.add(&A[0], 200, 1, 0);
  Right.enter(0);
  Middle.enter(0); // Inside of both.
  auto *First = static_cast<int64_t *>(omp_get_mapped_ptr(&A[0], 0));
  CHECK(omp_get_mapped_ptr(&A[299], 0) == First + 299);
  K.add(&A[100], 200, 10, 0);
  Middle.exit(0);
  Left.exit(0);
  // [0, 100) came back; the rest is still covered.
  CHECK(holds(A, 0, 100, 1));
  CHECK(holds(A, 100, 300, 0));
  Right.exit(0);
  CHECK(holds(A, 100, 200, 11));
  CHECK(holds(A, 200, 300, 10));
  for (size_t I = 0; I < 300; I += 10)
    CHECK_FALSE(there(&A[I]));
}

TEST_CASE("A zero-length item finds what its address is in") {
  Kernels K;
  auto A = numbers(100);
  Arguments All;
  All.map(&A[10], 400, MapTo | MapFrom);
  All.enter(0);
  int64_t Out = 0;
  Arguments()
      .map(&Out, 8, MapTargetParam | MapFrom)
      .map(&A[20], 0, MapTargetParam)
      .literal(uintptr_t(3))
      .target(0, K.Sum);
  CHECK(Out == 20 + 21 + 22);
  Arguments().map(&A[20], 0, 0).exit(0);
  All.exit(0);
}

TEST_CASE("use_device_ptr gets the base of a section") {
  Kernels K;
  auto A = numbers(100);
  Arguments Section;
  Section.item(A.data(), &A[30], 40 * 8, MapTo | MapReturnParam);
  Section.enter(0);
  CHECK(Section.base(0) ==
        static_cast<int64_t *>(omp_get_mapped_ptr(&A[30], 0)) - 30);
  Arguments().map(&A[30], 40 * 8, MapDelete).exit(0);
}

TEST_CASE("Private arguments are copies of their own") {
  Kernels K;
  auto A = numbers(100);
  auto Big = numbers(2000);
  // firstprivate: the kernel changes its copy only. Small ones are packed.
  for (auto *V : {&A, &Big})
    Arguments()
        .item(V->data(), V->data(), static_cast<int64_t>(V->size() * 8),
              MapTargetParam | MapPrivate | MapTo)
        .literal(V->size())
        .literal(uintptr_t(5))
        .target(0, K.Add);
  CHECK(holds(A, 0, 100, 0));
  CHECK(holds(Big, 0, 2000, 0));
  for (auto *V : {&A, &Big}) {
    int64_t Out = -1;
    Arguments()
        .map(&Out, 8, MapTargetParam | MapFrom)
        .item(V->data(), V->data(), static_cast<int64_t>(V->size() * 8),
              MapTargetParam | MapPrivate | MapTo)
        .literal(V->size())
        .target(0, K.Sum);
    const auto N = static_cast<int64_t>(V->size());
    CHECK(Out == N * (N - 1) / 2);
  }
  CHECK_FALSE(there(A.data()));
}

TEST_CASE("Many small privates keep their alignment") {
  Kernels K;
  alignas(64) char Bytes[3][64] = {};
  int64_t Values[2] = {40, 2};
  int64_t Out = 0;
  Arguments()
      .map(&Out, 8, MapTargetParam | MapFrom)
      .item(Values, Values, 16, MapTargetParam | MapPrivate | MapTo)
      .literal(uintptr_t(2))
      .item(&Bytes[0][1], &Bytes[0][1], 1, MapTargetParam | MapPrivate | MapTo)
      .item(&Bytes[1], &Bytes[1], 64, MapTargetParam | MapPrivate | MapTo)
      .item(&Bytes[2][3], &Bytes[2][3], 5, MapTargetParam | MapPrivate)
      .target(0, K.Sum);
  CHECK(Out == 42);
}

TEST_CASE("absent-present", "[.]") {
  Kernels K;
  auto A = numbers(10);
  const std::string How = std::getenv("HOW");
  Arguments Item;
  Item.map(A.data(), 80, MapTo | MapFrom | MapPresent, ";A;absent.c;4;9;;");
  if (How == "enter")
    Item.enter(0, ";absent.c;f;6;1;;");
  else if (How == "exit")
    Item.exit(0, ";absent.c;f;6;1;;");
  else if (How == "update")
    Item.update(0, ";absent.c;f;6;1;;");
  else {
    Arguments().map(A.data(), 40, MapTo).enter(0);
    Item.enter(0, ";absent.c;f;6;1;;");
  }
}

TEST_CASE("present without the data is the standard's error") {
  for (const char *How : {"enter", "exit", "update", "partly"}) {
    Child C = runCase("absent-present", {{"HOW", How}});
    INFO(How << "\n" << C.Err);
    CHECK(C.Signal == SIGABRT);
    CHECK(C.has("omptarget error: absent.c:6: 'A' is not present on device 0: "
                "80 bytes at 0x"));
    CHECK(C.has(std::string(How) == "partly" ? ", the first 40 bytes of these"
                                             : "nothing is present there"));
    CHECK(C.has("absent.c:6:1: omptarget fatal error 1: "));
  }
}

TEST_CASE("present without the data is told in LLVM's words if asked for") {
  for (const char *How : {"enter", "exit", "update", "partly"}) {
    Child C =
        runCase("absent-present", {{"HOW", How}, {"ACCX_STRICT_MAP", "1"}});
    INFO(How << "\n" << C.Err);
    CHECK(C.Signal == SIGABRT);
    CHECK(C.has("device mapping required by 'present' "));
    CHECK(C.has("(80 bytes)"));
    CHECK(C.has("absent.c:6:1: omptarget fatal error 1: "));
  }
}

TEST_CASE("present with the data is no error, also by two entries") {
  Kernels K;
  auto A = numbers(100);
  Arguments().map(&A[0], 60 * 8, MapTo).enter(0);
  Arguments().map(&A[60], 40 * 8, MapTo).enter(0);
  Arguments Item;
  Item.map(&A[0], 800, MapTo | MapPresent);
  Item.enter(0);
  Item.exit(0);
  Arguments().map(&A[0], 60 * 8, MapDelete).exit(0);
  Arguments().map(&A[60], 40 * 8, MapDelete).exit(0);
  CHECK_FALSE(there(&A[10]));
}
