//===- Offset.cpp - Subscripts beside a loop's variable -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/Offset.h"

#include "frontend/parse/LoopDim.h"
#include "frontend/parse/LoopHead.h"
#include "frontend/parse/Tokens.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace accx::frontend::timetile {

Condition both(const Condition &A, const Condition &B) {
  if (A == "1" || A == B)
    return B;
  if (B == "1")
    return A;
  return A == "0" || B == "0" ? "0" : "(" + A + " && " + B + ")";
}

Condition either(const Condition &A, const Condition &B) {
  if (A == "0" || A == B)
    return B;
  if (B == "0")
    return A;
  return A == "1" || B == "1" ? "1" : "(" + A + " || " + B + ")";
}

std::string firstOf(unsigned D) { return "__accx_first" + std::to_string(D); }
std::string endOf(unsigned D) { return "__accx_end" + std::to_string(D); }

std::string Offset::text() const {
  std::string Out = "(" + std::to_string(Low) + "l";
  for (const auto &[Name, Factor] : Symbols)
    Out += " + " + std::to_string(Factor) + "l * (long)(" + Name + ")";
  return Out + ")";
}

static std::string shifted(const Offset &Of, int64_t By) {
  return "(" + Of.text() + " + " + std::to_string(By) + "l)";
}

/// A + Factor * B.
static std::optional<Offset> added(const Offset &A, const Offset &B,
                                   int64_t Factor) {
  Offset Sum = A;
  if (B.Dim) {
    if (A.Dim || Factor != 1)
      return std::nullopt;
    Sum.Dim = B.Dim;
    Sum.NotBelow = B.NotBelow;
    Sum.NotAbove = B.NotAbove;
  }
  constexpr int64_t Most = 1 << 20;
  if (std::abs(B.Low) > Most || std::abs(B.High) > Most ||
      std::abs(A.Low) > Most || std::abs(A.High) > Most ||
      std::abs(Factor) > Most)
    return std::nullopt;
  Sum.Low += Factor * (Factor < 0 ? B.High : B.Low);
  Sum.High += Factor * (Factor < 0 ? B.Low : B.High);
  for (const auto &[Name, Count] : B.Symbols)
    if ((Sum.Symbols[Name] += Factor * Count) == 0)
      Sum.Symbols.erase(Name);
  Sum.Chosen = A.Chosen || B.Chosen;
  Sum.Needs = both(A.Needs, B.Needs);
  // What is known of a variable does not hold for one beside it.
  const Offset &Other = B.Dim ? A : B;
  if (Sum.Dim &&
      (Other.Low != 0 || Other.High != 0 || !Other.Symbols.empty())) {
    Sum.NotBelow = Sum.Low < 0 ? "0" : "1";
    Sum.NotAbove = Sum.High > 0 ? "0" : "1";
  }
  return Sum;
}

Offset under(Offset O, llvm::ArrayRef<Guard> Known) {
  if (!O.isShift())
    return O;
  const std::string First = firstOf(*O.Dim), End = endOf(*O.Dim);
  for (const Guard &G : Known) {
    if (G.Dim != *O.Dim || !G.Value.isExact())
      continue;
    const bool Other = G.Is == Guard::Other;
    if (O.High > 0 && G.Is != Guard::AtLeast && (!Other || O.High == 1))
      O.NotAbove =
          either(O.NotAbove, Other ? G.Value.text() + " == " + End + " - 1"
                                   : shifted(G.Value, O.High) + " < " + End);
    if (O.Low < 0 && G.Is != Guard::AtMost && (!Other || O.Low == -1))
      O.NotBelow =
          either(O.NotBelow, Other ? G.Value.text() + " == " + First
                                   : shifted(G.Value, O.Low) + " >= " + First);
  }
  return O;
}

