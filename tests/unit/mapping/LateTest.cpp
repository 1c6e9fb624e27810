//===- LateTest.cpp - Regions whose waits come later ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that may be late, between constructs that wait for them by
// themselves, and on many threads that use the same data.
//
//===----------------------------------------------------------------------===//

#include "accx/late.h"
#include "harness/Program.h"
#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <deque>
#include <random>
#include <thread>

using namespace accx;
using namespace harness;

extern "C" int omp_target_is_present(const void *, int);

namespace {

constexpr uint64_t Plain = MapTargetParam | MapTo | MapFrom;

struct Kernels {
  Library Lib{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Add = Lib.kernel("add");
  void *Sum = Lib.kernel("sum");
  void *Spin = Lib.kernel("spin");
  Kernels() { Lib.registerNow(); }
};

/// Late regions of a thread, with what has to live until they are settled.
struct Regions {
  Kernels &K;
  std::deque<Arguments> All;

  Arguments &next() { return All.emplace_back(); }
  void add(std::vector<int64_t> &A, int64_t Value) {
    next()
        .map(A.data(), A.size() * 8, Plain)
        .literal(A.size())
        .literal(uintptr_t(Value))
        .late(0, K.Add);
  }
  void spin(uint64_t N) { next().literal(N).late(0, K.Spin); }
  void settle() {
    __accx_settle(ACCX_SETTLE_ALL);
    All.clear();
  }
};

/// Data on device 0.
struct Present {
  std::vector<int64_t> &A;
  explicit Present(std::vector<int64_t> &A) : A(A) {
    Arguments().map(A.data(), A.size() * 8, MapTo).enter(0);
  }
  void fetch() { Arguments().map(A.data(), A.size() * 8, MapFrom).update(0); }
  ~Present() { Arguments().map(A.data(), A.size() * 8, MapFrom).exit(0); }
};

} // namespace

TEST_CASE("Late regions run in order and end at a settle") {
  Kernels K;
  Regions R{K, {}};
  std::vector<int64_t> A(1000, 1);
  Present P(A);
  R.spin(1000000);
  for (int I = 0; I < 700; ++I)
    R.add(A, I);
  CHECK(A[0] == 1);
  R.settle();
  P.fetch();
  CHECK(A[0] == 1 + 700 * 699 / 2);
  CHECK(A[999] == A[0]);
}

TEST_CASE("Other constructs come after late regions") {
  Kernels K;
  Regions R{K, {}};
  std::vector<int64_t> A(1000, 1), B(1000, 2);
  {
    Present P(A);
    R.spin(1000000);
    R.add(A, 5);
    P.fetch();
    CHECK(A[7] == 6);
    R.spin(1000000);
    R.add(A, 5);
    // What is not present is there, and back, at once.
    R.add(B, 7);
    CHECK(B[7] == 9);
    CHECK_FALSE(omp_target_is_present(B.data(), 0));
    R.spin(1000000);
    R.add(A, 5);
    Arguments()
        .map(A.data(), A.size() * 8, Plain)
        .literal(A.size())
        .literal(uintptr_t(1))
        .target(0, K.Add);
    R.spin(1000000);
    R.add(A, 5);
  }
  CHECK(A[7] == 22);
  CHECK_FALSE(omp_target_is_present(A.data(), 0));
}

TEST_CASE("Threads find data as long as late regions use them") {
  Kernels K;
  constexpr int NumThreads = 12, Rounds = 30;
  std::vector<int64_t> Common(5000, 3);
  std::atomic<unsigned> Wrong{0};
  auto Run = [&](int Number) {
    std::mt19937 Random(static_cast<unsigned>(Number));
    std::vector<int64_t> Own(600, 0), Out(1, 0);
    Regions R{K, {}};
    for (int Round = 0; Round < Rounds; ++Round) {
      int64_t Want = Own[0];
      {
        Present P(Own), O(Out);
        // Others map it and let it go meanwhile.
        Arguments().map(Common.data(), Common.size() * 8, MapTo).enter(0);
        for (unsigned I = Random() % 8; I-- > 0;) {
          if (Random() % 4 == 0)
            R.spin(Random() % 20000);
          R.add(Own, I);
          Want += I;
          R.next()
              .map(Out.data(), 8, Plain)
              .map(Common.data(), Common.size() * 8, Plain)
              .literal(Common.size())
              .late(0, K.Sum);
        }
        if (Random() % 2)
          R.settle();
        Arguments().map(Common.data(), Common.size() * 8, 0).exit(0);
        P.fetch();
        Wrong += Own[0] != Want;
      }
      R.settle();
      Wrong += Own[599] != Want;
      Wrong += Out[0] != 0 && Out[0] != 15000;
    }
  };
  std::vector<std::thread> Threads;
  for (int I = 0; I < NumThreads; ++I)
    Threads.emplace_back(Run, I);
  for (std::thread &T : Threads)
    T.join();
  CHECK(Wrong == 0);
  CHECK_FALSE(omp_target_is_present(Common.data(), 0));
}

TEST_CASE("Data constructs beside late regions") {
  Kernels K;
  Regions R{K, {}};
  std::vector<int64_t> A(1000, 1), B(1000, 2);
  Present P(A);
  auto Map = [](std::vector<int64_t> &V, uint64_t Type) -> Arguments {
    Arguments Args;
    Args.map(V.data(), V.size() * 8, Type);
    return Args;
  };
  SECTION("that find everything") {
    for (int I = 0; I < 300; ++I) {
      Map(A, I % 2 ? MapTo : 0).enter(0);
      R.add(A, I);
      Map(A, I % 3 ? uint64_t(MapFrom) : 0).exit(0);
    }
    CHECK(A[0] == 1);
    P.fetch();
    CHECK(A[0] == 1 + 300 * 299 / 2);
  }
  SECTION("that bring data and let it go") {
    for (int I = 0; I < 20; ++I) {
      R.spin(100000);
      R.add(A, 1);
      // Its bytes are read here, and never written.
      B.assign(1000, I);
      Map(B, MapTo).enter(0);
      B.assign(1000, -1);
      R.add(B, 7);
      R.next()
          .map(A.data(), 8, Plain)
          .map(B.data(), B.size() * 8, Plain)
          .literal(B.size())
          .late(0, K.Sum);
      Map(B, 0).exit(0);
      if (I % 2)
        CHECK_FALSE(omp_target_is_present(B.data(), 0));
      CHECK(B[5] == -1);
    }
    P.fetch();
    CHECK(A[0] == (19 + 7) * 1000);
    CHECK(A[1] == 21);
  }
  SECTION("after which the same call is another region") {
    Map(B, MapTo).enter(0);
    R.spin(100000);
    R.add(B, 1);
    R.add(B, 1);
    Map(B, 0).exit(0);
    CHECK(B[3] == 2);
    R.add(B, 1);
    CHECK(B[3] == 3);
  }
  SECTION("that copy what regions write") {
    Map(B, MapTo).enter(0);
    R.spin(1000000);
    R.add(B, 5);
    Map(B, MapFrom).exit(0);
    CHECK(B[999] == 7);
  }
  SECTION("that delete what is counted more than once") {
    Map(B, MapTo).enter(0);
    Map(B, MapTo).enter(0);
    R.spin(100000);
    R.add(B, 5);
    Map(B, MapDelete).exit(0);
    CHECK_FALSE(omp_target_is_present(B.data(), 0));
    CHECK(B[0] == 2);
  }
  R.settle();
}
