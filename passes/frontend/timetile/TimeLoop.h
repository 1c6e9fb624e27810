//===- TimeLoop.h - A loop of steps around a stencil ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind `accx timetile`, from its tokens:
//
//   for (t ...) {
//     one construct: a nest of one or two loops whose iterations read In
//     beside their own cell, and write their own cell of Out
//     In and Out are swapped
//   }
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_TIMETILE_TIMELOOP_H
#define ACCX_FRONTEND_TIMETILE_TIMELOOP_H

#include "frontend/parse/LoopHead.h"
#include "frontend/parse/Tree.h"
#include "frontend/timetile/Offset.h"

namespace accx::frontend::timetile {

/// `In[Row][Column]` in the body, or `In[Row * Stride + Column]`; of one
/// dimension Column alone. The signed terms of each are a sum.
struct Access {
  Span Tokens;
  std::string Row, Column;
};

/// Whether a loop declares its variable, of a type that has a sign and is the
/// language's own.
bool isSigned(const LoopHead &H);

/// Whether a loop without a directive of its own stands at token \p I, and a
/// construct is first in it.
bool mayBeTimeLoop(const UnitTokens &Tokens, size_t I);

struct TimeLoop {
  /// Why it is none; empty if all below is known.
  std::string Why;

  LoopHead Time;
  size_t For = 0, Body = 0, End = 0; // of the loop over time
  /// The construct's directive: of OpenACC, or a line of OpenMP.
  size_t Construct = 0;
  std::vector<LoopHead> Nest;
  /// The innermost body, braces included, and what swaps.
  Span Cell, Swap;
  std::string In, Out;
  /// Arrays that are only read, structures, and other names that a step may
  /// assign.
  std::vector<std::string> Others, Records, Private;
  /// Names that have to be integers that nobody assigns; constants of an
  /// iteration; and whether `min` and `max` have to be the library's.
  std::vector<std::string> Numbers, Constants;
  bool HasLeast = false;
  /// Of In, in the order of the text; and the store's left side.
  std::vector<Access> Reads;
  /// Reads of other arrays that every iteration makes, and that are the same in
  /// every step: `power[y * n + x]`.
  std::vector<Span> Kept;
  Span Store;
  /// In has a subscript a dimension.
  bool IsNested = false;
  /// Elements from one row to the next; empty where there are no rows or
  /// IsNested.
  std::string Stride;
  /// How far iterations read before and behind their cell, by dimension.
  int64_t Before[2] = {0, 0}, Behind[2] = {0, 0};
  /// Where every iteration reads, beside its cell: row, column.
  std::vector<std::pair<int64_t, int64_t>> Always;
  /// What has to hold at run time.
  Condition Needs = "1";

  /// The loop at token \p For.
  static TimeLoop read(const UnitTokens &Tokens, size_t For,
                       clang::Preprocessor &PP);
  /// The clauses of the construct that launches have, too, as text. Sets Why
  /// where one cannot be had.
  std::string keptClauses(const UnitTokens &Tokens, clang::Preprocessor &PP);
  /// How many steps a launch does where the program does not say; 0: one.
  long stepsThatPay() const;
};

} // namespace accx::frontend::timetile

#endif // ACCX_FRONTEND_TIMETILE_TIMELOOP_H
