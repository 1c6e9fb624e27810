// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows: distances, pages, spans, budgets, and giving pages back.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

namespace {
DirectoryOptions spans() {
  DirectoryOptions O;
  O.WindowBytes = 4096;
  return O;
}
} // namespace

TEST_CASE("entries of a window have one distance") {
  Rig R;
  R.enter({to(0, 64), to(100000, 8)});
  R.enter({to(32, 512)});
  REQUIRE(R.Memory.Reserves == 1);
  REQUIRE(R.entry(0, 64)->Delta == R.entry(100000, 8)->Delta);
  REQUIRE(R.entry(0, 64)->Delta == R.entry(32, 512)->Delta);
  REQUIRE(R.D.stats().Windows == 1);
  REQUIRE(R.D.stats().Blocks == 0);
}

TEST_CASE("growth moves nothing") {
  Rig R;
  R.enter({to(64, 64)});
  uintptr_t Device = R.entry(64, 64)->device();
  REQUIRE(R.enter({to(0, 256)}) == "to 0+64, to 128+128");
  REQUIRE(R.entry(64, 64)->device() == Device);
}

TEST_CASE("pages are committed once") {
  Rig R;
  R.enter({to(10, 100)});
  REQUIRE(R.Memory.Commits == 1);
  REQUIRE(R.Memory.held() == 128);
  R.exit({release(10, 100)});
  R.enter({to(10, 100)});
  REQUIRE(R.Memory.Commits == 1);
  // Only what is missing, in as few steps as possible.
  R.enter({to(0, 640)});
  REQUIRE(R.Memory.Commits == 2);
  REQUIRE(R.Memory.held() == 640);
  REQUIRE(R.D.stats().CommittedBytes == 640);
}

TEST_CASE("trim gives back pages no entry touches") {
  Rig R;
  R.enter({to(0, 100), to(200, 100), to(1000, 24)});
  REQUIRE(R.Memory.held() == 5 * 64);
  R.exit({release(0, 100)});
  REQUIRE(R.D.trim() == 2 * 64);
  R.exit({release(200, 100)});
  REQUIRE(R.D.trim() == 2 * 64);
  REQUIRE(R.D.trim() == 0);
  REQUIRE(R.D.stats().CommittedBytes == 64);
  REQUIRE(R.enter({to(0, 100)}) == "to 0+100");
}

TEST_CASE("a commit that fails is undone") {
  Rig R;
  R.enter({to(64, 64), to(256, 64)});
  R.Memory.FailAfter = 1;
  REQUIRE(R.enter({to(0, 640)}) == "out of memory");
  REQUIRE(R.Memory.held() == 128);
  REQUIRE(R.entries() == "64+64 256+64");
}

namespace {
/// Where an array behind an allocator's header begins.
constexpr uintptr_t Behind = 8192 + 16;

DirectoryOptions headers() {
  DirectoryOptions O = mirror();
  O.HeaderBytes = 16;
  return O;
}

EnterItem partOf(uintptr_t Array, uintptr_t Offset, size_t Size) {
  EnterItem It = to(Array + Offset, Size);
  It.Base = H + Array;
  return It;
}
} // namespace

TEST_CASE("an array behind a header begins on a line") {
  Rig R(headers());
  R.enter({to(Behind, 4096), to(16384, 4096), to(32, 64)});
  REQUIRE(R.Memory.Reserves == 2);
  REQUIRE(R.D.stats().Blocks == 0);
  REQUIRE(R.entry(Behind, 4096)->device() % 64 == 0);
  REQUIRE(R.entry(16384, 4096)->Delta % 64 == 0);
  REQUIRE(R.entry(16384, 4096)->Delta == R.entry(32, 64)->Delta);
}

