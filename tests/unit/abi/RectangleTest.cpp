//===- RectangleTest.cpp - Reduction of rectangles ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops are left of a rectangle, and which sizes are refused.
//
//===----------------------------------------------------------------------===//

#include "transfer/Rectangle.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace accx;

namespace {

using Sizes = std::vector<size_t>;

char Memory[1 << 20];

/// A rectangle of 4-byte elements with equal offsets on both sides.
struct Case {
  Sizes Volume, Offsets, DstDims, SrcDims;
  Rectangle R;

  bool reduce() {
    R = Rectangle();
    R.Dst = Memory;
    R.Src = Memory;
    return reduceRectangle({4, static_cast<int>(Volume.size()), Volume.data(),
                            Offsets.data(), Offsets.data(), DstDims.data(),
                            SrcDims.data()},
                           R);
  }
  size_t slabs() {
    size_t Count = 0;
    REQUIRE(forEachSlab(R, [&](char *, const char *) {
              ++Count;
              return Status();
            }).ok());
    return Count;
  }
};

} // namespace

TEST_CASE("a whole array is one run") {
  Case C = {{4, 3, 8}, {0, 0, 0}, {4, 3, 8}, {4, 3, 8}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Width == 4 * 3 * 8 * 4);
  CHECK(C.R.Rows.Count == 1);
  CHECK(C.slabs() == 1);
}

TEST_CASE("whole inner dimensions join the run, from where it starts") {
  Case C = {{4, 3, 8}, {2, 0, 0}, {9, 3, 8}, {7, 3, 8}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Width == 4 * 3 * 8 * 4);
  CHECK(C.R.Dst - Memory == 2 * 3 * 8 * 4);
  CHECK(C.R.Src - Memory == 2 * 3 * 8 * 4);
  CHECK(C.slabs() == 1);
}

TEST_CASE("what is whole on one side only is pitched") {
  Case C = {{4, 3, 8}, {0, 0, 0}, {4, 3, 8}, {4, 3, 16}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Width == 8 * 4);
  // Twelve rows: both outer dimensions are equally spaced on both sides.
  CHECK(C.R.Rows.Count == 12);
  CHECK(C.R.Rows.DstStride == 8 * 4);
  CHECK(C.R.Rows.SrcStride == 16 * 4);
  CHECK(C.slabs() == 1);
}

TEST_CASE("the longest loop is the pitched one") {
  Case C = {{2, 50, 8}, {1, 2, 3}, {9, 60, 16}, {9, 70, 20}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Rows.Count == 50);
  CHECK(C.slabs() == 2);
  C.Volume = {50, 2, 8};
  C.DstDims[0] = C.SrcDims[0] = 60;
  REQUIRE(C.reduce());
  CHECK(C.R.Rows.Count == 50);
  CHECK(C.R.Rows.DstStride == 60 * 16 * 4);
  CHECK(C.slabs() == 2);
}

TEST_CASE("extents of one vanish") {
  Case C = {{1, 5, 1, 1}, {3, 0, 2, 1}, {9, 5, 4, 2}, {9, 5, 4, 2}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Width == 4);
  CHECK(C.R.Rows.Count == 5);
  CHECK(C.slabs() == 1);
}

TEST_CASE("an extent of zero leaves nothing") {
  Case C = {{4, 0, 8}, {0, 0, 0}, {4, 3, 8}, {4, 3, 8}, {}};
  REQUIRE(C.reduce());
  CHECK(C.R.Width == 0);
}

TEST_CASE("a failed slab is the last") {
  Case C = {{3, 3, 3}, {0, 0, 0}, {5, 5, 5}, {5, 5, 5}, {}};
  REQUIRE(C.reduce());
  int Calls = 0;
  Status S = forEachSlab(C.R, [&](char *, const char *) {
    return ++Calls == 2 ? Status(ErrorCode::Unknown, "no") : Status();
  });
  CHECK(S.failed());
  CHECK(Calls == 2);
}

