// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks: who shares one, growth, alignment, reuse.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

namespace {
EnterItem part(uintptr_t Base, uintptr_t Offset, size_t Size) {
  EnterItem It = to(Base + Offset, Size);
  It.Base = H + Base;
  return It;
}
} // namespace

TEST_CASE("unrelated arrays have blocks of their own") {
  Rig R(fused());
  R.enter({to(0, 64), to(4096, 64)});
  REQUIRE(R.D.stats().Blocks == 2);
}

TEST_CASE("parts of an array in one construct share a block") {
  Rig R(fused());
  REQUIRE(R.enter({part(0, 0, 64), part(0, 4096, 64)}) ==
          "to 0+64, to 4096+64");
  REQUIRE(R.D.stats().Blocks == 1);
  REQUIRE(R.entry(0, 64)->Delta == R.entry(4096, 64)->Delta);
}

TEST_CASE("a later part of an array makes the block grow") {
  Rig R(fused());
  R.enter({part(0, 0, 64)});
  R.device(5) = 77;
  REQUIRE(R.enter({part(0, 4096, 64)}) == "move 0+64, to 4096+64");
  REQUIRE(R.device(5) == 77);
  REQUIRE(R.entry(0, 64)->Delta == R.entry(4096, 64)->Delta);
}

TEST_CASE("a part within the block takes its place there") {
  Rig R(fused());
  R.enter({part(0, 0, 64), part(0, 4096, 64)});
  REQUIRE(R.enter({part(0, 1024, 64)}) == "to 1024+64");
  REQUIRE(R.D.stats().Blocks == 1);
}

TEST_CASE("a range that overlaps makes the block grow") {
  Rig R(fused());
  R.enter({to(64, 64)});
  R.device(64) = 3;
  REQUIRE(R.enter({to(0, 96)}) == "move 64+64, to 0+64");
  REQUIRE(R.device(64) == 3);
}

TEST_CASE("a range that joins two blocks moves both") {
  Rig R(fused());
  R.enter({to(0, 64)});
  R.enter({to(96, 64)});
  R.device(0) = 1;
  R.device(96) = 2;
  REQUIRE(R.enter({to(32, 96)}) == "move 0+64, move 96+64, to 64+32");
  REQUIRE(R.device(0) == 1);
  REQUIRE(R.device(96) == 2);
  REQUIRE(R.D.stats().Blocks == 1);
}

TEST_CASE("an alias into an array is found in its block") {
  Rig R(fused());
  R.enter({part(0, 0, 64), part(0, 4096, 64)});
  SECTION("later") { R.enter({to(2048, 32)}); }
  SECTION("with others") { R.enter({to(2048, 32), to(100000, 8)}); }
  REQUIRE(R.entry(2048, 32)->Delta == R.entry(0, 64)->Delta);
}

TEST_CASE("an alias into an array of its own construct joins it") {
  Rig R(fused());
  R.enter({to(2048, 32), part(0, 0, 64), part(0, 4096, 64)});
  REQUIRE(R.D.stats().Blocks == 1);
  REQUIRE(R.entry(2048, 32)->Delta == R.entry(0, 64)->Delta);
}

TEST_CASE("items that overlap share a block whatever their bases") {
  Rig R(fused());
  REQUIRE(R.enter({to(0, 64), to(32, 64), to(80, 64)}) ==
          "to 0+64, to 64+32, to 96+48");
  REQUIRE(R.D.stats().Blocks == 1);
}

TEST_CASE("bytes that are not mapped are not moved") {
  Rig R(fused());
  R.enter({part(0, 0, 64), part(0, 256, 64), part(0, 512, 64)});
  R.exit({release(256, 64)});
  REQUIRE(R.enter({part(0, 1024, 64)}) == "move 0+64, move 512+64, to 1024+64");
}

TEST_CASE("parts that lie absurdly far apart stay apart") {
  Rig R(fused());
  size_t Far = size_t(65) << 20;
  REQUIRE(R.start({part(0, 0, 64), part(0, Far, 64)}).Result == Outcome::Done);
  REQUIRE(R.D.stats().Blocks == 2);
  REQUIRE(R.D.stats().CommittedBytes < 4096);
  // An overlap is an overlap.
  REQUIRE(R.start({alloc(128, 64)}).Result == Outcome::Done);
}

TEST_CASE("device addresses keep the alignment of host addresses") {
  Rig R(fused());
  for (uintptr_t Offset : {1, 8, 100, 255, 256, 300}) {
    R.enter({to(Offset * 1000, 16)});
    REQUIRE(R.entry(Offset * 1000, 16)->Delta % 256 == 0);
  }
}

TEST_CASE("a block is kept for the next array of its size") {
  Rig R(fused());
  R.enter({to(0, 1000)});
  R.exit({from(0, 1000)});
  REQUIRE(R.D.stats().Blocks == 0);
  unsigned Before = R.Memory.Allocations;
  for (unsigned I = 0; I < 10; ++I) {
    R.enter({to(0, 1000)});
    R.exit({from(0, 1000)});
  }
  REQUIRE(R.Memory.Allocations == Before);
  REQUIRE(R.Memory.Releases == 0);
  REQUIRE(R.D.stats().CommittedBytes == R.Memory.held());
  uint64_t Held = R.Memory.held();
  REQUIRE(R.D.trim() == Held);
  REQUIRE(R.Memory.held() == 0);
}

TEST_CASE("growth that fails for memory leaves everything in place") {
  Rig R(fused());
  R.enter({part(0, 0, 64)});
  R.enter({part(8192, 0, 64)});
  Entry *E = R.entry(0, 64);
  uintptr_t Device = E->device();
  R.Memory.FailAfter = 1;
  REQUIRE(R.enter({part(0, 512, 64), part(8192, 512, 64)}) == "out of memory");
  REQUIRE(R.entries() == "0+64 8192+64");
  REQUIRE(E->device() == Device);
  REQUIRE(R.D.stats().CommittedBytes == R.Memory.held());
  REQUIRE(R.enter({part(0, 512, 64), part(8192, 512, 64)}) ==
          "move 0+64, move 8192+64, to 512+64, to 8704+64");
}

TEST_CASE("a stencil that streams planes moves two of three on the device") {
  Rig R(fused());
  R.enter({part(0, 0, 1024)});
  R.enter({part(0, 1024, 1024)});
  for (unsigned K = 2; K < 8; ++K) {
    REQUIRE(R.enter({part(0, K * 1024, 1024)}) ==
            "move " + std::to_string((K - 2) * 1024) + "+2048, to " +
                std::to_string(K * 1024) + "+1024");
    R.device(K * 1024) = K;
    REQUIRE(R.exit({release((K - 2) * 1024, 1024)}) == "");
    REQUIRE(R.device(K * 1024) == K);
  }
}
