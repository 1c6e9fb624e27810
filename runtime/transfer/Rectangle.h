//===- Rectangle.h - Copies of several dimensions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces a rectangle, as omp_target_memcpy_rect and sections of arrays name
// it, to as few pitched copies as its layout allows.
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

#ifndef ACCX_TRANSFER_RECTANGLE_H
#define ACCX_TRANSFER_RECTANGLE_H

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

  /// Bytes from the first to behind the last, on either side.
  size_t dstSpan() const { return span(&RectLoop::DstStride); }
  size_t srcSpan() const { return span(&RectLoop::SrcStride); }

private:
  size_t span(size_t RectLoop::*Stride) const {
    size_t Bytes = Width ? Width + (Rows.Count - 1) * (Rows.*Stride) : 0;
    for (const RectLoop &L : Outer)
      Bytes += (L.Count - 1) * (L.*Stride);
    return Bytes;
  }
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

/// \p R's width, rows and outer loops from \p Loops, innermost first, the first
/// of which is a run of bytes.
inline void takeLoops(std::vector<RectLoop> Loops, Rectangle &R) {
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
}

/// Adds a loop around \p Loops, of which the last may become longer instead.
inline void addLoop(RectLoop L, std::vector<RectLoop> &Loops) {
  RectLoop &Inner = Loops.back();
  if (L.Count == 1)
    return;
  if (Inner.Count * Inner.DstStride == L.DstStride &&
      Inner.Count * Inner.SrcStride == L.SrcStride)
    Inner.Count *= L.Count;
  else
    Loops.push_back(L);
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
    size_t Extent = Loops.back().Count;
    if (!multiplyInto(Extent, Count))
      return false;
    addLoop({Count, DstStride, SrcStride}, Loops);
    // The outermost extent says nothing about the layout.
    if (I > 0 && (!multiplyInto(DstStride, Args.DstDimensions[I]) ||
                  !multiplyInto(SrcStride, Args.SrcDimensions[I])))
      return false;
  }
  R.Dst += DstStart;
  R.Src += SrcStart;
  takeLoops(std::move(Loops), R);
  return true;
}

/// One dimension of a section: how many parts, and bytes from one to the next.
struct RectDim {
  size_t Count;
  size_t Stride;
};

/// Reduces the copy of one section onto another to \p R. Dimensions come
/// innermost first, the first one's parts are bytes; none is empty. The two
/// need not have the same dimensions, if those of one divide the other's. False
/// if they do not, or if one section is longer.
inline bool reduceSections(std::vector<RectDim> Dst, std::vector<RectDim> Src,
                           Rectangle &R) {
  auto IsOne = [](const RectDim &D) { return D.Count == 1; };
  std::erase_if(Dst, IsOne);
  std::erase_if(Src, IsOne);
  std::vector<RectLoop> Loops = {{1, 1, 1}};
  auto D = Dst.begin(), S = Src.begin();
  while (D != Dst.end() && S != Src.end()) {
    const size_t Count = std::min(D->Count, S->Count);
    if (D->Count % Count || S->Count % Count)
      return false;
    addLoop({Count, D->Stride, S->Stride}, Loops);
    for (auto *Side : {&D, &S}) {
      (*Side)->Stride *= Count;
      if (((*Side)->Count /= Count) == 1)
        ++*Side;
    }
  }
  if (D != Dst.end() || S != Src.end())
    return false;
  takeLoops(std::move(Loops), R);
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

#endif // ACCX_TRANSFER_RECTANGLE_H