TEST_CASE("sizes beyond the address space are refused") {
  const size_t Half = SIZE_MAX / 2;
  Case Volume = {{Half, 8}, {0, 0}, {1, 8}, {1, 8}, {}};
  CHECK_FALSE(Volume.reduce());
  Case Offset = {{1, 8}, {Half, 0}, {1, 8}, {1, 8}, {}};
  CHECK_FALSE(Offset.reduce());
  Case Dims = {{2, 2, 2}, {0, 0, 0}, {1, Half, Half}, {1, 2, 2}, {}};
  CHECK_FALSE(Dims.reduce());
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

namespace {

using Dims = std::vector<RectDim>;

/// Copies between two arrays as the rectangle says, and as index by index.
bool copiesAs(const Dims &Dst, const Dims &Src) {
  Rectangle R;
  std::vector<char> To(1 << 12, 0), Want(1 << 12, 0), From(1 << 12);
  for (size_t I = 0; I < From.size(); ++I)
    From[I] = static_cast<char>(I % 251 + 1);
  R.Dst = To.data();
  R.Src = From.data();
  if (!reduceSections(Dst, Src, R))
    return false;
  (void)forEachSlab(R, [&](char *D, const char *S) {
    for (size_t Row = 0; Row < R.Rows.Count; ++Row)
      std::memcpy(D + Row * R.Rows.DstStride, S + Row * R.Rows.SrcStride,
                  R.Width);
    return Status();
  });
  auto At = [](const Dims &D, size_t Index) {
    size_t Offset = 0;
    for (const RectDim &Dim : D) {
      Offset += Index % Dim.Count * Dim.Stride;
      Index /= Dim.Count;
    }
    return Offset;
  };
  size_t Bytes = 1;
  for (const RectDim &Dim : Dst)
    Bytes *= Dim.Count;
  size_t DstEnd = 0, SrcEnd = 0;
  for (size_t I = 0; I < Bytes; ++I) {
    Want[At(Dst, I)] = From[At(Src, I)];
    DstEnd = std::max(DstEnd, At(Dst, I) + 1);
    SrcEnd = std::max(SrcEnd, At(Src, I) + 1);
  }
  CHECK(R.dstSpan() == DstEnd);
  CHECK(R.srcSpan() == SrcEnd);
  return To == Want;
}

} // namespace

TEST_CASE("sections of one shape, whatever their arrays") {
  CHECK(copiesAs({{4, 1}, {7, 4}, {10, 200}}, {{4, 1}, {7, 4}, {10, 120}}));
  CHECK(copiesAs({{8, 1}, {5, 8}}, {{8, 1}, {5, 8}}));
  CHECK(copiesAs({{4, 1}, {1, 4}, {9, 40}}, {{4, 1}, {9, 36}}));
  CHECK(copiesAs({{4, 1}, {3, 4}, {4, 60}, {5, 300}},
                 {{4, 1}, {3, 4}, {4, 12}, {5, 90}}));
}

TEST_CASE("sections whose dimensions divide one another") {
  CHECK(copiesAs({{4, 1}, {70, 4}}, {{4, 1}, {7, 4}, {10, 120}}));
  CHECK(copiesAs({{4, 1}, {7, 4}, {10, 120}}, {{4, 1}, {70, 4}}));
  CHECK(copiesAs({{8, 1}, {6, 16}, {4, 200}}, {{4, 1}, {2, 4}, {24, 10}}));
}

TEST_CASE("sections that do not fit are refused") {
  Rectangle R;
  CHECK_FALSE(reduceSections({{4, 1}, {7, 4}}, {{4, 1}, {8, 4}}, R));
  CHECK_FALSE(
      reduceSections({{4, 1}, {6, 4}, {2, 99}}, {{4, 1}, {4, 4}, {3, 99}}, R));
}