/// A number that stands where a loop's variable, or one beside it, stands in
/// the other branch: `x < n - 1 ? x + 1 : n - 1`.
static std::optional<Offset> pinned(const Offset &Value,
                                    llvm::ArrayRef<Guard> Known, unsigned Dim) {
  for (const Guard &G : Known) {
    if (G.Dim != Dim || G.Is == Guard::Other || !Value.isExact())
      continue;
    const std::optional<Offset> Apart = added(Value, G.Value, -1);
    if (!Apart || !Apart->Symbols.empty() || !Apart->isExact())
      continue;
    const int64_t By = Apart->Low;
    Offset O;
    O.Dim = Dim;
    O.Low = O.High = By;
    O.Chosen = true;
    O.NotBelow = Value.text() + " >= " + firstOf(Dim);
    O.NotAbove = Value.text() + " < " + endOf(Dim);
    if (G.Is == Guard::AtMost) {
      O.High = std::max<int64_t>(By, 0);
      O.Needs =
          Value.text() + " <= " + firstOf(Dim) + " + " + std::to_string(O.High);
    } else if (G.Is == Guard::AtLeast) {
      O.Low = std::min<int64_t>(By, 0);
      O.Needs = Value.text() + " >= " + endOf(Dim) + " - 1 + (" +
                std::to_string(O.Low) + ")";
    }
    return O;
  }
  return std::nullopt;
}

/// One of both.
static std::optional<Offset> chosen(Offset A, Offset B,
                                    llvm::ArrayRef<Guard> WithA,
                                    llvm::ArrayRef<Guard> WithB) {
  for (auto [One, Another, Known] :
       {std::tuple(&A, &B, WithA), std::tuple(&B, &A, WithB)})
    if (!One->Dim && Another->Dim) {
      const std::optional<Offset> Beside = pinned(*One, Known, *Another->Dim);
      if (!Beside)
        return std::nullopt;
      *One = *Beside;
    }
  if (A.Dim != B.Dim || A.Symbols != B.Symbols)
    return std::nullopt;
  A = under(A, WithA);
  B = under(B, WithB);
  A.Low = std::min(A.Low, B.Low);
  A.High = std::max(A.High, B.High);
  A.Needs = both(A.Needs, B.Needs);
  A.NotBelow = both(A.NotBelow, B.NotBelow);
  A.NotAbove = both(A.NotAbove, B.NotAbove);
  A.Chosen = true;
  return A;
}

static tok::TokenKind opposite(tok::TokenKind Op) {
  switch (Op) {
  case tok::less:
    return tok::greaterequal;
  case tok::greaterequal:
    return tok::less;
  case tok::greater:
    return tok::lessequal;
  case tok::lessequal:
    return tok::greater;
  case tok::equalequal:
    return tok::exclaimequal;
  default:
    return tok::equalequal;
  }
}

TokenRange bare(TokenRange E) {
  while (E.size() > 1 && E.front().is(tok::l_paren) &&
         skipGroup(E.begin(), E.end()) == E.end())
    E = E.drop_front().drop_back();
  return E;
}

/// Whether a `+` or `-` at \p T has something on its left.
static bool isBinary(TokenRange E, const Token *T) {
  return T != E.begin() && T[-1].isOneOf(tok::identifier, tok::numeric_constant,
                                         tok::r_paren, tok::r_square);
}

/// Types that hold every index.
static bool isWide(StringRef Name) {
  return llvm::is_contained(
      {"size_t", "ssize_t", "ptrdiff_t", "int64_t", "int32_t", "intptr_t"},
      Name);
}

/// Whether \p E is `(type) ...`, of integers that change no index: how many
/// tokens the type has.
static size_t castLength(TokenRange E) {
  if (E.empty() || E.front().isNot(tok::l_paren))
    return 0;
  const Token *const Past = skipGroup(E.begin(), E.end());
  const TokenRange Type = between(E.begin() + 1, Past - 1);
  if (Past == E.end() || Type.empty())
    return 0;
  const bool Words = llvm::all_of(Type, [](const Token &T) {
    return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_signed, tok::kw_const);
  });
  return Words || (Type.size() == 1 && isWide(wordOf(Type.front())))
             ? Past - E.begin()
             : 0;
}

Terms terms(TokenRange E) {
  Terms Out;
  E = bare(E);
  const Token *Begin = E.begin();
  bool Minus = false;
  const auto Add = [&](const Token *End) {
    const TokenRange Term = between(Begin, End);
    const TokenRange Inside = bare(Term);
    if (Inside.size() == Term.size() || terms(Inside).size() < 2) {
      Out.emplace_back(Term, Minus);
      return;
    }
    for (const auto &[Inner, Subtracted] : terms(Inside))
      Out.emplace_back(Inner, Subtracted != Minus);
  };
  for (const Token *T = E.begin(); T != E.end(); T = skipGroup(T, E.end())) {
    if (T->isOneOf(tok::question, tok::ampamp, tok::pipepipe, tok::less,
                   tok::greater, tok::lessequal, tok::greaterequal,
                   tok::equalequal, tok::exclaimequal, tok::comma)) {
      Out.clear();
      Out.emplace_back(E, false);
      return Out;
    }
    if (!T->isOneOf(tok::plus, tok::minus))
      continue;
    if (isBinary(E, T)) {
      Add(T);
      Minus = false;
    } else if (T != Begin) {
      continue;
    }
    Minus ^= T->is(tok::minus);
    Begin = T + 1;
  }
  if (Begin != E.end())
    Add(E.end());
  return Out;
}