TEST_CASE("all parts of an array behind a header have one distance") {
  Rig R(headers());
  R.enter({partOf(Behind, 1000, 96)});
  uintptr_t Delta = R.entry(Behind + 1000, 96)->Delta;
  REQUIRE((H + Behind + Delta) % 64 == 0);
  R.exit({release(Behind + 1000, 96)});
  R.enter({partOf(Behind, 8, 8)});
  REQUIRE(R.entry(Behind + 8, 8)->Delta == Delta);
  REQUIRE(R.enter({partOf(Behind, 0, 2000)}) == "to 8208+8, to 8224+1984");
  REQUIRE(R.entry(Behind, 2000)->Delta == Delta);
  REQUIRE(R.entry(Behind + 8, 8)->Delta == Delta);
}

TEST_CASE("what extends an array goes where it is") {
  Rig R(headers());
  R.enter({to(Behind, 64)});
  R.enter({partOf(8000, 64, 512)});
  REQUIRE(R.entry(Behind, 64)->Delta == R.entry(8064, 512)->Delta);
  // As do other parts of the array it says it is of.
  R.enter({partOf(8000, 2000, 8)});
  REQUIRE(R.entry(10000, 8)->Delta == R.entry(8064, 512)->Delta);
  REQUIRE(R.D.stats().Blocks == 0);
}

TEST_CASE("an array whose parts overlap others in both windows has one place") {
  Rig R(headers());
  R.enter({partOf(Behind, 0, 64), to(9000, 64)});
  REQUIRE(R.enter({partOf(Behind, 500, 500)}) ==
          "move 9000+64, move 8208+64, to 8708+292, to 9064+144");
  REQUIRE(R.entry(Behind, 64)->Delta == R.entry(8708, 500)->Delta);
  REQUIRE(R.entry(9000, 64)->Delta == R.entry(8708, 500)->Delta);
}

TEST_CASE("what overlaps arrays of both windows takes them to a block") {
  Rig R(headers());
  R.enter({to(Behind, 64), to(9000, 64)});
  REQUIRE(R.entry(Behind, 64)->Delta != R.entry(9000, 64)->Delta);
  R.device(9000) = 1;
  REQUIRE(R.enter({to(8100, 2000)}) ==
          "move 8208+64, move 9000+64, to 8100+108, to 8272+728, to 9064+1036");
  REQUIRE(R.device(9000) == 1);
  REQUIRE(R.entry(Behind, 64)->Delta == R.entry(9000, 64)->Delta);
  REQUIRE(R.entry(8100, 2000)->Delta == R.entry(9000, 64)->Delta);
}

TEST_CASE("one construct may overlap itself in both windows") {
  Rig R(headers());
  REQUIRE(R.enter({to(Behind, 64), to(8100, 2000)}) ==
          "to 8208+64, to 8100+108, to 8272+1828");
  REQUIRE(R.entry(Behind, 64)->Delta == R.entry(8100, 2000)->Delta);
}

TEST_CASE("without a second window arrays behind a header are like others") {
  Rig R(mirror());
  R.enter({to(Behind, 64), to(0, 64)});
  REQUIRE(R.Memory.Reserves == 1);
  REQUIRE(R.entry(Behind, 64)->Delta == R.entry(0, 64)->Delta);
}

TEST_CASE("each span has its window") {
  Rig R(spans());
  R.enter({to(0, 64), to(4096, 64), to(8192, 64)});
  REQUIRE(R.Memory.Reserves == 3);
  REQUIRE(R.D.stats().Windows == 3);
  REQUIRE(R.D.stats().Blocks == 0);
}

TEST_CASE("a range across spans gets a block") {
  Rig R(spans());
  REQUIRE(R.enter({to(4000, 200)}) == "to 4000+200");
  REQUIRE(R.D.stats().Blocks == 1);
  REQUIRE(R.D.stats().Windows == 0);
}

TEST_CASE("an array that starts in another span stays together") {
  Rig R(spans());
  EnterItem A = to(4000, 32), B = to(4200, 32);
  A.Base = B.Base = H + 4000;
  REQUIRE(R.enter({A}) == "to 4000+32");
  REQUIRE(R.D.stats().Blocks == 0);
  REQUIRE(R.enter({B}) == "move 4000+32, to 4200+32");
  REQUIRE(R.D.stats().Blocks == 1);
  REQUIRE(R.entry(4000, 32)->Delta == R.entry(4200, 32)->Delta);
  // What comes later joins it.
  EnterItem C = to(4100, 8);
  C.Base = H + 4000;
  REQUIRE(R.enter({C}) == "to 4100+8");
  REQUIRE(R.entry(4100, 8)->Delta == R.entry(4200, 32)->Delta);
}

