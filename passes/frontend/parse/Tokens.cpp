//===- Tokens.cpp - Ranges of a directive's tokens ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds closing brackets, commas and colons in tokens that nobody has parsed.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Tokens.h"

using clang::Token;
using llvm::SmallVector;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

StringRef wordOf(const Token &T) {
  // Only these kinds hold an IdentifierInfo where getIdentifierInfo() looks.
  if (T.isAnnotation() || T.is(tok::raw_identifier) || !T.getIdentifierInfo())
    return {};
  return T.getIdentifierInfo()->getName();
}

bool isOpenBracket(const Token &T) {
  return T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
}

bool isCloseBracket(const Token &T) {
  return T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
}

static tok::TokenKind closerOf(const Token &Open) {
  switch (Open.getKind()) {
  case tok::l_paren:
    return tok::r_paren;
  case tok::l_square:
    return tok::r_square;
  default:
    return tok::r_brace;
  }
}

Closing findClose(const Token *Open, const Token *End) {
  SmallVector<const Token *, 8> Opened;
  for (const Token *T = Open; T != End; ++T) {
    if (isOpenBracket(*T)) {
      Opened.push_back(T);
    } else if (isCloseBracket(*T)) {
      if (T->isNot(closerOf(*Opened.back())))
        return {T, Opened.back(), false};
      const Token *Last = Opened.pop_back_val();
      if (Opened.empty())
        return {T, Last, true};
    }
  }
  return {End, Opened.back(), false};
}

const Token *skipGroup(const Token *T, const Token *End) {
  if (!isOpenBracket(*T))
    return T + 1;
  Closing C = findClose(T, End);
  return C.Found ? C.At + 1 : C.At;
}

const Token *skipTemplateArguments(const Token *Less, const Token *End,
                                   bool AnyFollower) {
  unsigned Depth = 0;
  for (const Token *T = Less; T != End;) {
    switch (T->getKind()) {
    case tok::less:
      ++Depth;
      break;
    case tok::greatergreater:
      if (Depth < 2)
        return nullptr;
      --Depth;
      [[fallthrough]];
    case tok::greater:
      --Depth;
      break;
    // No template argument holds these outside of parentheses.
    case tok::semi:
    case tok::question:
    case tok::pipepipe:
    case tok::equal:
    case tok::lessless:
      return nullptr;
    default:
      break;
    }
    T = skipGroup(T, End);
    if (Depth)
      continue;
    bool Follows =
        T != End && T->isOneOf(tok::l_paren, tok::l_brace, tok::coloncolon);
    return AnyFollower || Follows ? T : nullptr;
  }
  return nullptr;
}

SmallVector<TokenRange, 4> splitAtCommas(TokenRange R, bool CPlusPlus,
                                         bool Items) {
  SmallVector<TokenRange, 4> Parts;
  if (R.empty())
    return Parts;
  const Token *First = R.begin();
  for (const Token *T = R.begin(); T != R.end();) {
    if (T->is(tok::comma)) {
      Parts.push_back(between(First, T));
      First = T + 1;
    }
    if (CPlusPlus && T->is(tok::less) && T != First &&
        (T - 1)->is(tok::identifier))
      if (const Token *Past = skipTemplateArguments(T, R.end(), Items)) {
        T = Past;
        continue;
      }
    T = skipGroup(T, R.end());
  }
  Parts.push_back(between(First, R.end()));
  return Parts;
}

const Token *findColon(TokenRange R) {
  unsigned Questions = 0;
  for (const Token *T = R.begin(); T != R.end(); T = skipGroup(T, R.end())) {
    if (T->is(tok::question)) {
      ++Questions;
    } else if (T->is(tok::colon)) {
      if (!Questions)
        return T;
      --Questions;
    }
  }
  return R.end();
}

} // namespace accx::frontend
