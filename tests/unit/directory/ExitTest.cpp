// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unmapping: counts, what is copied out, what stays. Updates.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

TEST_CASE("the last exit copies out and takes the entry away") {
  Rig R;
  R.host(5) = 1;
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  R.device(5) = 9;
  REQUIRE(R.exit({from(0, 64)}) == "");
  REQUIRE(R.host(5) == 1);
  REQUIRE(R.counts(0, 64) == "1/0");
  Construct C = R.startExit({from(0, 64)});
  REQUIRE(C.operations() == "from 0+64");
  REQUIRE(C.Out[0].Last);
  REQUIRE(C.P.Leaving.size() == 1);
  R.finish(C);
  REQUIRE(R.host(5) == 9);
  REQUIRE(R.entries() == "");
}

TEST_CASE("an entry without copies leaves at once") {
  Rig R;
  R.enter({to(0, 64)});
  Construct C = R.startExit({release(0, 64)});
  REQUIRE(C.P.empty());
  REQUIRE(C.Out[0].Last);
  REQUIRE(C.Out[0].Target == nullptr);
  REQUIRE(C.Out[0].Whole == at(0, 64));
  REQUIRE(R.entries() == "");
}

static ExitItem unwritten(ExitItem It) {
  It.Unwritten = true;
  return It;
}

TEST_CASE("what nobody has written is not copied out") {
  Rig R;
  R.enter({to(0, 64)});
  Construct C = R.startExit({unwritten(from(0, 64))});
  REQUIRE(C.P.empty());
  REQUIRE(C.Out[0].Last);
  REQUIRE(R.entries() == "");
}

TEST_CASE("always copies out what nobody has written") {
  Rig R;
  R.enter({to(0, 64)});
  ExitItem It = unwritten(from(0, 64));
  It.Always = true;
  REQUIRE(R.exit({It}) == "from 0+64");
}

TEST_CASE("what another construct had, too, is copied out") {
  Rig R;
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  REQUIRE(R.exit({release(0, 64)}) == "");
  REQUIRE(R.exit({unwritten(from(0, 64))}) == "from 0+64");
  // A part of it is enough, and so is a construct that only counts.
  R.enter({to(0, 64)});
  R.enter({to(8, 8)});
  R.exit({release(8, 8)});
  REQUIRE(R.exit({unwritten(from(0, 64))}) == "from 0+64");
  R.enter({to(0, 64)});
  std::vector<EnterItem> Again = {alloc(0, 64)};
  REQUIRE(R.D.enterPresent(Again));
  R.exit({release(0, 64)});
  REQUIRE(R.exit({unwritten(from(0, 64))}) == "from 0+64");
}

TEST_CASE("entries that overlap are copied out") {
  for (const bool First : {false, true}) {
    Rig R;
    R.enter({to(0, 32)});
    R.enter({to(16, 32)});
    R.exit({release(First ? 0 : 16, 32)});
    REQUIRE(R.exit({unwritten(from(First ? 16 : 0, 32))}) ==
            (First ? "from 16+32" : "from 0+32"));
  }
  // Entries that touch do not overlap.
  Rig R;
  R.enter({to(0, 32)});
  R.enter({to(32, 32)});
  REQUIRE(R.exit({unwritten(from(0, 32))}) == "");
}

TEST_CASE("only the requested range is copied out") {
  Rig R;
  R.enter({to(0, 64)});
  REQUIRE(R.exit({from(16, 8)}) == "from 16+8");
  REQUIRE(R.entries() == "");
}

TEST_CASE("what other entries cover stays on the device") {
  Rig R;
  R.enter({to(0, 32)});
  R.enter({to(16, 32)});
  R.enter({to(40, 32)});
  REQUIRE(R.exit({from(16, 32)}) == "from 32+8");
  REQUIRE(R.entries() == "0+32 40+32");
}

TEST_CASE("an entry inside another leaves without a copy") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(0, 64)});
  REQUIRE(R.exit({from(0, 16)}) == "");
  REQUIRE(R.entries() == "0+64");
}

TEST_CASE("overlapping entries that leave together copy each byte once") {
  Rig R;
  R.enter({to(0, 32), to(16, 32)});
  REQUIRE(R.exit({from(0, 32), from(16, 32)}) == "from 32+16, from 0+32");
}

