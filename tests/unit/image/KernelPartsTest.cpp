//===- KernelPartsTest.cpp - Tables of distributed loops ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a good table says, and that a damaged one is refused or harmless.
//
//===----------------------------------------------------------------------===//

#include "image/KernelParts.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>

using namespace accx;

namespace {

class Table {
  std::vector<char> All;

public:
  template <typename T> Table &add(const T &Object) {
    const auto *Raw = reinterpret_cast<const char *>(&Object);
    All.insert(All.end(), Raw, Raw + sizeof(T));
    return *this;
  }
  const std::vector<char> &bytes() {
    const auto Size = static_cast<uint32_t>(All.size());
    std::memcpy(All.data() + offsetof(accx_kernel_parts, total_bytes), &Size,
                sizeof(Size));
    return All;
  }
};

constexpr uint32_t int32(uint32_t Arg) { return Arg | 32u << 16; }
constexpr uint32_t uint32(uint32_t Arg) { return int32(Arg) | 1u << 24; }

/// Arguments: environment, first, last, pointer, n (an int). The write is at
/// 4 * n + 12 + iteration * 4 * n.
Table good() {
  Table T;
  T.add(accx_kernel_parts{ACCX_KERNEL_PARTS_MAGIC, 1, ACCX_PARTS_WRITES_LOADED,
                          0, 5, 1, 2, 1, 0});
  T.add(uint8_t(0)).add(uint8_t(0)).add(uint8_t(0));
  T.add(uint8_t(ACCX_PARTS_WRITES | ACCX_PARTS_ONCE))
      .add(uint8_t(ACCX_PARTS_READS));
  T.add(uint8_t(0)).add(uint8_t(0)).add(uint8_t(0));
  T.add(accx_parts_access{3, 1, 2, 1});
  T.add(accx_parts_term{4, {int32(4), 0, 0}, 0});
  T.add(accx_parts_term{12, {0, 0, 0}, 0});
  T.add(accx_parts_term{4, {int32(4), 0, 0}, 0});
  return T;
}

void *value(int64_t V) { return reinterpret_cast<void *>(V); }

} // namespace

TEST_CASE("a table is read") {
  Table T = good();
  CHECK(KernelParts::totalBytes(T.bytes()) == T.bytes().size());
  auto Read = KernelParts::parse(T.bytes());
  REQUIRE(Read.ok());
  const KernelParts &P = *Read;
  CHECK(P.hasLoop());
  CHECK(P.firstArg() == 1);
  CHECK(P.lastArg() == 2);
  CHECK(P.writes(3));
  CHECK_FALSE(P.writes(4));
  CHECK(P.writes(5)); // It does not say.
  CHECK(P.touchesOnce(3));
  CHECK_FALSE(P.touchesOnce(4));
  CHECK_FALSE(P.touchesOnce(5));
  CHECK(P.writesThroughLoadedPointers());
  CHECK_FALSE(P.writesUnknown());
  REQUIRE(P.accesses().size() == 1);
  CHECK(P.accesses()[0].Arg == 3);
  CHECK(P.accesses()[0].IsWrite);
  // The upper half of an int's slot is anything.
  void *Args[] = {nullptr, nullptr, nullptr, nullptr, value(0x7700000064)};
  const auto At = KernelParts::evaluate(P.accesses()[0], Args);
  CHECK(At.Start == 412);
  CHECK(At.Step == 400);
}

TEST_CASE("a kernel without a loop says what it writes") {
  for (uint32_t Wrong = 0; Wrong < 4; ++Wrong) {
    Table T;
    T.add(accx_kernel_parts{ACCX_KERNEL_PARTS_MAGIC, 1, ACCX_PARTS_NO_LOOP, 0,
                            3, Wrong == 1, Wrong == 2, Wrong == 3, 0});
    T.add(uint8_t(0)).add(uint8_t(ACCX_PARTS_READS));
    T.add(uint8_t(ACCX_PARTS_WRITES)).add(uint8_t(0)).add(uint32_t(0));
    if (Wrong == 3)
      T.add(accx_parts_access{1, 0, 0, 0});
    auto Read = KernelParts::parse(T.bytes());
    REQUIRE(Read.ok() == (Wrong == 0));
    if (Wrong)
      continue;
    CHECK_FALSE(Read->hasLoop());
    CHECK_FALSE(Read->writes(1));
    CHECK(Read->writes(2));
  }
}

TEST_CASE("numbers are extended as the kernel extends them") {
  const KernelParts::Access A = {
      0, true, {{1, {int32(1), 0, 0}, 0}}, {{1, {uint32(1), 0, 0}, 0}}};
  void *Args[] = {nullptr, value(0xffffffff)};
  CHECK(KernelParts::evaluate(A, Args).Start == -1);
  CHECK(KernelParts::evaluate(A, Args).Step == 0xffffffff);
  CHECK(KernelParts::evaluate(A, {}).Start == 0);
}

TEST_CASE("damaged tables are refused") {
  const std::vector<char> Bytes = good().bytes();
  for (size_t Size = 0; Size < Bytes.size(); ++Size)
    CHECK_FALSE(KernelParts::parse(std::span(Bytes).first(Size)).ok());
  std::vector<char> Longer = Bytes;
  Longer.push_back(0);
  CHECK(KernelParts::parse(Longer).ok());
  ++Longer[offsetof(accx_kernel_parts, total_bytes)];
  CHECK_FALSE(KernelParts::parse(Longer).ok());
  for (size_t Field : {offsetof(accx_kernel_parts, magic),
                       offsetof(accx_kernel_parts, version),
                       offsetof(accx_kernel_parts, flags) + 1,
                       offsetof(accx_kernel_parts, first_arg) + 1,
                       offsetof(accx_kernel_parts, last_arg) + 2,
                       offsetof(accx_kernel_parts, num_accesses) + 3}) {
    std::vector<char> Bad = Bytes;
    Bad[Field] = static_cast<char>(Bad[Field] + 1);
    CHECK_FALSE(KernelParts::parse(Bad).ok());
  }
}

TEST_CASE("random damage is harmless") {
  std::mt19937 Random(7);
  const std::vector<char> Bytes = good().bytes();
  void *Args[] = {value(1), value(2)};
  for (int Case = 0; Case < 20000; ++Case) {
    std::vector<char> Bad = Bytes;
    for (unsigned I = 0, N = 1 + Random() % 4; I < N; ++I)
      Bad[Random() % Bad.size()] = static_cast<char>(Random());
    Bad.resize(Bad.size() - Random() % 3);
    auto Read = KernelParts::parse(Bad);
    if (Read.ok())
      for (const auto &A : Read->accesses())
        (void)KernelParts::evaluate(A, Args);
  }
}
