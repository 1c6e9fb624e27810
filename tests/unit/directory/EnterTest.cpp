// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping: resolution, counts, what is copied in, what fails.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

TEST_CASE("a new range is copied in whole") {
  Rig R;
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("alloc copies nothing") {
  Rig R;
  REQUIRE(R.enter({alloc(0, 64)}) == "");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("the same range again counts up") {
  Rig R;
  R.enter({to(0, 64)});
  REQUIRE(R.enter({to(0, 64)}) == "");
  REQUIRE(R.counts(0, 64) == "2/0");
}

TEST_CASE("a range inside an entry counts the whole entry") {
  Rig R;
  R.enter({to(0, 64)});
  Construct C = R.start({to(8, 16)});
  REQUIRE(C.In[0].Result == Resolution::Existing);
  REQUIRE(C.In[0].Target == R.entry(0, 64));
  REQUIRE(C.In[0].Device == R.entry(0, 64)->device() + 8);
  REQUIRE(R.entries() == "0+64");
  REQUIRE(R.counts(0, 64) == "2/0");
}

TEST_CASE("an extension copies only what was not there") {
  Rig R;
  R.enter({to(16, 32)});
  REQUIRE(R.enter({to(0, 64)}) == "to 0+16, to 48+16");
  REQUIRE(R.entries() == "0+64 16+32");
  REQUIRE(R.counts(16, 32) == "1/0");
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("an extension to the left and one to the right") {
  Rig R;
  R.enter({to(16, 16)});
  REQUIRE(R.enter({to(8, 16)}) == "to 8+8");
  REQUIRE(R.enter({to(24, 16)}) == "to 32+8");
  REQUIRE(R.entries() == "8+16 16+16 24+16");
}

TEST_CASE("a range between entries copies only the hole") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(32, 16)});
  REQUIRE(R.enter({to(8, 32)}) == "to 16+16");
}

TEST_CASE("a range that several entries cover together copies nothing") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(16, 16)});
  REQUIRE(R.enter({to(8, 16)}) == "");
  REQUIRE(R.entries() == "0+16 8+16 16+16");
}

TEST_CASE("the smallest container wins") {
  Rig R;
  R.enter({to(0, 64)});
  R.enter({to(0, 128)});
  R.enter({alloc(8, 8)});
  REQUIRE(R.counts(0, 64) == "2/0");
  REQUIRE(R.counts(0, 128) == "1/0");
}

TEST_CASE("among containers of one size the lowest start wins") {
  Rig R;
  R.enter({to(16, 32)});
  R.enter({to(0, 32)});
  R.enter({alloc(20, 4)});
  REQUIRE(R.counts(0, 32) == "2/0");
  REQUIRE(R.counts(16, 32) == "1/0");
}

TEST_CASE("an equal entry wins over all") {
  Rig R;
  R.enter({to(0, 32)});
  R.enter({to(0, 64)});
  R.enter({to(0, 64)});
  REQUIRE(R.counts(0, 64) == "2/0");
  REQUIRE(R.counts(0, 32) == "1/0");
}

TEST_CASE("always copies the range that was asked for") {
  Rig R;
  R.enter({to(0, 64)});
  EnterItem It = to(8, 16);
  It.Always = true;
  REQUIRE(R.enter({It}) == "to 8+16");
}

TEST_CASE("hold counts apart") {
  Rig R;
  EnterItem It = to(0, 64);
  It.Hold = true;
  R.enter({It});
  R.enter({to(0, 64)});
  REQUIRE(R.counts(0, 64) == "1/1");
}

TEST_CASE("an item without a count leaves an existing one alone") {
  Rig R;
  EnterItem It = to(0, 64);
  It.Count = false;
  R.enter({It});
  REQUIRE(R.counts(0, 64) == "1/0");
  R.enter({It});
  REQUIRE(R.counts(0, 64) == "1/0");
}

TEST_CASE("an implicit map never extends") {
  Rig R;
  R.enter({to(16, 16)});
  EnterItem It = to(0, 64);
  It.Implicit = true;
  Construct C = R.start({It});
  REQUIRE(C.operations() == "");
  REQUIRE(C.In[0].Target == R.entry(16, 16));
  REQUIRE(C.In[0].Device == R.entry(16, 16)->device() - 16);
  REQUIRE(R.counts(16, 16) == "2/0");
}

