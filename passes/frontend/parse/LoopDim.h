//===- LoopDim.h - A loop's head as numbers ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (int i = low; i < high; i += step)` read from its tokens, for loops that
// become one number: how many iterations, and the variable of one of them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_LOOPDIM_H
#define ACCX_FRONTEND_PARSE_LOOPDIM_H

#include "frontend/parse/Tree.h"

#include <optional>
#include <string>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

struct LoopDim {
  const Node *N = nullptr;
  std::string Name;
  /// Its type as written; `__typeof__(i)` of a variable from outside.
  std::string Type;
  /// Expressions. Step is positive.
  std::string Low, High, Step = "1";
  bool IsDown = false;
  /// The last iteration may have the bound itself.
  bool IsInclusive = false;
  /// All of it is numbers.
  bool IsLiteral = false;

  /// The loop whose parentheses hold \p Header; nothing if it is of another
  /// form.
  static std::optional<LoopDim> parse(const UnitTokens &T, Span Header,
                                      clang::Preprocessor &PP);
  /// How many iterations, a long.
  std::string count() const;
  /// The declaration of the variable of iteration \p Number, a long.
  std::string variable(const std::string &Number) const;
  /// Whether a bound or the step speaks of \p Word.
  bool mentions(llvm::StringRef Word) const;

private:
  llvm::SmallVector<std::string, 4> Words;
};

/// \p Tokens as text, with blanks between all.
std::string spell(clang::Preprocessor &PP, TokenRange Tokens);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_LOOPDIM_H
