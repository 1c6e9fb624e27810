//===- Helpers.cpp - Threads that share a job -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every piece of a job is done once, however many take part, and jobs of
// several threads do not disturb each other.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

using namespace accx::cuda;

namespace {

/// Counts how often each piece was taken, and who took part how often.
class Count final : public Helpers::Job {
  std::atomic<size_t> Next{0};

public:
  std::vector<int> Taken;
  std::vector<int> Parts;

  Count(size_t Pieces, unsigned Members) : Taken(Pieces), Parts(Members) {}
  void takePart(unsigned Member) override {
    ++Parts[Member];
    for (size_t I; (I = Next++) < Taken.size();)
      ++Taken[I];
  }
};

void checkAll(const Count &C) {
  for (int T : C.Taken)
    REQUIRE(T == 1);
  REQUIRE(C.Parts[0] == 1);
  for (int P : C.Parts)
    REQUIRE(P <= 1);
}

} // namespace

TEST_CASE("a shared job is done once, whole when share() returns") {
  const unsigned Threads = GENERATE(0u, 1u, 2u, 5u);
  Helpers H(Threads);
  CHECK(H.count() == std::max(Threads, 1u));
  for (int Round = 0; Round < 300; ++Round) {
    Count C(size_t(Round), H.count());
    H.share(C, Round % 2 != 0);
    checkAll(C);
    // Asleep by the next one.
    if (Round % 100 == 99)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // Again after an end.
  H.stop();
  Count C(1000, H.count());
  H.share(C);
  checkAll(C);
}

TEST_CASE("helpers keep their processors when their caller is bound to one") {
  cpu_set_t Before, Of;
  REQUIRE(sched_getaffinity(0, sizeof(Before), &Before) == 0);
  CHECK(numProcessors() == unsigned(CPU_COUNT(&Before)));
  /// Notes where a helper may run, if one comes in time.
  struct Look final : Helpers::Job {
    std::atomic<bool> Came{false};
    cpu_set_t Set;
    void takePart(unsigned Member) override {
      if (Member) {
        sched_getaffinity(0, sizeof(Set), &Set);
        Came = true;
      }
      for (int I = 0; !Came && I < 2000; ++I)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } L;
  bool Bound = false;
  unsigned Processors = 0;
  std::thread([&] {
    Helpers H(2);
    CPU_ZERO(&Of);
    int First = 0;
    while (!CPU_ISSET(First, &Before))
      ++First;
    CPU_SET(First, &Of);
    Bound = sched_setaffinity(0, sizeof(Of), &Of) == 0;
    Processors = numProcessors();
    H.share(L);
  }).join();
  REQUIRE(Bound);
  CHECK(Processors == 1);
  REQUIRE(L.Came);
  CHECK(CPU_EQUAL(&L.Set, &Before));
}

TEST_CASE("threads share the helpers") {
  Helpers H(3);
  std::atomic<int> Bad{0};
  std::vector<std::thread> Callers;
  for (unsigned Caller = 0; Caller < 4; ++Caller)
    Callers.emplace_back([&, Caller] {
      std::vector<unsigned> From(100000), To;
      std::iota(From.begin(), From.end(), Caller * 1000000);
      for (size_t Round = 0; Round < 200; ++Round) {
        // Of all lengths, and nothing behind the end.
        const size_t Size = (Round * Round * 11) % From.size();
        To.assign(From.size(), 0);
        H.copy(To.data(), From.data(), Size * sizeof(From[0]));
        Bad += !std::equal(From.begin(), From.begin() + long(Size), To.begin());
        Bad += Size < To.size() && To[Size] != 0;
      }
    });
  for (std::thread &T : Callers)
    T.join();
  CHECK(Bad == 0);
}
