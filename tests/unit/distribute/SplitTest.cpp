//===- SplitTest.cpp - Which device runs which iterations -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Even and owners' splits, compared with a loop over all iterations.
//
//===----------------------------------------------------------------------===//

#include "distribute/Split.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace accx;

using Ranges = std::vector<IterationRange>;

namespace {

/// Whether \p R has each iteration once, in order, and no range is empty.
bool coversAll(const Ranges &R, int64_t Iterations) {
  int64_t Next = 0;
  for (const IterationRange &I : R) {
    if (I.Begin != Next || I.End <= I.Begin)
      return false;
    Next = I.End;
  }
  return Next == Iterations;
}

unsigned ownerOf(const Ranges &R, int64_t Iteration) {
  for (const IterationRange &I : R)
    if (I.Begin <= Iteration && Iteration < I.End)
      return I.Owner;
  return ~0u;
}

/// The owner of the byte, or of the nearest one.
unsigned ownerOf(const std::vector<OwnerBorder> &Borders, int64_t Byte) {
  for (const OwnerBorder &B : Borders)
    if (Byte < static_cast<int64_t>(B.End))
      return B.Owner;
  return Borders.back().Owner;
}

} // namespace

TEST_CASE("even splits differ by one at most") {
  for (unsigned Devices = 1; Devices <= 9; ++Devices)
    for (int64_t N = 0; N < 40; ++N) {
      const Ranges R = splitEvenly(N, Devices);
      REQUIRE(coversAll(R, N));
      REQUIRE(R.size() == std::min<size_t>(N, Devices));
      for (const IterationRange &I : R) {
        REQUIRE(I.End - I.Begin >= N / Devices);
        REQUIRE(I.End - I.Begin <= N / Devices + 1);
      }
    }
  CHECK(coversAll(splitEvenly(INT64_MAX, 8), INT64_MAX));
}

TEST_CASE("owners run what they own") {
  // Two devices, rows of 100 bytes, the border amid row 5.
  const std::vector<OwnerBorder> Halves = {{550, 0}, {1000, 1}};
  CHECK(splitByOwner(10, 0, 100, Halves, 99) == Ranges{{0, 6, 0}, {6, 10, 1}});
  // From row 1 on, as a stencil has it.
  CHECK(splitByOwner(8, 100, 100, Halves, 99) == Ranges{{0, 5, 0}, {5, 8, 1}});
  CHECK(splitByOwner(10, 900, -100, Halves, 99) ==
        Ranges{{0, 4, 1}, {4, 10, 0}});
  // All on one side, inside and outside of the array.
  CHECK(splitByOwner(4, 0, 100, Halves, 99) == Ranges{{0, 4, 0}});
  CHECK(splitByOwner(4, -5000, 100, Halves, 99) == Ranges{{0, 4, 0}});
  CHECK(splitByOwner(4, 5000, 100, Halves, 99) == Ranges{{0, 4, 1}});
}

TEST_CASE("what cannot be split by owners") {
  const std::vector<OwnerBorder> Halves = {{550, 0}, {1000, 1}};
  CHECK(splitByOwner(0, 0, 100, Halves, 99).empty());
  CHECK(splitByOwner(-3, 0, 100, Halves, 99).empty());
  CHECK(splitByOwner(10, 0, 0, Halves, 99).empty());
  CHECK(splitByOwner(10, 0, INT64_MIN, Halves, 99).empty());
  CHECK(splitByOwner(10, 0, 100, {}, 99).empty());
  std::vector<OwnerBorder> Blocks;
  for (unsigned I = 0; I < 100; ++I)
    Blocks.push_back({10 * (I + 1), I % 2});
  CHECK(splitByOwner(1000, 0, 1, Blocks, 99).empty());
  CHECK(splitByOwner(1000, 0, 1, Blocks, 100).size() == 100);
}

TEST_CASE("random owners' splits agree with a loop over all iterations") {
  std::mt19937_64 Random(20260101);
  const auto Up = [&](int64_t To) {
    return static_cast<int64_t>(Random() % static_cast<uint64_t>(To));
  };
  for (int Case = 0; Case < 3000; ++Case) {
    std::vector<OwnerBorder> Borders;
    uint64_t End = 0;
    for (int64_t I = 0, N = 1 + Up(12); I < N; ++I)
      Borders.push_back({End += 1 + Up(60), static_cast<unsigned>(Up(4))});
    const int64_t First = Up(400) - 200, N = 1 + Up(90);
    const int64_t Step = Up(2) ? 1 + Up(20) : -1 - Up(20);
    const Ranges R = splitByOwner(N, First, Step, Borders, 99);
    REQUIRE(coversAll(R, N));
    for (int64_t I = 0; I < N; ++I)
      REQUIRE(ownerOf(R, I) == ownerOf(Borders, First + I * Step));
  }
}

TEST_CASE("splits near the ends of the address space") {
  const std::vector<OwnerBorder> Two = {{uint64_t(1) << 62, 0},
                                        {uint64_t(1) << 63, 1}};
  CHECK(splitByOwner(INT64_MAX, 0, 1, Two, 9) ==
        Ranges{{0, int64_t(1) << 62, 0}, {int64_t(1) << 62, INT64_MAX, 1}});
  CHECK(splitByOwner(2, INT64_MAX, INT64_MIN + 1, Two, 9) ==
        Ranges{{0, 1, 1}, {1, 2, 0}});
}
