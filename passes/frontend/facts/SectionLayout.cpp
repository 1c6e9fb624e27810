//===- SectionLayout.cpp - Whether a section is memory in one piece -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   a[2:3][0:m][1:4]
//     |    |    |
//     |    |    Row: the innermost dimension that may leave elements out
//     |    whole: rows follow one another across it
//     First: the outermost dimension with more than one element
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/SectionLayout.h"

#include <optional>

namespace accx::frontend {

bool isOneElement(const Section &S, unsigned Dim, const ItemFacts &Known) {
  return S.IsElement || Known.length(Dim) == 1;
}

/// Of dimension \p Dim of the array; 0 if it is no constant.
static uint64_t extentOf(unsigned Dim, const ItemFacts &Known) {
  return Dim <= Known.InnerExtents.size() ? Known.InnerExtents[Dim - 1] : 0;
}

bool mayBeWhole(const Section &S, unsigned Dim, const ItemFacts &Known) {
  const uint64_t Extent = extentOf(Dim, Known);
  if (S.IsElement)
    return Extent <= 1;
  if (Known.first(Dim).value_or(0) != 0)
    return false;
  const std::optional<int64_t> Length = Known.length(Dim);
  return Extent == 0 || !Length || uint64_t(*Length) == Extent;
}

static bool isWhole(const Section &S, unsigned Dim, const ItemFacts &Known) {
  const uint64_t Extent = extentOf(Dim, Known);
  if (S.IsElement)
    return Extent == 1;
  if (!S.Lower.empty() && Known.first(Dim) != 0)
    return false;
  return S.Length.empty() ||
         (Extent != 0 && Known.length(Dim) == int64_t(Extent));
}

bool mayBeContiguous(const Item &I, const ItemFacts &Known) {
  for (unsigned Dim = 1; Dim < I.Sections.size(); ++Dim) {
    bool Alone = true; // nothing outside of it is there twice
    for (unsigned Outer = 0; Outer < Dim; ++Outer)
      Alone &= isOneElement(I.Sections[Outer], Outer, Known);
    if (!Alone && !mayBeWhole(I.Sections[Dim], Dim, Known))
      return false;
  }
  return true;
}

SectionLayout layoutOf(const Item &I, const ItemFacts &Known) {
  std::optional<unsigned> Row, First;
  for (unsigned Dim = I.Sections.size(); Dim-- > 1 && !Row;)
    if (!isWhole(I.Sections[Dim], Dim, Known))
      Row = Dim;
  for (unsigned Dim = 0; Row && Dim < *Row && !First; ++Dim)
    if (!isOneElement(I.Sections[Dim], Dim, Known))
      First = Dim;
  if (!Row || !First)
    return {};
  for (unsigned Dim = *First + 1; Dim < *Row; ++Dim)
    if (!isWhole(I.Sections[Dim], Dim, Known))
      return {mayBeContiguous(I, Known) ? SectionLayout::MaybeOnePiece
                                        : SectionLayout::Scattered};
  return {SectionLayout::Rows, *First, *Row};
}

} // namespace accx::frontend
