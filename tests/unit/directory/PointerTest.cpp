// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attached pointers: when they are stored, and that copies leave them alone.

#include "Rig.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace accx;
using namespace accx::test;

namespace {
/// The pointer at \p Slot to the array at \p Offset.
EnterItem pointer(uintptr_t Slot, EnterItem Pointee) {
  Pointee.Slot = H + Slot;
  return Pointee;
}
} // namespace

TEST_CASE("a pointer is attached to what it points to") {
  Rig R;
  REQUIRE(R.enter({to(0, 64), pointer(16, to(4096, 32))}) ==
          "to 0+64!16, to 4096+32, attach 16");
  REQUIRE(R.devicePointer(16) == R.entry(4096, 32)->device());
}

TEST_CASE("a pointer that is not mapped gets an entry of its own") {
  Rig R;
  REQUIRE(R.enter({pointer(16, to(4096, 32))}) == "to 4096+32, attach 16");
  REQUIRE(R.counts(16, 8) == "1/0");
  REQUIRE(R.enter({pointer(16, to(4096, 32))}) == "");
  REQUIRE(R.counts(16, 8) == "1/0");
  EnterItem It = pointer(16, to(4096, 32));
  It.CountSlot = true;
  R.enter({It});
  REQUIRE(R.counts(16, 8) == "2/0");
  REQUIRE(R.counts(4096, 32) == "3/0");
}

TEST_CASE("the device pointer has the offset of the host pointer") {
  Rig R;
  EnterItem It = pointer(16, to(4096, 32));
  It.Base = H + 4000;
  R.enter({It});
  REQUIRE(R.devicePointer(16) == R.entry(4096, 32)->device() - 96);
}

TEST_CASE("a pointer that did not change is not stored again") {
  Rig R;
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  REQUIRE(R.enter({to(0, 64), pointer(16, to(4096, 32))}) == "");
  REQUIRE(R.enter({to(0, 64), pointer(16, to(8192, 32))}) ==
          "to 8192+32, attach 16");
  REQUIRE(R.devicePointer(16) == R.entry(8192, 32)->device());
}

TEST_CASE("a pointer to what is absent is not attached") {
  Rig R;
  REQUIRE(R.enter({to(0, 64), pointer(16, alloc(4096, 0))}) == "to 0+64");
  R.enter({to(4096, 32)});
  REQUIRE(R.enter({to(0, 64), pointer(16, alloc(4096, 0))}) == "attach 16");
}

TEST_CASE("copies skip attached pointers") {
  Rig R;
  uintptr_t HostPointer = H + 4096;
  std::memcpy(&R.host(16), &HostPointer, 8);
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  R.device(40) = 7;
  UpdateItem Up, Down;
  Up.Host = Down.Host = at(0, 64);
  Up.ToDevice = Down.FromDevice = true;
  REQUIRE(R.update({Down}) == "from 0+64!16");
  REQUIRE(R.host(40) == 7);
  REQUIRE(std::memcmp(&R.host(16), &HostPointer, 8) == 0);
  REQUIRE(R.update({Up}) == "to 0+64!16");
  REQUIRE(R.devicePointer(16) == R.entry(4096, 32)->device());
  EnterItem Always = to(0, 64);
  Always.Always = true;
  REQUIRE(R.enter({Always}) == "to 0+64!16");
  REQUIRE(R.exit({release(0, 64)}) == "");
  REQUIRE(R.exit({from(0, 64)}) == "from 0+64!16");
  REQUIRE(std::memcmp(&R.host(16), &HostPointer, 8) == 0);
}

TEST_CASE("pointers at the ends and across them shorten a copy") {
  Rig R;
  R.enter({to(0, 64), pointer(0, to(4096, 32)), pointer(8, to(4096, 32)),
           pointer(40, to(4096, 32)), pointer(48, to(4096, 32)),
           pointer(56, to(4096, 32))});
  UpdateItem It;
  It.FromDevice = true;
  It.Host = at(0, 64);
  REQUIRE(R.update({It}) == "from 16+24");
  It.Host = at(4, 40);
  REQUIRE(R.update({It}) == "from 16+24");
  It.Host = at(20, 60 - 20);
  REQUIRE(R.update({It}) == "from 20+20");
  It.Host = at(42, 4);
  REQUIRE(R.update({It}) == "");
  It.Host = at(40, 24);
  REQUIRE(R.update({It}) == "");
}

TEST_CASE("a pointer is forgotten when its bytes leave") {
  Rig R;
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  R.exit({release(0, 64)});
  REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
}

TEST_CASE("a pointer stays while any entry covers it") {
  Rig R;
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  R.enter({to(8, 120)});
  R.exit({release(0, 64)});
  REQUIRE(R.exit({from(8, 120)}) == "from 8+120!16");
}

