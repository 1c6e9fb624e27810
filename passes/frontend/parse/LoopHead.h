//===- LoopHead.h - The parts of a loop's parentheses -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of OpenMP's canonical form by its tokens, whatever the type of its
// variable: numbers, pointers, random access iterators. LoopDim.h is for code
// that computes with the parts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_LOOPHEAD_H
#define ACCX_FRONTEND_PARSE_LOOPHEAD_H

#include "frontend/parse/Directive.h"

#include <optional>

namespace accx::frontend {

struct LoopHead {
  /// What stands before `=`: the variable, behind its type if that is here.
  TokenRange Declared;
  clang::Token Variable;
  TokenRange Init, Bound;
  /// Empty: one.
  TokenRange Step;
  /// Between the variable and the bound, the variable on the left.
  clang::tok::TokenKind Relation = clang::tok::unknown;
  /// The step is subtracted.
  bool IsMinus = false;

  bool declares() const { return Declared.size() > 1; }
  bool isClosed() const {
    return Relation == clang::tok::lessequal ||
           Relation == clang::tok::greaterequal;
  }
  /// Whether the variable is surely a number: its type is here and says so.
  bool isNumber() const;

  /// Of what the parentheses hold; nothing if it is of another form.
  static std::optional<LoopHead> parse(TokenRange Header);
};

/// The comparison that holds with its sides exchanged: `<` for `>`.
clang::tok::TokenKind turned(clang::tok::TokenKind Comparison);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_LOOPHEAD_H
