//===- Offset.h - Subscripts beside a loop's variable -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far from its own cell an iteration of a stencil reads, from tokens alone:
// `x - 1`, `x == 0 ? x : x - 1`, `min(x + 1, n - 1)`. What depends on numbers
// that the program has at run time becomes a condition in the program's words.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_TIMETILE_OFFSET_H
#define ACCX_FRONTEND_TIMETILE_OFFSET_H

#include "frontend/parse/Directive.h"

#include "clang/Basic/TokenKinds.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend::timetile {

/// A condition that the host can test: "1" holds always, "0" never.
using Condition = std::string;
Condition both(const Condition &A, const Condition &B);
Condition either(const Condition &A, const Condition &B);

/// The variables that hold the first index of dimension \p D of a nest, and the
/// one behind its last.
std::string firstOf(unsigned D);
std::string endOf(unsigned D);

/// The variable of loop Dim, if there is one, plus numbers that no iteration
/// changes, plus something in [Low, High].
struct Offset {
  std::optional<unsigned> Dim;
  int64_t Low = 0, High = 0;
  /// Factors of what the program calls by these names.
  std::map<std::string, int64_t> Symbols;
  /// One of several values is taken, and not each.
  bool Chosen = false;
  /// Must hold for Low and High to be right.
  Condition Needs = "1";
  /// If they hold, the index is no lower than the nest's first one, and no
  /// higher than its last.
  Condition NotBelow = "1", NotAbove = "1";

  bool isExact() const { return Low == High; }
  /// The loop's variable and a number.
  bool isShift() const { return Dim && Symbols.empty(); }
  /// The value of one that has no Dim, as an expression.
  std::string text() const;
};

/// What a condition says of a loop's variable: it is at most, at least, equal
/// to or another than Value.
struct Guard {
  enum Relation { AtMost, AtLeast, Equal, Other } Is;
  unsigned Dim;
  Offset Value;
};
using Guards = llvm::SmallVector<Guard, 4>;

/// \p O, where \p Known holds: the conditions for staying in the nest.
Offset under(Offset O, llvm::ArrayRef<Guard> Known);

/// The terms of a sum, each with whether it is subtracted.
using Terms = llvm::SmallVector<std::pair<TokenRange, bool>, 4>;

class OffsetReader {
public:
  explicit OffsetReader(clang::Preprocessor &PP) : PP(PP) {}

  /// The loops of the nest, outermost first.
  std::vector<std::string> Loops;
  /// Of these, those whose variable may be negative.
  std::vector<bool> IsSigned;
  /// Names of the iteration's own; those without an offset are anything.
  std::map<std::string, std::optional<Offset>> Own;
  /// What was taken for a number, and for one that stays what it is.
  mutable std::set<std::string> Numbers, Constants;
  /// `min` or `max` was taken for what it is called.
  mutable bool HasLeast = false;

  /// Nothing where it is not known to be an offset.
  std::optional<Offset> read(TokenRange E) const;
  /// Of a sum, and \p Number more.
  std::optional<Offset> sum(const Terms &Of, int64_t Number) const;
  /// What \p E says if it is \p Holds; nothing is said of other variables.
  Guards guards(TokenRange E, bool Holds) const;

private:
  std::optional<Offset> primary(TokenRange E) const;
  std::optional<Offset> least(TokenRange Arguments, bool Most) const;
  Guards compared(const Offset &A, clang::tok::TokenKind Op,
                  const Offset &B) const;

  clang::Preprocessor &PP;
};

/// \p E without parentheses around all of it.
TokenRange bare(TokenRange E);
/// Of \p E; parentheses around sums are looked into.
Terms terms(TokenRange E);
/// The factors of a product.
llvm::SmallVector<TokenRange, 4> factors(TokenRange E);

} // namespace accx::frontend::timetile

#endif // ACCX_FRONTEND_TIMETILE_OFFSET_H
