//===- Tokens.h - Ranges of a directive's tokens ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds closing brackets, commas and colons in tokens that nobody has parsed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_TOKENS_H
#define ACCX_FRONTEND_PARSE_TOKENS_H

#include "frontend/parse/Directive.h"

namespace accx::frontend {

/// The identifier's or keyword's name; empty for any other token.
llvm::StringRef wordOf(const clang::Token &T);

/// The tokens from \p First up to \p Last, exclusive.
inline TokenRange between(const clang::Token *First, const clang::Token *Last) {
  return TokenRange(First, Last);
}

bool isOpenBracket(const clang::Token &T);
bool isCloseBracket(const clang::Token &T);

/// What findClose() found.
struct Closing {
  /// The closing bracket; if there is none, where it is missed: the first
  /// bracket that closes another kind, or the end.
  const clang::Token *At;
  /// The innermost bracket that was open there.
  const clang::Token *Open;
  bool Found;
};

/// The bracket that closes \p Open, with all between them balanced.
Closing findClose(const clang::Token *Open, const clang::Token *End);

/// The token behind \p T or, if \p T opens a bracket, behind the one that
/// closes it. \p T is before \p End.
const clang::Token *skipGroup(const clang::Token *T, const clang::Token *End);

/// The end of the template arguments whose `<` is at \p Less, which follows a
/// name; nullptr if this reads as "less than". In a list item \p AnyFollower
/// holds: nothing can be compared there. Elsewhere they count as template
/// arguments only in front of `(`, `{` or `::`.
const clang::Token *skipTemplateArguments(const clang::Token *Less,
                                          const clang::Token *End,
                                          bool AnyFollower);

/// Splits \p R, which is balanced, at the commas outside of brackets and, in
/// C++, of template arguments. An empty range has no parts; otherwise a part
/// may be empty.
llvm::SmallVector<TokenRange, 4> splitAtCommas(TokenRange R, bool CPlusPlus,
                                               bool Items);

/// The first colon of \p R outside of brackets that belongs to no `?`; the end
/// of \p R if there is none.
const clang::Token *findColon(TokenRange R);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_TOKENS_H
