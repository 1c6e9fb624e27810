//===- LoopHead.cpp - The parts of a loop's parentheses -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the tokens in a loop's parentheses into variable, start, bound and
// step, and refuses operands that a loose operator would tear apart.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/LoopHead.h"

#include "frontend/parse/Tokens.h"

using namespace clang;

namespace accx::frontend {

static bool isVariable(TokenRange R, const Token &V) {
  return R.size() == 1 && R[0].is(tok::identifier) &&
         R[0].getIdentifierInfo() == V.getIdentifierInfo();
}

/// Whether an operator outside of brackets binds no tighter than a comparison,
/// or with \p Sums than a sum: \p R is then not the operand that it seems.
static bool hasLooseOperator(TokenRange R, bool Sums) {
  const Token *Last = nullptr;
  for (const Token *T = R.begin(); T != R.end();) {
    if (T->is(tok::less) && Last && Last->is(tok::identifier))
      if (const Token *Past = skipTemplateArguments(T, R.end(), true)) {
        Last = Past - 1;
        T = Past;
        continue;
      }
    const bool Binary =
        Last && Last->isOneOf(tok::identifier, tok::numeric_constant,
                              tok::char_constant, tok::r_paren, tok::r_square,
                              tok::plusplus, tok::minusminus);
    // `static_cast<int>(n)`.
    const bool Cast =
        Last && Last->isOneOf(tok::kw_static_cast, tok::kw_const_cast,
                              tok::kw_reinterpret_cast, tok::kw_dynamic_cast);
    if (T->is(tok::less) && Cast) {
      while (T != R.end() && T->isNot(tok::greater))
        T = skipGroup(T, R.end());
      if (T == R.end())
        return true;
    } else if (T->isOneOf(tok::comma, tok::equal, tok::question, tok::ampamp,
                          tok::pipepipe, tok::pipe, tok::caret, tok::equalequal,
                          tok::exclaimequal, tok::less, tok::greater,
                          tok::lessequal, tok::greaterequal, tok::spaceship,
                          tok::plusequal, tok::minusequal) ||
               (T->is(tok::amp) && Binary) ||
               (Sums && (T->isOneOf(tok::lessless, tok::greatergreater) ||
                         (T->isOneOf(tok::plus, tok::minus) && Binary)))) {
      return true;
    }
    const Token *Past = skipGroup(T, R.end());
    Last = Past - 1;
    T = Past;
  }
  return false;
}

tok::TokenKind turned(tok::TokenKind K) {
  switch (K) {
  case tok::less:
    return tok::greater;
  case tok::greater:
    return tok::less;
  case tok::lessequal:
    return tok::greaterequal;
  case tok::greaterequal:
    return tok::lessequal;
  default:
    return K;
  }
}

static bool parseInit(TokenRange R, LoopHead &H) {
  const Token *Equal = R.begin();
  while (Equal != R.end() && Equal->isNot(tok::equal))
    Equal = skipGroup(Equal, R.end());
  if (Equal == R.end())
    return false;
  H.Declared = between(R.begin(), Equal);
  H.Init = between(Equal + 1, R.end());
  if (H.Declared.empty() || H.Declared.back().isNot(tok::identifier) ||
      H.Init.empty() || H.Init.front().is(tok::l_brace))
    return false;
  H.Variable = H.Declared.back();
  for (const Token &T : H.Declared.drop_back())
    if (T.isOneOf(tok::period, tok::arrow, tok::comma, tok::amp, tok::ampamp,
                  tok::l_paren))
      return false; // a member, two variables, a reference
  for (const Token *T = H.Init.begin(); T != H.Init.end();
       T = skipGroup(T, H.Init.end()))
    if (T->isOneOf(tok::comma, tok::equal))
      return false;
  return true;
}

static bool parseCondition(TokenRange R, LoopHead &H) {
  if (R.size() < 3)
    return false;
  if (isVariable(R.take_front(), H.Variable)) {
    H.Relation = R[1].getKind();
    H.Bound = R.drop_front(2);
  } else if (isVariable(R.take_back(), H.Variable)) {
    H.Relation = turned(R[R.size() - 2].getKind());
    H.Bound = R.drop_back(2);
  } else {
    return false;
  }
  switch (H.Relation) {
  case tok::less:
  case tok::lessequal:
  case tok::greater:
  case tok::greaterequal:
  case tok::exclaimequal:
    return !hasLooseOperator(H.Bound, false);
  default:
    return false;
  }
}

static bool parseStep(TokenRange R, LoopHead &H) {
  const Token &V = H.Variable;
  if (R.size() == 2) {
    const bool IsLast = isVariable(R.take_front(), V);
    if (!IsLast && !isVariable(R.drop_front(), V))
      return false;
    const Token &Op = R[IsLast ? 1 : 0];
    H.IsMinus = Op.is(tok::minusminus);
    return Op.isOneOf(tok::plusplus, tok::minusminus);
  }
  if (R.size() < 3 || !isVariable(R.take_front(), V))
    return false;
  if (R[1].isOneOf(tok::plusequal, tok::minusequal)) {
    H.IsMinus = R[1].is(tok::minusequal);
    H.Step = R.drop_front(2);
    return !hasLooseOperator(H.Step, false);
  }
  if (R.size() < 5 || R[1].isNot(tok::equal))
    return false;
  if (isVariable(R.slice(2, 1), V) && R[3].isOneOf(tok::plus, tok::minus)) {
    H.IsMinus = R[3].is(tok::minus);
    H.Step = R.drop_front(4);
    return !hasLooseOperator(H.Step, true);
  }
  if (isVariable(R.take_back(), V) && R[R.size() - 2].is(tok::plus)) {
    H.Step = R.drop_front(2).drop_back(2);
    return !hasLooseOperator(H.Step, true);
  }
  return false;
}

std::optional<LoopHead> LoopHead::parse(TokenRange Header) {
  llvm::SmallVector<TokenRange, 4> Parts;
  const Token *Begin = Header.begin();
  for (const Token *T = Begin; T != Header.end();
       T = skipGroup(T, Header.end()))
    if (T->is(tok::semi)) {
      Parts.push_back(between(Begin, T));
      Begin = T + 1;
    }
  Parts.push_back(between(Begin, Header.end()));
  LoopHead H;
  if (Parts.size() != 3 || !parseInit(Parts[0], H) ||
      !parseCondition(Parts[1], H) || !parseStep(Parts[2], H))
    return std::nullopt;
  return H;
}

bool LoopHead::isNumber() const {
  if (!declares())
    return false;
  for (const Token &T : Declared.drop_back())
    if (!T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_short, tok::kw_char,
                   tok::kw_signed, tok::kw_unsigned, tok::kw_const,
                   tok::kw___int128))
      return false;
  return true;
}

} // namespace accx::frontend