llvm::SmallVector<TokenRange, 4> factors(TokenRange E) {
  llvm::SmallVector<TokenRange, 4> Out;
  E = bare(E);
  const Token *Begin = E.begin();
  for (const Token *T = E.begin(); T != E.end(); T = skipGroup(T, E.end()))
    if (T->is(tok::star) && T != E.begin()) {
      Out.push_back(between(Begin, T));
      Begin = T + 1;
    }
  Out.push_back(between(Begin, E.end()));
  return Out;
}

std::optional<Offset> OffsetReader::primary(TokenRange E) const {
  E = bare(E);
  if (const size_t Cast = castLength(E))
    return primary(E.drop_front(Cast));
  if (E.size() == 1 && E.front().is(tok::numeric_constant)) {
    std::string Digits = PP.getSpelling(E.front());
    while (!Digits.empty() && StringRef("uUlL").contains(Digits.back()))
      Digits.pop_back();
    Offset O;
    if (StringRef(Digits).getAsInteger(0, O.Low) || O.Low > (1 << 20))
      return std::nullopt;
    O.High = O.Low;
    return O;
  }
  if (E.size() > 3 && E.back().is(tok::r_paren)) {
    const TokenRange Callee = E.take_while([](const Token &T) {
      return T.isOneOf(tok::identifier, tok::coloncolon);
    });
    const StringRef Name = Callee.empty() ? "" : wordOf(Callee.back());
    if ((Name == "min" || Name == "max") && E[Callee.size()].is(tok::l_paren) &&
        skipGroup(E.begin() + Callee.size(), E.end()) == E.end())
      return least(E.drop_front(Callee.size() + 1).drop_back(), Name == "max");
  }
  if (E.empty())
    return std::nullopt;
  const std::string Name = wordOf(E.front()).str();
  if (E.size() > 1) // a product, a choice, a sum, a sign
    return !E.front().isOneOf(tok::plus, tok::minus) && terms(E).size() < 2 &&
                   factors(E).size() < 2 &&
                   llvm::none_of(
                       E, [](const Token &T) { return T.is(tok::question); })
               ? std::nullopt
               : read(E);
  if (E.front().isNot(tok::identifier))
    return std::nullopt;
  Offset O;
  if (const auto Loop = llvm::find(Loops, Name); Loop != Loops.end())
    O.Dim = Loop - Loops.begin();
  else if (const auto Found = Own.find(Name); Found != Own.end()) {
    if (Found->second)
      Constants.insert(Name);
    return Found->second;
  } else {
    Numbers.insert(Name);
    O.Symbols[Name] = 1;
  }
  return O;
}

/// What `A Op B`, which holds, says.
Guards OffsetReader::compared(const Offset &A, tok::TokenKind Op,
                              const Offset &B) const {
  if (A.Dim.has_value() == B.Dim.has_value() || !A.isExact() || !B.isExact() ||
      A.Chosen || B.Chosen)
    return {};
  if (!A.Dim)
    return compared(B, turned(Op), A);
  // `x - 1 < n` does not hold for 0 where there is no sign.
  if (A.Low < 0 && (!IsSigned[*A.Dim] || !B.Symbols.empty()))
    return {};
  Offset Rest = A;
  Rest.Dim.reset();
  std::optional<Offset> Value = added(B, Rest, -1);
  if (!Value)
    return {};
  Guard::Relation Is = Guard::Other;
  switch (Op) {
  case tok::less:
    --Value->Low, --Value->High;
    [[fallthrough]];
  case tok::lessequal:
    Is = Guard::AtMost;
    break;
  case tok::greater:
    ++Value->Low, ++Value->High;
    [[fallthrough]];
  case tok::greaterequal:
    Is = Guard::AtLeast;
    break;
  case tok::equalequal:
    Is = Guard::Equal;
    break;
  default:
    break;
  }
  Value->Dim.reset();
  return {Guard{Is, *A.Dim, *Value}};
}

