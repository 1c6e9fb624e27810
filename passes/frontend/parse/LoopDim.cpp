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

#include "frontend/parse/LoopHead.h"

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

std::optional<LoopDim> LoopDim::parse(const UnitTokens &T, Span Header,
                                      Preprocessor &PP) {
  const std::optional<LoopHead> H = LoopHead::parse(
      TokenRange(T).slice(Header.Begin, Header.End - Header.Begin));
  if (!H)
    return std::nullopt;
  LoopDim D;
  D.Name = H->Variable.getIdentifierInfo()->getName().str();
  D.Type = spell(PP, H->Declared.drop_back());
  if (D.Type.empty())
    D.Type = "__typeof__(" + D.Name + ")";
  else if (D.Type.find_first_of("*&(") != std::string::npos)
    return std::nullopt;
  D.IsDown = H->IsMinus;
  D.IsInclusive = H->isClosed();
  const bool RunsDown =
      H->Relation == tok::greater || H->Relation == tok::greaterequal;
  if (H->Relation == tok::exclaimequal ? !H->Step.empty()
                                       : RunsDown != D.IsDown)
    return std::nullopt;
  // Bounds are written several times.
  for (const Token &Each : H->Bound)
    if (Each.isOneOf(tok::ampamp, tok::pipepipe, tok::comma, tok::question,
                     tok::equal))
      return std::nullopt;
  D.Low = "(" + spell(PP, H->Init) + ")";
  D.High = "(" + spell(PP, H->Bound) + ")";
  if (!H->Step.empty())
    D.Step = "(" + spell(PP, H->Step) + ")";
  D.IsLiteral = true;
  for (TokenRange R : {H->Init, H->Bound, H->Step})
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
