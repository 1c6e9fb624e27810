//===- Rectangle.h - Copies of several dimensions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces the rectangle of omp_target_memcpy_rect to as few pitched copies as
// its layout allows.
//
//===----------------------------------------------------------------------===//
//
// A rectangle is first reduced to the fewest loops over the longest contiguous
// runs:
//
//   volume 4x3x8 of a 9x3x8 array      inner 3x8 is whole in both layouts:
//                                      4 * 24 elements in one run
//   volume 4x3x8 of a 9x5x16 array     runs of 8, 3 of them a pitch apart
//                                      (one pitched copy), 4 such slabs
//
// The loop with the most iterations becomes the rows of a pitched copy, so a
// rectangle of two dimensions is one transfer and one of three is as many as
// its shorter outer extent.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_RECTANGLE_H
#define ACCX_ABI_RECTANGLE_H

#include "support/Error.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace accx {

/// Equally spaced repetitions of what lies inside.
struct RectLoop {
  size_t Count = 1;
  size_t DstStride = 0;
  size_t SrcStride = 0;
};

/// A rectangle as loops over runs of Width bytes. Width 0: nothing to copy.
struct Rectangle {
  char *Dst = nullptr;
  const char *Src = nullptr;
  size_t Width = 0;
  RectLoop Rows;
  std::vector<RectLoop> Outer;
};

/// The arguments of omp_target_memcpy_rect that describe the rectangle.
struct RectArgs {
  size_t ElementSize;
  int NumDims;
  const size_t *Volume;
  const size_t *DstOffsets;
  const size_t *SrcOffsets;
  const size_t *DstDimensions;
  const size_t *SrcDimensions;

  bool valid() const {
    return ElementSize > 0 && NumDims > 0 && Volume && DstOffsets &&
           SrcOffsets && DstDimensions && SrcDimensions;
  }
  bool empty() const {
    return std::find(Volume, Volume + NumDims, 0) != Volume + NumDims;
  }
};

/// a * b into \p A; false if it does not fit.
inline bool multiplyInto(size_t &A, size_t B) {
  return !__builtin_mul_overflow(A, B, &A);
}

/// Reduces \p Args to \p R. False if a size is beyond the address space.
inline bool reduceRectangle(const RectArgs &Args, Rectangle &R) {
  if (Args.empty())
    return true;
  std::vector<RectLoop>
      Loops; // Innermost first; the first is the run of bytes.
  Loops.push_back({Args.ElementSize, 1, 1});
  size_t DstStride = Args.ElementSize, SrcStride = Args.ElementSize;
  size_t DstStart = 0, SrcStart = 0;
  for (int I = Args.NumDims - 1; I >= 0; --I) {
    const size_t Count = Args.Volume[I];
    size_t DstOffset = Args.DstOffsets[I], SrcOffset = Args.SrcOffsets[I];
    if (!multiplyInto(DstOffset, DstStride) ||
        !multiplyInto(SrcOffset, SrcStride))
      return false;
    if (__builtin_add_overflow(DstStart, DstOffset, &DstStart) ||
        __builtin_add_overflow(SrcStart, SrcOffset, &SrcStart))
      return false;
    if (Count > 1) {
      RectLoop &Inner = Loops.back();
      size_t Extent = Inner.Count;
      if (!multiplyInto(Extent, Count))
        return false;
      if (Inner.Count * Inner.DstStride == DstStride &&
          Inner.Count * Inner.SrcStride == SrcStride)
        Inner.Count = Extent;
      else
        Loops.push_back({Count, DstStride, SrcStride});
    }
    // The outermost extent says nothing about the layout.
    if (I > 0 && (!multiplyInto(DstStride, Args.DstDimensions[I]) ||
                  !multiplyInto(SrcStride, Args.SrcDimensions[I])))
      return false;
  }
  R.Dst += DstStart;
  R.Src += SrcStart;
  R.Width = Loops.front().Count;
  Loops.erase(Loops.begin());
  auto Longest = std::max_element(
      Loops.begin(), Loops.end(),
      [](const RectLoop &A, const RectLoop &B) { return A.Count < B.Count; });
  if (Longest != Loops.end()) {
    R.Rows = *Longest;
    Loops.erase(Longest);
  }
  R.Outer = std::move(Loops);
  return true;
}

/// Calls \p Slab(Dst, Src) for the start of every pitched copy of \p R, until
/// one fails.
template <typename Fn> Status forEachSlab(const Rectangle &R, Fn Slab) {
  std::vector<size_t> Index(R.Outer.size(), 0);
  char *Dst = R.Dst;
  const char *Src = R.Src;
  while (true) {
    if (Status S = Slab(Dst, Src); S.failed())
      return S;
    size_t Level = 0;
    for (; Level < Index.size(); ++Level) {
      const RectLoop &L = R.Outer[Level];
      Dst += L.DstStride;
      Src += L.SrcStride;
      if (++Index[Level] < L.Count)
        break;
      Dst -= L.DstStride * L.Count;
      Src -= L.SrcStride * L.Count;
      Index[Level] = 0;
    }
    if (Level == Index.size())
      return Status();
  }
}

} // namespace accx

#endif // ACCX_ABI_RECTANGLE_H