std::optional<Offset> OffsetReader::least(TokenRange Arguments,
                                          bool Most) const {
  const auto Parts = splitAtCommas(Arguments, false, false);
  if (Parts.size() != 2)
    return std::nullopt;
  HasLeast = true;
  const std::optional<Offset> A = read(Parts[0]), B = read(Parts[1]);
  if (!A || !B)
    return std::nullopt;
  const tok::TokenKind Op = Most ? tok::greater : tok::less;
  return chosen(*A, *B, compared(*A, Op, *B), compared(*A, opposite(Op), *B));
}

std::optional<Offset> OffsetReader::sum(const Terms &Of, int64_t Number) const {
  std::optional<Offset> Sum = Offset();
  Sum->Low = Sum->High = Number;
  for (const auto &[Term, Minus] : Of) {
    int64_t Times = Minus ? -1 : 1;
    std::optional<Offset> Value;
    for (TokenRange Factor : factors(Term)) {
      const std::optional<Offset> F = primary(Factor);
      if (!F)
        return std::nullopt;
      if (!F->Dim && F->Symbols.empty() && F->isExact() && !F->Chosen)
        Times *= F->Low;
      else if (!Value)
        Value = F;
      else
        return std::nullopt;
    }
    if (!Value) {
      Value = Offset();
      Value->Low = Value->High = 1;
    }
    Sum = added(*Sum, *Value, Times);
    if (!Sum)
      return std::nullopt;
  }
  return Sum;
}

/// The operator of \p E, outside of brackets, that is one of \p Kinds.
static const Token *topLevel(TokenRange E,
                             std::initializer_list<tok::TokenKind> Kinds) {
  for (const Token *T = E.begin(); T != E.end(); T = skipGroup(T, E.end()))
    if (llvm::is_contained(Kinds, T->getKind()))
      return T;
  return nullptr;
}

std::optional<Offset> OffsetReader::read(TokenRange E) const {
  E = bare(E);
  if (E.empty() || topLevel(E, {tok::comma, tok::equal}))
    return std::nullopt;
  if (const Token *Question = topLevel(E, {tok::question})) {
    const TokenRange If = between(E.begin(), Question),
                     Rest = between(Question + 1, E.end());
    const Token *Colon = findColon(Rest);
    if (Colon == Rest.end())
      return std::nullopt;
    const std::optional<Offset> Then = read(between(Rest.begin(), Colon)),
                                Else = read(between(Colon + 1, Rest.end()));
    if (!Then || !Else)
      return std::nullopt;
    return chosen(*Then, *Else, guards(If, true), guards(If, false));
  }
  if (topLevel(E, {tok::slash, tok::percent, tok::lessless, tok::greatergreater,
                   tok::amp, tok::pipe, tok::caret, tok::less, tok::greater,
                   tok::lessequal, tok::greaterequal, tok::equalequal,
                   tok::exclaimequal, tok::ampamp, tok::pipepipe, tok::plusplus,
                   tok::minusminus}))
    return std::nullopt;
  return sum(terms(E), 0);
}

Guards OffsetReader::guards(TokenRange E, bool Holds) const {
  E = bare(E);
  if (E.empty() || topLevel(E, {tok::question, tok::comma, tok::equal}))
    return {};
  for (const tok::TokenKind Op : {tok::pipepipe, tok::ampamp})
    if (const Token *T = topLevel(E, {Op})) {
      if (Holds != (Op == tok::ampamp))
        return {};
      Guards All = guards(between(E.begin(), T), Holds);
      llvm::append_range(All, guards(between(T + 1, E.end()), Holds));
      return All;
    }
  if (const Token *T = topLevel(E, {tok::less, tok::greater, tok::lessequal,
                                    tok::greaterequal, tok::equalequal,
                                    tok::exclaimequal})) {
    const std::optional<Offset> A = read(between(E.begin(), T)),
                                B = read(between(T + 1, E.end()));
    if (!A || !B)
      return {};
    return compared(*A, Holds ? T->getKind() : opposite(T->getKind()), *B);
  }
  if (E.front().is(tok::exclaim))
    return guards(E.drop_front(), !Holds);
  // A number alone: it is not 0.
  if (const std::optional<Offset> A = read(E))
    return compared(*A, Holds ? tok::exclaimequal : tok::equalequal, Offset());
  return {};
}

} // namespace accx::frontend::timetile