TEST_CASE("a range that does not resolve changes nothing") {
  Rig R;
  R.enter({to(16, 16)});
  for (ExitItem It : {from(8, 16), from(64, 8), from(64, 0)}) {
    Construct C = R.startExit({It});
    REQUIRE(C.Result == Outcome::Done);
    REQUIRE(C.P.empty());
    REQUIRE(C.Out[0].Result == Resolution::Absent);
    REQUIRE_FALSE(C.Out[0].Last);
  }
  REQUIRE(R.counts(16, 16) == "1/0");
}

TEST_CASE("present on exit") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(32, 16)});
  R.enter({to(48, 16)});
  ExitItem It = from(64, 8);
  It.Present = true;
  Construct C = R.startExit({It, from(0, 16)});
  REQUIRE(C.Result == Outcome::Failed);
  REQUIRE(C.Error.code() == ErrorCode::NotPresent);
  REQUIRE(C.FailedItem == 0);
  REQUIRE(R.counts(0, 16) == "1/0");
  // Covered, though by no entry alone: nothing leaves, nothing fails.
  It.Host = at(40, 16);
  REQUIRE(R.exit({It}) == "");
  REQUIRE(R.entries() == "0+16 32+16 48+16");
}

TEST_CASE("always copies out what stays") {
  Rig R;
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  ExitItem It = from(8, 16);
  It.Always = true;
  REQUIRE(R.exit({It}) == "from 8+16");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("always copies out what others cover") {
  Rig R;
  R.enter({to(0, 32)});
  R.enter({to(16, 32)});
  ExitItem It = from(16, 32);
  It.Always = true;
  REQUIRE(R.exit({It}) == "from 16+32");
}

TEST_CASE("delete zeroes the count it stands for") {
  Rig R;
  EnterItem Held = to(0, 64);
  Held.Hold = true;
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  SECTION("alone") {
    REQUIRE(R.exit({remove(0, 64)}) == "");
    REQUIRE(R.entries() == "");
  }
  SECTION("dynamic under hold") {
    R.enter({Held});
    R.exit({remove(0, 64)});
    REQUIRE(R.counts(0, 64) == "0/1");
    // A dynamic exit cannot end a structured region.
    R.exit({release(0, 64)});
    REQUIRE(R.counts(0, 64) == "0/1");
    ExitItem End = from(0, 64);
    End.Hold = true;
    REQUIRE(R.exit({End}) == "from 0+64");
  }
  SECTION("hold under dynamic") {
    R.enter({Held});
    R.enter({Held});
    ExitItem It = remove(0, 64);
    It.Hold = true;
    R.exit({It});
    REQUIRE(R.counts(0, 64) == "2/0");
  }
  SECTION("with from") {
    ExitItem It = from(0, 64);
    It.Delete = true;
    REQUIRE(R.exit({It}) == "from 0+64");
  }
}

TEST_CASE("counts are reported as they are after the item") {
  Rig R;
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  Construct C = R.startExit({from(0, 64), from(0, 64)});
  // Last item first.
  REQUIRE(C.Out[1].DynAfter == 1);
  REQUIRE_FALSE(C.Out[1].Last);
  REQUIRE(C.Out[0].DynAfter == 0);
  REQUIRE(C.Out[0].Last);
  R.finish(C);
}

TEST_CASE("an implicit exit resolves like an implicit map") {
  Rig R;
  R.enter({to(16, 16)});
  R.enter({to(16, 16)});
  ExitItem It = from(0, 64);
  It.Implicit = true;
  R.exit({It});
  REQUIRE(R.counts(16, 16) == "1/0");
  REQUIRE(R.exit({It}) == "from 16+16");
}

TEST_CASE("members copy out when their struct leaves") {
  Rig R;
  EnterItem Struct = alloc(0, 64);
  R.enter({Struct});
  R.enter({Struct});
  ExitItem Whole = release(0, 64), A = from(0, 8), B = from(32, 16);
  A.Parent = B.Parent = 0;
  A.Count = B.Count = false;
  REQUIRE(R.exit({Whole, A, B}) == "");
  REQUIRE(R.counts(0, 64) == "1/0");
  REQUIRE(R.exit({Whole, A, B}) == "from 32+16, from 0+8");
  REQUIRE(R.entries() == "");
}

TEST_CASE("members copy out only what is not covered any more") {
  Rig R;
  R.enter({alloc(0, 64)});
  R.enter({alloc(40, 64)});
  ExitItem Whole = release(0, 64), B = from(32, 16);
  B.Parent = 0;
  B.Count = false;
  REQUIRE(R.exit({Whole, B}) == "from 32+8");
}

TEST_CASE("a failed exit is undone") {
  Rig R;
  R.enter({to(0, 32), to(16, 32), to(64, 8)});
  uintptr_t Device = R.entry(0, 32)->device();
  ExitItem It = from(128, 8);
  It.Present = true;
  REQUIRE(R.exit({It, from(0, 32), from(16, 32), release(64, 8)}) ==
          "not present");
  REQUIRE(R.entries() == "0+32 16+32 64+8");
  REQUIRE(R.counts(0, 32) == "1/0");
  REQUIRE(R.entry(0, 32)->device() == Device);
  REQUIRE(R.enter({to(16, 48)}) == "to 48+16");
}

static UpdateItem motion(uintptr_t Offset, size_t Size, bool To) {
  UpdateItem It;
  It.Host = at(Offset, Size);
  (To ? It.ToDevice : It.FromDevice) = true;
  return It;
}

TEST_CASE("update moves ranges that resolve") {
  Rig R;
  R.enter({alloc(0, 64)});
  R.enter({alloc(64, 64)});
  R.host(8) = 3;
  REQUIRE(R.update({motion(8, 8, true), motion(72, 8, false)}) ==
          "to 8+8, from 72+8");
  REQUIRE(R.device(8) == 3);
  REQUIRE(R.update({motion(60, 8, true), motion(256, 8, false)}) == "");
  UpdateItem It = motion(256, 8, true);
  It.Present = true;
  REQUIRE(R.update({It}) == "not present");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("find and covered") {
  Rig R;
  R.enter({to(0, 32)});
  R.enter({to(32, 32)});
  REQUIRE(R.D.find(at(40, 8)) == R.entry(32, 32));
  REQUIRE(R.D.find(at(24, 16)) == nullptr);
  REQUIRE(R.D.covered(at(24, 16)));
  REQUIRE_FALSE(R.D.covered(at(56, 16)));
  REQUIRE(R.D.stats().Entries == 2);
  REQUIRE(R.D.stats().MappedBytes == 64);
}

TEST_CASE("beside regions under way what needs no copy ends") {
  Rig R;
  R.enter({to(0, 64), to(128, 64), to(256, 64)});
  R.enter({to(0, 64)});
  // A region has the first two, and the first twice.
  std::vector<EnterItem> Region = {alloc(0, 64), alloc(128, 64), alloc(0, 64)};
  for (EnterItem &I : Region)
    I.Pin = true;
  REQUIRE(R.D.enterPresent(Region));
  const std::vector<const Entry *> Held = {Region[0].Target, Region[1].Target,
                                           Region[2].Target};
  bool AnyLeft = false;
  auto Ends = [&](std::vector<ExitItem> Items) {
    const bool Done = R.D.exitBeside(Items, Held);
    AnyLeft = std::any_of(Items.begin(), Items.end(),
                          [](const ExitItem &It) { return It.Last; });
    return Done;
  };
  // Others have it: it stays.
  REQUIRE(Ends({from(0, 64)}));
  REQUIRE_FALSE(AnyLeft);
  REQUIRE(R.counts(0, 64) == "3/0");
  // What is copied, what no region has, what is not there: nothing is done.
  REQUIRE_FALSE(Ends({from(0, 64)}));
  REQUIRE_FALSE(Ends({release(0, 64), from(128, 64)}));
  REQUIRE_FALSE(Ends({release(256, 64)}));
  REQUIRE_FALSE(Ends({release(512, 64), release(0, 64)}));
  REQUIRE_FALSE(Ends({release(0, 64), release(0, 64)}));
  REQUIRE(R.counts(0, 64) == "3/0");
  REQUIRE(R.counts(128, 64) == "2/0");
  REQUIRE(R.counts(256, 64) == "1/0");
  // The rest goes, its memory with the region.
  REQUIRE(Ends({release(0, 64), release(128, 64)}));
  REQUIRE(AnyLeft);
  REQUIRE(R.entries() == "256+64");
  for (EnterItem &I : Region)
    R.D.unpin(I.Target);
  R.enter({to(0, 64)});
  REQUIRE(R.counts(0, 64) == "1/0");
}