TEST_CASE("an implicit map extends what its own construct made") {
  Rig R;
  EnterItem It = to(0, 64);
  It.Implicit = true;
  SECTION("a part before it") {
    Construct C = R.start({alloc(16, 16), It});
    REQUIRE(C.operations() == "to 0+16, to 32+32");
    REQUIRE(C.In[1].Result == Resolution::Created);
    REQUIRE(R.counts(16, 16) == "1/0");
    REQUIRE(R.counts(0, 64) == "1/0");
  }
  SECTION("parts that reach beyond it") {
    EnterItem Other = to(56, 64);
    Other.Implicit = true;
    REQUIRE(R.enter({to(16, 16), Other, It}) ==
            "to 16+16, to 56+64, to 0+16, to 32+24");
  }
  SECTION("but nothing that was there") {
    R.enter({to(48, 8)});
    Construct C = R.start({alloc(16, 16), It});
    REQUIRE(C.operations() == "");
    REQUIRE(C.In[1].Target == R.entry(16, 16));
  }
}

TEST_CASE("an implicit map goes by its first byte, then to the right") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(8, 24)});
  R.enter({to(48, 8)});
  EnterItem It = to(12, 60);
  It.Implicit = true;
  R.enter({It});
  REQUIRE(R.counts(0, 16) == "2/0");
  It.Host = at(40, 40);
  R.enter({It});
  REQUIRE(R.counts(48, 8) == "2/0");
}

TEST_CASE("an implicit map of absent bytes is a map") {
  Rig R;
  EnterItem It = to(0, 64);
  It.Implicit = true;
  REQUIRE(R.enter({It}) == "to 0+64");
}

TEST_CASE("present") {
  Rig R;
  R.enter({to(0, 16)});
  R.enter({to(16, 16)});
  EnterItem It = to(8, 4);
  It.Present = true;
  SECTION("in one entry") { REQUIRE(R.enter({It}) == ""); }
  SECTION("in several entries together") {
    It.Host = at(8, 16);
    REQUIRE(R.enter({It}) == "");
    REQUIRE(R.counts(8, 16) == "1/0");
  }
  SECTION("in part") {
    It.Host = at(24, 16);
    Construct C = R.start({alloc(0, 16), It});
    REQUIRE(C.Result == Outcome::Failed);
    REQUIRE(C.Error.code() == ErrorCode::NotPresent);
    REQUIRE(C.FailedItem == 1);
    REQUIRE(C.Error.text().find("0x100018 (16 bytes)") != std::string::npos);
    REQUIRE(R.counts(0, 16) == "1/0");
  }
  SECTION("in part and implicit") {
    It.Host = at(24, 16);
    It.Implicit = true;
    REQUIRE(R.enter({It}) == "not present");
  }
  SECTION("not at all") {
    It.Host = at(64, 16);
    REQUIRE(R.enter({It}) == "not present");
  }
  SECTION("without length") {
    It.Host = at(8, 0);
    REQUIRE(R.enter({It}) == "");
    It.Host = at(64, 0);
    REQUIRE(R.enter({It}) == "not present");
  }
}

TEST_CASE("a range without length resolves by address") {
  Rig R;
  EnterItem Section = to(64, 64);
  Section.Base = H + 32;
  R.enter({Section});
  Construct C;
  SECTION("inside") {
    C = R.start({alloc(70, 0)});
    REQUIRE(C.In[0].Target == R.entry(64, 64));
    REQUIRE(C.In[0].Device == R.entry(64, 64)->device() + 6);
  }
  SECTION("from the base on") {
    C = R.start({alloc(32, 0)});
    REQUIRE(C.In[0].Target == R.entry(64, 64));
    REQUIRE(C.In[0].Device == R.entry(64, 64)->device() - 32);
  }
  SECTION("before the base") {
    C = R.start({alloc(31, 0)});
    REQUIRE(C.In[0].Result == Resolution::Absent);
    REQUIRE(C.In[0].Device == H + 31);
  }
  SECTION("at the end") {
    C = R.start({alloc(128, 0)});
    REQUIRE(C.In[0].Result == Resolution::Absent);
  }
  REQUIRE(C.Result == Outcome::Done);
  REQUIRE(C.P.empty());
  REQUIRE(R.entries() == "64+64");
}

