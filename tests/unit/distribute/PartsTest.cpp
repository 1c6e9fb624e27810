//===- PartsTest.cpp - How spread arrays are cut --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Parts.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace accx;

using Parts = std::vector<SpreadPart>;

namespace {

/// What holds for every cut.
void checkCut(const SpreadLayout &L, const Parts &P) {
  INFO(L.Bytes << " bytes behind " << L.Lead << ", pages of " << L.Page << ", "
               << L.NumOwners << " owners, blocks of " << L.Block);
  REQUIRE(P.empty() == (L.Bytes == 0));
  size_t Begin = 0;
  for (size_t I = 0; I < P.size(); ++I) {
    REQUIRE(P[I].End > Begin);
    REQUIRE(P[I].Owner < L.NumOwners);
    REQUIRE((I + 1 == P.size() || (P[I].End + L.Lead) % L.Page == 0));
    REQUIRE((I == 0 || P[I].Owner != P[I - 1].Owner));
    Begin = P[I].End;
  }
  REQUIRE(Begin == L.Bytes);

  // Runs have each byte once.
  std::vector<std::pair<size_t, unsigned>> Ends;
  for (unsigned Owner = 0; Owner < L.NumOwners; ++Owner)
    for (const SpreadRun &R : runsOf(P, Owner))
      for (size_t I = 0; I < R.Count; ++I)
        Ends.push_back({R.Offset + I * R.Pitch + R.Width, Owner});
  std::sort(Ends.begin(), Ends.end());
  REQUIRE(Ends.size() == P.size());
  for (size_t I = 0; I < P.size(); ++I)
    REQUIRE(Ends[I] == std::pair(P[I].End, P[I].Owner));
}

Parts cut(const SpreadLayout &L) {
  Parts P = cutParts(L);
  checkCut(L, P);
  return P;
}

} // namespace

TEST_CASE("no bytes, no parts") { CHECK(cut({0, 0, 4096, 3, 0}).empty()); }

TEST_CASE("equal parts end on pages") {
  CHECK(cut({8 * 4096, 0, 4096, 2, 0}) == Parts{{4 * 4096, 0}, {8 * 4096, 1}});
  // Three pages and a half for two.
  CHECK(cut({14000, 0, 4096, 2, 0}) == Parts{{8192, 0}, {14000, 1}});
  // The border is a page's of the range, not the array's.
  CHECK(cut({16384, 1024, 4096, 2, 0}) == Parts{{7168, 0}, {16384, 1}});
  CHECK(cut({100, 0, 1, 3, 0}) == Parts{{34, 0}, {67, 1}, {100, 2}});
}

TEST_CASE("less than a page belongs to one device") {
  CHECK(cut({100, 0, 4096, 4, 0}).size() == 1);
  CHECK(cut({4096, 0, 4096, 8, 0}).size() == 1);
  CHECK(cut({100, 4090, 4096, 2, 0}).size() <= 2);
}

TEST_CASE("more devices than pages") {
  const Parts P = cut({3 * 4096, 0, 4096, 8, 0});
  CHECK(P.size() == 3);
}

TEST_CASE("blocks go round") {
  CHECK(cut({5 * 4096, 0, 4096, 2, 4096}) ==
        Parts{{4096, 0}, {8192, 1}, {12288, 0}, {16384, 1}, {20480, 0}});
  // Smaller than a page: pages go round.
  CHECK(cut({3 * 4096, 0, 4096, 2, 8}) ==
        Parts{{4096, 0}, {8192, 1}, {12288, 0}});
  // One and a half: borders go to the nearest page, in turns.
  CHECK(cut({6 * 4096, 0, 4096, 2, 6144}) ==
        Parts{{4096, 0}, {12288, 1}, {16384, 0}, {24576, 1}});
  CHECK(cut({8192, 0, 4096, 3, 1 << 20}) == Parts{{8192, 0}});
  // One owner has all blocks at once.
  CHECK(cut({5 * 4096, 0, 4096, 1, 4096}) == Parts{{5 * 4096, 0}});
}

TEST_CASE("blocks of one owner are one pitched copy") {
  const Parts P = cut({20 * 4096 + 10, 0, 4096, 4, 4096});
  REQUIRE(runsOf(P, 1).size() == 1);
  CHECK(runsOf(P, 1)[0].Count == 5);
  CHECK(runsOf(P, 1)[0].Pitch == 4 * 4096);
  CHECK(runsOf(P, 0).size() == 2);
  CHECK(runsOf(P, 0)[1].Width == 10);
}

TEST_CASE("any layout") {
  std::mt19937 Random(1);
  auto Below = [&](size_t N) { return Random() % N; };
  for (int I = 0; I < 20000; ++I) {
    const size_t Page = size_t(1) << Below(13);
    cut({Below(Below(2) ? 200 : 300000), Below(Page), Page,
         unsigned(1 + Below(9)), Below(3) ? Below(20000) : 0});
  }
}
