// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is the program's own: globals and associated pointers.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx;
using namespace accx::test;

namespace {
/// Device memory of the program's own.
struct Own {
  SimMemory &M;
  uintptr_t Address;
  Own(SimMemory &M, size_t Size) : M(M), Address(*M.allocate(Size)) {}
  ~Own() { M.release(Address); }
};
} // namespace

TEST_CASE("a permanent entry resolves and never counts") {
  Rig R;
  Own A(R.Memory, 64);
  REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, false).ok());
  REQUIRE(R.entry(0, 64)->Permanent);
  Construct C = R.start({to(0, 64), to(8, 8)});
  REQUIRE(C.operations() == "");
  REQUIRE(C.In[1].Device == A.Address + 8);
  REQUIRE(R.counts(0, 64) == "0/0");
  REQUIRE(R.exit({from(0, 64), remove(0, 64)}) == "");
  REQUIRE(R.entries() == "0+64");
  ExitItem Always = from(0, 64);
  Always.Always = true;
  REQUIRE(R.exit({Always}) == "from 0+64");
}

TEST_CASE("holds on a permanent entry are counted, and end nothing") {
  Rig R;
  Own A(R.Memory, 64);
  REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, true).ok());
  EnterItem Begin = to(0, 64);
  Begin.Hold = true;
  ExitItem End = from(0, 64);
  End.Hold = true;
  R.enter({Begin, Begin});
  REQUIRE(R.counts(0, 64) == "0/2");
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.exit({End}) == "");
  REQUIRE(R.counts(0, 64) == "0/0");
}

TEST_CASE("a permanent entry cannot be extended") {
  for (DirectoryOptions O : {mirror(), fused()}) {
    Rig R(O);
    Own A(R.Memory, 64);
    REQUIRE(R.D.associate(at(16, 64), A.Address, nullptr, false).ok());
    REQUIRE(R.enter({to(256, 8), to(0, 64)}) == "extension");
    REQUIRE(R.enter({to(0, 128)}) == "extension");
    REQUIRE(R.entries() == "16+64");
    EnterItem It = to(0, 64);
    It.Implicit = true;
    REQUIRE(R.enter({It}) == "");
  }
}

TEST_CASE("associations") {
  Rig R;
  Own A(R.Memory, 64), B(R.Memory, 64);
  REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, true).ok());
  SECTION("the same twice") {
    REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, true).ok());
    REQUIRE(R.entries() == "0+64");
  }
  SECTION("with something else") {
    Status S = R.D.associate(at(0, 64), B.Address, nullptr, true);
    REQUIRE(S.failed());
    REQUIRE(S.code() == ErrorCode::Extension);
  }
  SECTION("of a part, at its place") {
    REQUIRE(R.D.associate(at(8, 8), A.Address + 8, nullptr, true).ok());
  }
  SECTION("of what is mapped") {
    R.enter({to(128, 64)});
    REQUIRE(R.D.associate(at(128, 64), B.Address, nullptr, true).failed());
  }
  SECTION("of nothing") {
    REQUIRE(R.D.associate(at(128, 0), B.Address, nullptr, true).code() ==
            ErrorCode::Invalid);
  }
  SECTION("ended") {
    REQUIRE(R.D.disassociate(H + 8).failed());
    REQUIRE(R.D.disassociate(H).ok());
    REQUIRE(R.entries() == "");
    REQUIRE(R.D.disassociate(H).failed());
    REQUIRE(R.enter({to(0, 64)}) == "to 0+64");
    REQUIRE(R.D.disassociate(H).failed());
  }
}

TEST_CASE("an unloaded image takes its globals along, exactly") {
  Rig R;
  Own A(R.Memory, 64);
  REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, false).ok());
  R.enter({to(128, 64)});
  R.D.forget(at(0, 32));
  R.D.forget(at(128, 64));
  REQUIRE(R.entries() == "0+64 128+64");
  REQUIRE(R.D.disassociate(H).failed());
  R.D.forget(at(0, 64));
  REQUIRE(R.entries() == "128+64");
}

TEST_CASE("a permanent entry goes while it is pinned or a plan writes to it") {
  Rig R;
  Own A(R.Memory, 64);
  REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, true).ok());
  EnterItem Kernel = to(0, 64);
  Kernel.Pin = true;
  Construct C = R.start({Kernel});
  EnterItem Pointer = to(4096, 8);
  Pointer.Slot = H + 8;
  Construct W = R.start({Pointer});
  REQUIRE(R.entry(0, 64)->Busy);
  REQUIRE(R.D.disassociate(H).ok());
  REQUIRE(C.In[0].Target->Gone);
  R.finish(W);
  R.D.unpin(C.In[0].Target);
  REQUIRE(R.entries() == "4096+8");
}

TEST_CASE("a permanent part of a block keeps the block where it is") {
  Rig R(fused());
  R.enter({to(0, 64)});
  REQUIRE(R.D.associate(at(8, 8), R.entry(0, 64)->device() + 8, nullptr, true)
              .ok());
  REQUIRE(R.enter({to(32, 64)}) == "extension");
  REQUIRE(R.exit({from(0, 64)}) == "from 0+8, from 16+48");
  REQUIRE(R.D.stats().Blocks == 1);
  REQUIRE(R.D.disassociate(H + 8).ok());
  REQUIRE(R.D.stats().Blocks == 0);
}

TEST_CASE("entries are found by what they have on the device") {
  for (DirectoryOptions O : {mirror(), fused()}) {
    Rig R(O);
    Own A(R.Memory, 64);
    Own B(R.Memory, 64);
    REQUIRE(R.D.associate(at(0, 64), A.Address, nullptr, true).ok());
    Construct C = R.start({to(4096, 128), to(8192, 8)});
    const uintptr_t Mapped = C.In[0].Device;
    REQUIRE(R.D.entryAt(A.Address + 63, 1) == R.entry(0, 64));
    REQUIRE(R.D.entryAt(A.Address - 8, 9) == R.entry(0, 64));
    REQUIRE(R.D.entryAt(A.Address - 8, 8) == nullptr);
    REQUIRE(R.D.entryAt(B.Address, 64) == nullptr);
    REQUIRE(R.D.entryAt(Mapped + 127, 1) == R.entry(4096, 128));
    REQUIRE(R.D.entryAt(Mapped + 128, 1) == nullptr);
    REQUIRE(R.D.entryAt(C.In[1].Device, 100) == R.entry(8192, 8));
    REQUIRE(R.D.disassociate(at(0, 64).Begin).ok());
    REQUIRE(R.D.entryAt(A.Address, 64) == nullptr);
  }
}
