// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs in flight: who waits for whom, pins, what failures leave behind.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

TEST_CASE("a new entry is busy until its copies are done") {
  Rig R;
  Construct C = R.start({to(0, 64)});
  REQUIRE(R.entry(0, 64)->Busy);
  REQUIRE(R.enter({alloc(0, 64)}) == "wait");
  REQUIRE(R.enter({alloc(8, 8)}) == "wait");
  REQUIRE(R.enter({alloc(32, 64)}) == "wait");
  REQUIRE(R.enter({alloc(32, 0)}) == "wait");
  REQUIRE(R.exit({release(0, 64)}) == "wait");
  UpdateItem It;
  It.Host = at(0, 8);
  It.FromDevice = true;
  REQUIRE(R.update({It}) == "wait");
  REQUIRE(R.enter({to(128, 64)}) == "to 128+64");
  R.finish(C);
  REQUIRE_FALSE(R.entry(0, 64)->Busy);
  REQUIRE(R.enter({alloc(32, 64)}) == "");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("a new entry without copies is not busy") {
  Rig R;
  Construct C = R.start({alloc(0, 64)});
  REQUIRE(C.P.empty());
  REQUIRE(R.enter({alloc(0, 64)}) == "");
}

TEST_CASE("who waits has changed nothing") {
  Rig R;
  R.enter({to(0, 64)});
  Construct C = R.start({to(128, 64)});
  EnterItem Kernel = to(0, 64);
  Kernel.Pin = true;
  Construct W = R.start({Kernel, to(256, 8), to(128, 64)});
  REQUIRE(W.Result == Outcome::Wait);
  REQUIRE(W.P.empty());
  REQUIRE(W.In[0].Target == nullptr);
  REQUIRE(R.counts(0, 64) == "1/0");
  REQUIRE(R.entry(0, 64)->Pins == 0);
  REQUIRE(R.entries() == "0+64 128+64");
  REQUIRE(R.exit({release(128, 64), release(0, 64)}) == "wait");
  REQUIRE(R.counts(0, 64) == "1/0");
  R.finish(C);
  REQUIRE(R.exit({release(128, 64), release(0, 64)}) == "");
  REQUIRE(R.entries() == "");
}

TEST_CASE("a leaving entry keeps its bytes until it is settled") {
  Rig R;
  R.enter({to(0, 64)});
  R.device(0) = 5;
  Construct C = R.startExit({from(0, 64)});
  REQUIRE(R.entries() == "");
  REQUIRE(R.D.find(at(0, 64)) == nullptr);
  REQUIRE(R.enter({to(0, 64)}) == "wait");
  REQUIRE(R.enter({to(32, 64)}) == "wait");
  REQUIRE(R.enter({alloc(32, 0)}) == "wait");
  REQUIRE(R.exit({from(0, 64)}) == "wait");
  REQUIRE(R.enter({to(64, 64)}) == "to 64+64");
  R.finish(C);
  REQUIRE(R.host(0) == 5);
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
}

TEST_CASE("an entry beside a leaving one can be used") {
  Rig R;
  R.enter({to(0, 64)});
  R.enter({to(32, 64)});
  Construct C = R.startExit({from(0, 64)});
  REQUIRE(C.operations() == "from 0+32");
  REQUIRE(R.enter({to(40, 8)}) == "");
  REQUIRE(R.counts(32, 64) == "2/0");
  R.finish(C);
}

TEST_CASE("trim spares what plans still read") {
  Rig R;
  R.enter({to(0, 64)});
  Construct C = R.startExit({from(0, 64)});
  REQUIRE(R.D.trim() == 0);
  R.finish(C);
  REQUIRE(R.D.trim() == 64);
}

TEST_CASE("a pinned entry outlives its deletion") {
  bool Fused = GENERATE(false, true);
  bool Fails = GENERATE(false, true);
  Rig R(Fused ? fused() : mirror());
  EnterItem Kernel = to(0, 64);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  R.finish(C);
  Entry *E = C.In[0].Target;
  REQUIRE(R.exit({remove(0, 64)}) == "");
  REQUIRE(R.entries() == "");
  REQUIRE(E->Gone);
  REQUIRE(R.Memory.at(E->device(), 64) != nullptr);
  R.D.trim();
  REQUIRE(R.Memory.at(E->device(), 64) != nullptr);
  if (Fails) {
    R.D.unpin(E);
  } else {
    ExitItem End = from(0, 64);
    End.Pinned = E;
    Construct X = R.startExit({End});
    REQUIRE(X.Result == Outcome::Done);
    REQUIRE(X.Out[0].Result == Resolution::Absent);
    REQUIRE(X.P.empty());
  }
  R.D.trim();
  REQUIRE(R.Memory.held() == 0);
}

TEST_CASE("a construct leaves by the entries it pinned") {
  Rig R;
  R.enter({to(0, 64)});
  EnterItem Kernel = to(16, 16);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  REQUIRE(C.In[0].Target == R.entry(0, 64));
  // By the end of the construct a smaller entry contains the range.
  R.enter({to(60, 8)});
  R.exit({remove(0, 64)});
  REQUIRE(R.enter({to(8, 32)}) == "to 8+32");
  REQUIRE(R.D.find(at(16, 16)) == R.entry(8, 32));
  ExitItem End = from(16, 16);
  End.Pinned = C.In[0].Target;
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.counts(8, 32) == "1/0");
}