TEST_CASE("entries that leave a window take along what overlaps them") {
  Rig R(spans());
  R.enter({to(3800, 100)});
  R.enter({to(3850, 200)});
  R.enter({to(0, 16)});
  R.device(3800) = 1;
  REQUIRE(R.enter({to(4000, 200)}) == "move 3800+250, to 4050+150");
  REQUIRE(R.device(3800) == 1);
  REQUIRE(R.entry(3800, 100)->Delta == R.entry(4000, 200)->Delta);
  REQUIRE(R.entry(0, 16)->Delta != R.entry(4000, 200)->Delta);
}

TEST_CASE("a new entry that another of its construct pulls out is not moved") {
  Rig R(spans());
  EnterItem A = to(4000, 32), B = to(4200, 32);
  A.Base = B.Base = H + 4000;
  REQUIRE(R.enter({A, B}) == "to 4000+32, to 4200+32");
  REQUIRE(R.entry(4000, 32)->Delta == R.entry(4200, 32)->Delta);
}

TEST_CASE("a window that cannot be reserved is not tried again") {
  SimMemory::Limits L;
  L.CanReserve = false;
  Rig R(mirror(), L);
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
  REQUIRE(R.enter({to(4096, 64)}) == "to 4096+64");
  REQUIRE(R.D.stats().Windows == 0);
  REQUIRE(R.D.stats().Blocks == 2);
}

TEST_CASE("a device without pages gets blocks") {
  SimMemory::Limits L;
  L.Granularity = 0;
  Rig R(mirror(), L);
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
  REQUIRE(R.D.stats().Blocks == 1);
}

TEST_CASE("distances are multiples of the page wherever the window lies") {
  SimMemory::Limits L;
  L.Granularity = 4096;
  L.Skew = 256;
  Rig R(mirror(), L);
  REQUIRE(R.enter({to(100, 64)}) == "to 100+64");
  REQUIRE(R.entry(100, 64)->Delta % 4096 == 0);
}

TEST_CASE("scattered entries beyond the budget get blocks") {
  SimMemory::Limits L;
  L.Capacity = 65536;
  L.Granularity = 4096;
  DirectoryOptions O = mirror();
  O.BudgetShare = 64; // 16 KiB
  O.BudgetRatio = 8;
  Rig R(O, L);
  for (unsigned I = 0; I < 4; ++I)
    R.enter({to(I * 8192, 64)});
  REQUIRE(R.D.stats().Blocks == 0);
  R.enter({to(4 * 8192, 64)});
  REQUIRE(R.D.stats().Blocks == 1);
  // What needs no new page, what extends, and what is worth it still do not.
  R.enter({to(100, 64)});
  R.enter({to(4000, 200), to(3990, 20)});
  REQUIRE(R.enter({to(65536, 32768)}) == "to 65536+32768");
  REQUIRE(R.D.stats().Blocks == 2);
  // An array that is in the window stays there.
  EnterItem More = to(3 * 8192 + 4096, 8);
  More.Base = H + 3 * 8192;
  R.enter({More});
  REQUIRE(R.D.stats().Blocks == 2);
}

TEST_CASE("idle pages do not count against the budget") {
  SimMemory::Limits L;
  L.Capacity = 65536;
  L.Granularity = 4096;
  DirectoryOptions O = mirror();
  O.BudgetShare = 64;
  O.BudgetRatio = 1;
  Rig R(O, L);
  R.enter({to(0, 65536)});
  R.exit({release(0, 65536)});
  for (unsigned I = 0; I < 3; ++I)
    REQUIRE(R.enter({to(131072 + I * 4096, 4096)}) != "");
  REQUIRE(R.D.stats().Blocks == 0);
}
