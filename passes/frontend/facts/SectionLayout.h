//===- SectionLayout.h - Whether a section is memory in one piece -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from constants whether a section of an array is one piece of memory,
// rows at one distance, or neither. Spread data, operations and the checks of
// both share the answer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_SECTIONLAYOUT_H
#define ACCX_FRONTEND_FACTS_SECTIONLAYOUT_H

#include "frontend/facts/Facts.h"
#include "frontend/parse/Directive.h"

namespace accx::frontend {

/// How the elements of a section lie in memory, as far as constants tell.
struct SectionLayout {
  enum Kind : uint8_t {
    OnePiece,
    /// If lengths at run time say so.
    MaybeOnePiece,
    /// Rows that lie one distance apart; the row is what dimension `Row` and
    /// those inside of it name, and dimensions `First` to `Row` - 1 count rows.
    /// That holds of a section in one piece, too.
    Rows,
    /// More than two distances.
    Scattered,
  };
  Kind Shape = OnePiece;
  unsigned First = 0, Row = 0;
};

SectionLayout layoutOf(const Item &I, const ItemFacts &Known);

/// Whether dimension \p Dim of a section certainly has one element.
bool isOneElement(const Section &S, unsigned Dim, const ItemFacts &Known);
/// Whether dimension \p Dim, not the outermost, may be all of the array's.
bool mayBeWhole(const Section &S, unsigned Dim, const ItemFacts &Known);
/// Whether the section may be in one piece.
bool mayBeContiguous(const Item &I, const ItemFacts &Known);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_SECTIONLAYOUT_H