TEST_CASE("a pinned entry is counted down though another fits closer") {
  Rig R;
  EnterItem Kernel = to(16, 64);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  R.finish(C);
  EnterItem Part = alloc(0, 32);
  R.enter({Part});
  // Found anew, [16, 32) would be part of the smaller entry.
  REQUIRE(R.D.find(at(16, 16)) == R.entry(0, 32));
  ExitItem End = from(16, 16);
  End.Pinned = C.In[0].Target;
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.entries() == "0+32");
}

TEST_CASE("a block in use by others does not grow") {
  Rig R(fused());
  EnterItem Kernel = to(0, 64);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  R.finish(C);
  uintptr_t Device = C.In[0].Device;
  REQUIRE(R.enter({to(32, 64)}) == "wait");
  REQUIRE(R.entry(0, 64)->device() == Device);
  ExitItem End = from(0, 64);
  End.Pinned = C.In[0].Target;
  End.Count = false;
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.enter({to(32, 64)}) == "move 0+64, to 64+32");
}

TEST_CASE("entries of a growing block are busy") {
  Rig R(fused());
  R.enter({to(0, 64)});
  R.enter({to(32, 8)});
  Construct C = R.start({alloc(32, 64)});
  REQUIRE(C.operations() == "move 0+64");
  REQUIRE(C.P.Freed.size() == 1);
  REQUIRE(R.enter({to(0, 64)}) == "wait");
  unsigned Releases = R.Memory.Releases;
  R.finish(C);
  REQUIRE(R.Memory.Releases == Releases + 1);
  REQUIRE(R.enter({to(0, 64)}) == "");
}

TEST_CASE("an update keeps a block from growing, not from being used") {
  Rig R(fused());
  R.enter({to(0, 64)});
  UpdateItem It;
  It.Host = at(0, 8);
  It.FromDevice = true;
  Construct C;
  C.Result = R.D.update({&It, 1}, C.P, C.Error, C.FailedItem);
  REQUIRE(R.enter({to(0, 64)}) == "");
  REQUIRE(R.enter({to(32, 64)}) == "wait");
  R.finish(C);
  REQUIRE(R.enter({to(32, 64)}) == "move 0+64, to 64+32");
}

TEST_CASE("an entry deleted during an update is not mapped again too soon") {
  Rig R;
  R.enter({to(0, 64)});
  UpdateItem It;
  It.Host = at(0, 8);
  It.ToDevice = true;
  Construct C;
  C.Result = R.D.update({&It, 1}, C.P, C.Error, C.FailedItem);
  REQUIRE(R.exit({release(0, 64)}) == "");
  REQUIRE(R.enter({to(0, 64)}) == "wait");
  R.finish(C);
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
}

static EnterItem pinned(EnterItem It) {
  It.Pin = true;
  return It;
}

TEST_CASE("entering what is there takes no plan") {
  Rig R;
  R.enter({to(0, 64), to(128, 64)});
  std::vector<EnterItem> Both = {pinned(to(0, 64)), pinned(alloc(128, 64))};
  REQUIRE(R.D.enterPresent(Both));
  REQUIRE(R.counts(0, 64) == "2/0");
  REQUIRE(R.entry(128, 64)->Pins == 1);
  REQUIRE(Both[1].Target == R.entry(128, 64));

  // One that is not: nothing is entered.
  auto Refused = [&](EnterItem It) {
    std::vector<EnterItem> Items = {pinned(to(0, 64)), It};
    return !R.D.enterPresent(Items) && !Items[0].Target &&
           R.counts(0, 64) == "2/0" && R.entry(0, 64)->Pins == 1;
  };
  REQUIRE(Refused(to(256, 64)));
  REQUIRE(Refused(to(160, 64)));
  EnterItem Always = to(128, 64);
  Always.Always = true;
  REQUIRE(Refused(Always));
  Construct C = R.start({to(512, 64)});
  REQUIRE(Refused(alloc(512, 64)));
  R.finish(C);
  REQUIRE_FALSE(Refused(alloc(512, 64)));

  // Inside of an entry, and empty ones: found by address, or nowhere.
  std::vector<EnterItem> Parts = {pinned(to(136, 8)), pinned(alloc(140, 0)),
                                  pinned(alloc(4096, 0))};
  REQUIRE(R.D.enterPresent(Parts));
  REQUIRE(R.counts(128, 64) == "4/0");
  REQUIRE(Parts[1].Target == R.entry(128, 64));
  REQUIRE(Parts[2].Target == nullptr);
  REQUIRE(Parts[2].Result == Resolution::Absent);
  REQUIRE(R.entry(128, 64)->Pins == 3);
  Both.insert(Both.end(), Parts.begin(), Parts.end());
  for (EnterItem &I : Both)
    if (I.Target)
      R.D.unpin(I.Target);
}
