//===- LoopDim.cpp - A loop's head as numbers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a loop's head from its tokens as expressions of numbers, and writes the
// number of iterations and the variable of one iteration as text. LoopHead.cpp
// takes loops of any type but computes nothing.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/LoopDim.h"

#include "frontend/parse/Tokens.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace accx::frontend {

std::string spell(Preprocessor &PP, TokenRange Tokens) {
  std::string Text;
  for (const Token &T : Tokens) {
    if (T.isAnnotation())
      continue;
    if (!Text.empty())
      Text += ' ';
    Text += PP.getSpelling(T);
  }
  return Text;
}

/// Splits at \p Kind outside of brackets.
static llvm::SmallVector<TokenRange, 4> splitAt(TokenRange R,
                                                tok::TokenKind Kind) {
  llvm::SmallVector<TokenRange, 4> Parts;
  const Token *Begin = R.begin();
  for (const Token *T = R.begin(); T != R.end();) {
    if (T->is(Kind)) {
      Parts.push_back(between(Begin, T));
      Begin = ++T;
      continue;
    }
    T = skipGroup(T, R.end());
  }
  Parts.push_back(between(Begin, R.end()));
  return Parts;
}

static bool isName(TokenRange R, StringRef Name) {
  return R.size() == 1 && R[0].is(tok::identifier) &&
         R[0].getIdentifierInfo()->getName() == Name;
}

/// `++i`, `i += 2`, `i = i + 2` and the like: sets the step and the direction.
static bool parseStep(TokenRange R, LoopDim &D, Preprocessor &PP,
                      TokenRange &Step) {
  if (R.size() == 2) {
    const bool IsLast = isName(R.take_front(), D.Name);
    if (!IsLast && !isName(R.drop_front(), D.Name))
      return false;
    const Token &Op = R[IsLast ? 1 : 0];
    D.IsDown = Op.is(tok::minusminus);
    return Op.isOneOf(tok::plusplus, tok::minusminus);
  }
  if (R.size() < 3 || !isName(R.take_front(), D.Name))
    return false;
  if (R[1].isOneOf(tok::plusequal, tok::minusequal)) {
    D.IsDown = R[1].is(tok::minusequal);
    Step = R.drop_front(2);
  } else if (R.size() > 4 && R[1].is(tok::equal) &&
             isName(R.slice(2, 1), D.Name) &&
             R[3].isOneOf(tok::plus, tok::minus)) {
    D.IsDown = R[3].is(tok::minus);
    Step = R.drop_front(4);
  } else {
    return false;
  }
  D.Step = "(" + spell(PP, Step) + ")";
  return true;
}

std::optional<LoopDim> LoopDim::parse(const UnitTokens &T, Span Header,
                                      Preprocessor &PP) {
  const TokenRange All =
      TokenRange(T).slice(Header.Begin, Header.End - Header.Begin);
  const auto Parts = splitAt(All, tok::semi);
  if (Parts.size() != 3)
    return std::nullopt;
  LoopDim D;
  const auto Init = splitAt(Parts[0], tok::equal);
  if (Init.size() != 2 || Init[0].empty() || Init[1].empty() ||
      splitAt(Init[1], tok::comma).size() != 1 ||
      Init[0].back().isNot(tok::identifier))
    return std::nullopt;
  D.Name = Init[0].back().getIdentifierInfo()->getName().str();
  D.Type = spell(PP, Init[0].drop_back());
  if (D.Type.empty())
    D.Type = "__typeof__(" + D.Name + ")";
  else if (D.Type.find_first_of("*&(") != std::string::npos)
    return std::nullopt;
  TokenRange Step;
  if (!parseStep(Parts[2], D, PP, Step))
    return std::nullopt;

  const TokenRange Cond = Parts[1];
  TokenRange Bound;
  tok::TokenKind Op = tok::unknown;
  if (Cond.size() >= 3 && isName(Cond.take_front(), D.Name)) {
    Op = Cond[1].getKind();
    Bound = Cond.drop_front(2);
  } else if (Cond.size() >= 3 && isName(Cond.take_back(), D.Name)) {
    Bound = Cond.drop_back(2);
    Op = Cond[Cond.size() - 2].getKind();
    Op = Op == tok::less           ? tok::greater
         : Op == tok::greater      ? tok::less
         : Op == tok::lessequal    ? tok::greaterequal
         : Op == tok::greaterequal ? tok::lessequal
                                   : Op;
  }
  D.IsInclusive = Op == tok::lessequal || Op == tok::greaterequal;
  const bool Fits = D.IsDown ? Op == tok::greater || Op == tok::greaterequal
                             : Op == tok::less || Op == tok::lessequal;
  if (!Fits && !(Op == tok::exclaimequal && Step.empty()))
    return std::nullopt;
  // `i < n && ...` is of another form.
  for (const Token &Each : Bound)
    if (Each.isOneOf(tok::ampamp, tok::pipepipe, tok::comma, tok::question,
                     tok::equal))
      return std::nullopt;
  D.Low = "(" + spell(PP, Init[1]) + ")";
  D.High = "(" + spell(PP, Bound) + ")";
  D.IsLiteral = true;
  for (TokenRange R : {Init[1], Bound, Step})
    for (const Token &Each : R) {
      if (Each.is(tok::identifier))
        D.Words.push_back(Each.getIdentifierInfo()->getName().str());
      D.IsLiteral &=
          Each.isOneOf(tok::numeric_constant, tok::l_paren, tok::r_paren,
                       tok::plus, tok::minus, tok::star, tok::slash,
                       tok::percent, tok::lessless, tok::greatergreater);
    }
  return D;
}

/// A bound as a number, where it is nothing else.
static std::optional<long> numberIn(StringRef Text) {
  Text.consume_front("(");
  Text.consume_back(")");
  long Number = 0;
  if (Text.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::string LoopDim::count() const {
  const auto L = numberIn(Low), H = numberIn(High), S = numberIn(Step);
  if (L && H && S && *S > 0) {
    const long Distance = (IsDown ? *L - *H : *H - *L) + (IsInclusive ? 1 : 0);
    return Distance <= 0 ? "0l" : std::to_string((Distance - 1) / *S + 1) + "l";
  }
  const std::string &From = IsDown ? High : Low, &To = IsDown ? Low : High;
  const std::string Distance = "((long)" + To + " - (long)" + From + ")";
  if (IsInclusive)
    return "(" + To + " < " + From + " ? 0l : " + Distance + " / (long)" +
           Step + " + 1)";
  return "(" + To + " <= " + From + " ? 0l : (" + Distance + " - 1) / (long)" +
         Step + " + 1)";
}

std::string LoopDim::variable(const std::string &Number) const {
  if (Low == "(0)" && Step == "1" && !IsDown)
    return Type + " " + Name + " = (__typeof__(" + Low + " + 0))(" + Number +
           "); (void)" + Name + ";";
  return Type + " " + Name + " = (__typeof__(" + Low + " + 0))((long)" + Low +
         (IsDown ? " - " : " + ") + Number + " * (long)" + Step + "); (void)" +
         Name + ";";
}

bool LoopDim::mentions(StringRef Word) const {
  return llvm::is_contained(Words, Word);
}

} // namespace accx::frontend