TEST_CASE("half a pointer is not copied, and is stored when it is whole") {
  for (DirectoryOptions O : {mirror(), fused()}) {
    Rig R(O);
    R.enter({to(0, 64), pointer(16, to(4096, 32))});
    R.enter({to(20, 60)});
    R.exit({release(0, 64)});
    UpdateItem It;
    It.FromDevice = true;
    It.Host = at(20, 60);
    REQUIRE(R.update({It}) == "from 24+56");
    Construct C = R.start({to(0, 64)});
    REQUIRE(C.Result == Outcome::Done);
    REQUIRE(C.operations().find("to 0+16") != std::string::npos);
    REQUIRE(C.operations().find("attach 16") != std::string::npos);
    R.finish(C);
    REQUIRE(R.devicePointer(16) == R.entry(4096, 32)->device());
  }
}

TEST_CASE("a pointer attached over a part of another destroys that one") {
  Rig R;
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  R.enter({pointer(20, to(4096, 32))});
  UpdateItem It;
  It.FromDevice = true;
  It.Host = at(0, 64);
  REQUIRE(R.update({It}) == "from 0+64!20");
}

TEST_CASE("an entry is busy until its new pointer is stored") {
  Rig R;
  R.enter({to(0, 64), to(4096, 32)});
  Construct C = R.start({to(0, 64), pointer(16, to(4096, 32))});
  REQUIRE(C.operations() == "attach 16");
  REQUIRE(R.enter({to(0, 64)}) == "wait");
  REQUIRE(R.enter({to(4096, 32)}) == "");
  R.finish(C);
  REQUIRE(R.enter({to(0, 64)}) == "");
}

TEST_CASE("growth of a block re-attaches the pointers into it") {
  Rig R(fused());
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  uintptr_t Before = R.devicePointer(16);
  REQUIRE(R.enter({to(4096, 64)}) == "move 4096+32, to 4128+32, attach 16");
  REQUIRE(R.devicePointer(16) == R.entry(4096, 64)->device());
  REQUIRE(R.devicePointer(16) != Before);
}

TEST_CASE("a pointer moves with its block") {
  Rig R(fused());
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  uintptr_t Before = R.devicePointer(16);
  REQUIRE(R.enter({to(0, 128)}) == "move 0+64, to 64+64");
  REQUIRE(R.devicePointer(16) == Before);
}

TEST_CASE("pointers do not change under a kernel that may follow them") {
  Rig R(fused());
  R.enter({to(0, 64), pointer(16, to(4096, 32))});
  EnterItem Kernel = to(0, 64);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  REQUIRE(R.enter({to(4096, 64)}) == "wait");
  R.D.unpin(C.In[0].Target);
  REQUIRE(R.enter({to(4096, 64)}) == "move 4096+32, to 4128+32, attach 16");
}

namespace {
/// Two members of a struct at 0, held, and the frame around them.
std::vector<EnterItem> members() {
  EnterItem A = to(0, 8), C = to(32, 8), Frame = alloc(0, 40);
  A.Parent = C.Parent = 2;
  Frame.Frame = true;
  return {A, C, Frame};
}
ExitItem releaseFrame(uintptr_t Offset, size_t Size) {
  ExitItem It = release(Offset, Size);
  It.Frame = true;
  return It;
}
} // namespace

TEST_CASE("a frame needs no entry where its members lie together") {
  Rig R;
  R.enter({to(0, 8)});
  R.enter({to(32, 8)});
  REQUIRE(R.enter(members()) == "");
  REQUIRE(R.entry(0, 40) == nullptr);
  REQUIRE(R.counts(0, 8) == "2/0");
  REQUIRE(R.counts(32, 8) == "2/0");
}

TEST_CASE("a frame around new members goes with them") {
  Rig R;
  REQUIRE(R.enter(members()) == "to 0+8, to 32+8");
  REQUIRE(R.counts(0, 40) == "1/0");
  REQUIRE(R.counts(32, 8) == "1/0");
  R.exit({release(0, 8), release(32, 8), releaseFrame(0, 40)});
  REQUIRE(R.D.entries().empty());
}

TEST_CASE("a frame inside of an entry does not count there") {
  Rig R;
  R.enter({to(0, 64)});
  EnterItem Frame = alloc(16, 8);
  Frame.Frame = true;
  EnterItem Object = pointer(16, to(4096, 32));
  Object.Parent = 0;
  REQUIRE(R.enter({Frame, Object}) == "to 4096+32, attach 16");
  REQUIRE(R.counts(0, 64) == "1/0");
  R.exit({releaseFrame(16, 8), release(4096, 32)});
  REQUIRE(R.counts(0, 64) == "1/0");
  REQUIRE(R.entry(4096, 32) == nullptr);
}
