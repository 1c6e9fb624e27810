//===- RecordsTest.cpp - Values that clang's programs pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links a program with a stand-in for the runtime that reads everything through
// runtime/support/Abi.h, runs it, and compares what arrived with what the
// program says.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "support/Abi.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace accx;

namespace {

using Lines = std::vector<std::string>;

/// What the stand-in printed, in the order of the program.
const Lines &records() {
  static const Lines Printed = [] {
    TemporaryFolder Folder;
    const std::string Flags =
        ACCX_CLANGXX " -O1 -w -std=c++20 -fopenmp "
                     "-fopenmp-targets=x86_64-pc-linux-gnu ";
    const std::string Enter = "cd " + Folder.path() + " && ";
    linesOf(Enter + Flags + "-c -o program.o " ACCX_INPUTS "/Program.cpp 2>&1");
    linesOf(Enter + ACCX_CLANGXX " -std=c++20 -O1 -I" ACCX_RUNTIME_SOURCE
                                 " -c -o probe.o " ACCX_INPUTS
                                 "/Probe.cpp 2>&1");
    linesOf(Enter + Flags + "-o program program.o probe.o 2>&1");
    // Tasks in the order of the program.
    return linesOf(Enter + "LIBOMP_USE_HIDDEN_HELPER_TASK=0 OMP_NUM_THREADS=1 "
                           "LD_LIBRARY_PATH=$(dirname " ACCX_STOCK_OMPTARGET
                           ") ./program");
  }();
  return Printed;
}

/// The lines after the one that starts with \p Head, as far as they start with
/// \p Follow; \p Skip such heads are passed over.
Lines recordsAfter(const std::string &Head, const std::string &Follow,
                   int Skip = 0) {
  Lines Found;
  auto At = records().begin(), End = records().end();
  auto Starts = [](const std::string &Line, const std::string &Text) {
    return Line.rfind(Text, 0) == 0;
  };
  for (;; ++At) {
    At = std::find_if(At, End, [&](const auto &L) { return Starts(L, Head); });
    REQUIRE(At != End);
    if (Skip-- == 0)
      break;
  }
  Found.push_back(*At);
  while (++At != End && Starts(*At, Follow))
    Found.push_back(*At);
  return Found;
}

std::string record(const char *Kind, int64_t Size, uint64_t Type) {
  std::ostringstream Text;
  Text << Kind << " size=" << Size << " type=0x" << std::hex << Type;
  return Text.str();
}
std::string item(int64_t Size, uint64_t Type, bool Mapper = false) {
  return record("item", Size, Type) + " mapper=" + (Mapper ? "1" : "0");
}

constexpr int64_t ArrayBytes = 64;
const std::string KernelHead = "kernel device=-1 ";

} // namespace

TEST_CASE("programs register images and entries") {
  CHECK(recordsAfter("register", "image ") ==
        Lines{"register images=1", "image elf=1 ends=1 own-entries=1"});
  Lines Entries = recordsAfter("image", "entry ");
  const std::string Kernel = "entry name=__omp_offloading_";
  CHECK(std::count(Entries.begin(), Entries.end(),
                   "entry name=Global size=4 flags=0 data=0 address=1") == 1);
  CHECK(std::count_if(Entries.begin(), Entries.end(), [&](const auto &L) {
          return L.rfind(Kernel, 0) == 0 &&
                 L.find(" size=0 flags=0 data=0 address=1") !=
                     std::string::npos;
        }) == 4);
  CHECK(records().back() == "unregister images=1");
}

TEST_CASE("a region without teams") {
  CHECK(recordsAfter(KernelHead, "item") ==
        Lines{KernelHead + "teams=-1 limit=0 version=3 items=2 trip=0 flags=0 "
                           "block-teams=-1,0,0 block-limit=0,0,0 shared=0 id=1",
              item(ArrayBytes, MapTo | MapFrom | MapAlways | MapTargetParam),
              item(8, MapLiteral | MapTargetParam)});
}

TEST_CASE("a region with teams, a limit and a trip count") {
  CHECK(recordsAfter(KernelHead, "item", 1) ==
        Lines{KernelHead + "teams=2 limit=5 version=3 items=1 trip=16 flags=0 "
                           "block-teams=2,0,0 block-limit=5,0,0 shared=0 id=1",
              item(ArrayBytes, MapTo | MapPresent | MapTargetParam)});
}

TEST_CASE("a nowait region") {
  Lines Found = recordsAfter(KernelHead, "item", 2);
  CHECK(Found[0].find(" flags=" + std::to_string(KernelArgs::NoWait) + " ") !=
        std::string::npos);
  CHECK(Found[1] == item(ArrayBytes, MapFrom | MapTargetParam));
}

TEST_CASE("data constructs") {
  const Lines Data = {item(ArrayBytes, MapTo | MapFrom | MapOmpxHold),
                      item(256, MapClose)};
  CHECK(recordsAfter("begin items=2", "item") ==
        Lines{"begin items=2", Data[0], Data[1]});
  CHECK(recordsAfter("end items=2", "item") ==
        Lines{"end items=2", Data[0], Data[1]});
  CHECK(recordsAfter("begin items=1", "item")[1] == item(ArrayBytes, MapTo));
  CHECK(recordsAfter("end items=1", "item")[1] == item(ArrayBytes, MapDelete));
  CHECK(recordsAfter("begin-nowait", "item")[1] == item(ArrayBytes, 0));
  CHECK(recordsAfter("update-nowait", "item")[1] == item(16, MapTo));
  CHECK(recordsAfter("end-nowait", "item")[1] == item(ArrayBytes, 0));
}

TEST_CASE("a strided update") {
  // Rows 1 and 2, columns 2 to 4 of int[8][8]; the last dimension is a byte's.
  CHECK(recordsAfter("update items=1", "item")[1] ==
        item(3, MapFrom | MapNonContig) + " (1,2,32) (2,3,4) (0,1,4)");
}

TEST_CASE("a user-defined mapper") {
  Lines Found = recordsAfter("item size=16 type=0x23", "component");
  // Both members are of component 0, which is struct item 1 counted from 1.
  const uint64_t OfFirst = uint64_t(1) << 48;
  CHECK(Found == Lines{item(16, MapTo | MapFrom | MapTargetParam, true),
                       record("component", 16, 0),
                       record("component", 16, OfFirst | MapTo | MapFrom),
                       record("component", ArrayBytes,
                              OfFirst | MapTo | MapFrom | MapPtrAndObj)});
  CHECK(memberOf(OfFirst | MapTo) == 0);
  CHECK(memberOf(MapTo) == -1);
}

TEST_CASE("interop constructs") {
  CHECK(recordsAfter("interop-init", "interop-") ==
        Lines{"interop-init kind=2 device=0 deps=0 null=1",
              "interop-use deps=0 same=1", "interop-destroy deps=0 same=1"});
}