TEST_CASE("shared memory is used only for what is absent") {
  Rig R;
  R.enter({to(0, 16)});
  EnterItem There = alloc(0, 16), Away = alloc(64, 16), Part = alloc(8, 16);
  for (EnterItem *It : {&There, &Away, &Part})
    It->MayShare = true;
  Construct C = R.start({There, Away, Part});
  REQUIRE(C.In[0].Result == Resolution::Existing);
  REQUIRE(C.In[1].Result == Resolution::Shared);
  REQUIRE(C.In[1].Device == H + 64);
  REQUIRE(C.In[1].Target == nullptr);
  REQUIRE(C.In[2].Result == Resolution::Created);
}

TEST_CASE("strict: extensions are refused") {
  Rig R(strict());
  R.enter({to(16, 32)});
  Construct C = R.start({to(64, 8), to(0, 32)});
  REQUIRE(C.Result == Outcome::Failed);
  REQUIRE(C.Error.code() == ErrorCode::Extension);
  REQUIRE(C.FailedItem == 1);
  REQUIRE(R.entries() == "16+32");
  REQUIRE(R.enter({to(16, 8)}) == "");
  EnterItem Present = to(0, 32);
  Present.Present = true;
  REQUIRE(R.enter({Present}) == "extension");
}

TEST_CASE("items of one construct see each other") {
  Rig R;
  REQUIRE(R.enter({to(0, 32), to(16, 32), to(8, 8)}) == "to 0+32, to 32+16");
  REQUIRE(R.counts(0, 32) == "2/0");
  REQUIRE(R.counts(16, 32) == "1/0");
}

TEST_CASE("members of a struct copy what the struct brought along") {
  Rig R;
  EnterItem Struct = alloc(0, 64), A = to(0, 8), B = to(32, 16);
  A.Parent = B.Parent = 0;
  A.Count = B.Count = false;
  REQUIRE(R.enter({Struct, A, B}) == "to 0+8, to 32+16");
  REQUIRE(R.counts(0, 64) == "1/0");
  SECTION("nothing the second time") {
    REQUIRE(R.enter({Struct, A, B}) == "");
    REQUIRE(R.counts(0, 64) == "2/0");
  }
  SECTION("always, always") {
    B.Always = true;
    REQUIRE(R.enter({Struct, A, B}) == "to 32+16");
  }
}

TEST_CASE("members of a struct that extends copy what is new") {
  Rig R;
  R.enter({to(0, 36)});
  EnterItem Struct = alloc(0, 64), B = to(32, 16);
  B.Parent = 0;
  B.Count = false;
  REQUIRE(R.enter({Struct, B}) == "to 36+12");
}

TEST_CASE("lack of memory leaves everything as it was") {
  for (DirectoryOptions O : {mirror(), fused()}) {
    Rig R(O);
    R.enter({to(0, 64)});
    uint64_t Held = R.Memory.held();
    R.Memory.FailAfter = 1;
    Construct C = R.start({to(0, 64), to(4096, 64), to(8192, 64)});
    REQUIRE(C.Result == Outcome::Failed);
    REQUIRE(C.Error.code() == ErrorCode::OutOfMemory);
    REQUIRE(C.FailedItem == 2);
    REQUIRE(C.P.empty());
    REQUIRE(R.counts(0, 64) == "1/0");
    REQUIRE(R.entries() == "0+64");
    REQUIRE(R.Memory.held() == Held);
    REQUIRE(R.enter({to(4096, 64), to(8192, 64)}) == "to 4096+64, to 8192+64");
  }
}

TEST_CASE("a range that ends before it begins is refused") {
  Rig R;
  EnterItem It = to(64, 8);
  It.Host.End = H;
  Construct C = R.start({It});
  REQUIRE(C.Result == Outcome::Failed);
  REQUIRE(C.Error.code() == ErrorCode::Invalid);
}
