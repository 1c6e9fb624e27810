//===- TimeLoop.cpp - A loop of steps around a stencil --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens tell the form, and where each read goes. What they cannot tell, the
// tree does later (facts/TimeTiles.cpp): that no call, reference or pointer
// inside of a variable reaches the arrays otherwise.
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/TimeLoop.h"

#include "frontend/parse/LoopDim.h"
#include "frontend/parse/OmpLine.h"
#include "frontend/parse/Tokens.h"

#include "clang/Lex/Preprocessor.h"

#include <set>

using namespace clang;

namespace accx::frontend::timetile {
namespace {

bool isAssignment(const Token &T) {
  return T.isOneOf(tok::equal, tok::plusequal, tok::minusequal, tok::starequal,
                   tok::slashequal, tok::percentequal, tok::ampequal,
                   tok::pipeequal, tok::caretequal, tok::lesslessequal,
                   tok::greatergreaterequal);
}
bool isStepped(const Token &T) {
  return T.isOneOf(tok::plusplus, tok::minusminus);
}

/// Whether a loop's variable is of a type that holds every index, or declared
/// elsewhere, which the tree looks at.
bool isCounter(const LoopHead &H) {
  const TokenRange Type = H.Declared.drop_back();
  if (Type.size() == 1 && Type.front().is(tok::identifier))
    return llvm::is_contained({"size_t", "ssize_t", "ptrdiff_t", "int64_t",
                               "int32_t", "uint64_t", "uint32_t"},
                              wordOf(Type.front()));
  return llvm::all_of(Type, [](const Token &T) {
    return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_unsigned,
                     tok::kw_signed);
  });
}

/// Reads one loop: the first reason that is found stays.
class Reader {
public:
  Reader(const UnitTokens &T, Preprocessor &PP, TimeLoop &L)
      : T(T), PP(PP), L(L), Offsets(PP) {}

  void run(size_t At);

private:
  bool fail(const Twine &Why) {
    if (L.Why.empty())
      L.Why = Why.str();
    return false;
  }
  TokenRange text(size_t Begin, size_t End) const {
    return TokenRange(T).slice(Begin, End - Begin);
  }
  TokenRange text(Span S) const { return text(S.Begin, S.End); }
  size_t indexOf(const Token *Of) const { return Of - T.data(); }
  StringRef word(size_t I) const { return wordOf(T[I]); }

  bool time(size_t For);
  bool construct();
  bool nest(size_t For);
  bool swap(Span S);
  bool cell();
  void findOwn();
  bool block(Span S, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool statement(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool loop(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool store(Span S);
  bool isWhole(size_t Begin, size_t Name) const;
  void define(Span S);
  bool isFromOutside(StringRef Name);
  void keep(const Token *Name, const Token *Past);
  bool expression(TokenRange E, llvm::ArrayRef<Guard> Known, bool Always);
  const Token *access(const Token *Name, TokenRange E,
                      llvm::ArrayRef<Guard> Known, bool Always);
  struct Place {
    std::optional<Offset> Row, Column;
    Access A;
  };
  std::optional<Place> place(Span Brackets);
  bool split(TokenRange Index, Place &P);
  bool findStride(TokenRange Index);
  bool take(const Place &P, llvm::ArrayRef<Guard> Known, bool Always);

  const UnitTokens &T;
  Preprocessor &PP;
  TimeLoop &L;
  OffsetReader Offsets;
  /// Declared in the body; assigned anew somewhere.
  std::set<std::string> Own, Assigned;
  bool Stored = false;
  unsigned Loops = 0; // of the body, around a statement
  /// Names that define() has met, in the blocks that are open.
  std::vector<std::string> Scope;
  struct Seen {
    Place P;
    Guards Known;
    bool Always;
  };
  std::vector<Seen> All;
};

/// `for (int t = 0; t < n; ++t)`, upwards.
bool Reader::time(size_t For) {
  L.For = For;
  if (T[For].isNot(tok::kw_for) || T[For + 1].isNot(tok::l_paren))
    return fail("what follows is no 'for' over the steps");
  L.Body = skipBrackets(T, For + 1);
  L.End = statementEnd(T, L.Body);
  const auto Head = LoopHead::parse(text(For + 2, L.Body - 1));
  if (!Head || Head->IsMinus ||
      (Head->Relation != tok::less && Head->Relation != tok::lessequal))
    return fail("the head of the loop over the steps is not 'for (variable = "
                "first; variable < bound; ++variable)' or the like");
  L.Time = *Head;
  if (!isCounter(*Head) ||
      (!Head->Step.empty() &&
       !Head->Step.front().isOneOf(tok::identifier, tok::numeric_constant)))
    return fail("the loop over the steps does not count them in an integer");
  for (TokenRange Part : {Head->Init, Head->Bound, Head->Step})
    for (size_t I = 0; I < Part.size(); ++I)
      if (Part[I].isOneOf(tok::l_square, tok::l_brace) || isStepped(Part[I]) ||
          (I && Part[I].is(tok::l_paren) && Part[I - 1].is(tok::identifier)))
        return fail("the bounds of the loop over the steps are more than "
                    "numbers and variables");
  if (T[L.Body].isNot(tok::l_brace))
    return fail("the loop over the steps has no body in braces");
  return true;
}

/// The directive, its loops, and what is behind them.
bool Reader::construct() {
  size_t I = L.Construct = L.Body + 1;
  if (T[I].is(tok::annot_pragma_openmp)) {
    const OmpLine Line(T, I);
    if (!Line.isTargetLoop())
      return fail("the construct in it is not one loop of a target region in "
                  "one directive");
    I = Line.End;
  } else if (isDirective(T[I])) {
    const Directive &D = *directiveOf(T[I]);
    if (!isCompute(D.Kind) || D.Kind == DirectiveKind::Serial || D.IsOwn)
      return fail("it does not begin with a parallel construct");
    ++I;
    if (!D.HasLoop && isDirective(T[I]) &&
        directiveOf(T[I])->Kind == DirectiveKind::Loop)
      ++I;
  } else {
    return fail("it does not begin with a parallel construct");
  }
  if (!nest(I))
    return false;
  const size_t Behind = statementEnd(T, I);
  return swap({Behind, L.End - 1});
}

bool Reader::nest(size_t For) {
  size_t Body = For;
  for (unsigned Depth = 0; Depth < 2; ++Depth) {
    if (T[For].isNot(tok::kw_for) || T[For + 1].isNot(tok::l_paren))
      break;
    Body = skipBrackets(T, For + 1);
    auto Head = LoopHead::parse(text(For + 2, Body - 1));
    if (!Head || Head->IsMinus || !Head->Step.empty() ||
        (Head->Relation != tok::less && Head->Relation != tok::lessequal) ||
        !isCounter(*Head))
      return Depth ? true
                   : fail("a loop of the construct does not go up by one from "
                          "a first index to a bound");
    if (Depth)
      for (TokenRange Part : {Head->Init, Head->Bound})
        for (const Token &Each : Part)
          if (wordOf(Each) == wordOf(L.Nest[0].Variable))
            return fail("the bounds of the inner loop depend on the outer one");
    L.Nest.push_back(*Head);
    L.Cell = {Body, statementEnd(T, Body)};
    // What is tightly inside.
    size_t Next = Body;
    const bool Braces = T[Body].is(tok::l_brace);
    Next += Braces;
    while (isDirective(T[Next]) || T[Next].is(tok::annot_pragma_openmp))
      Next = isDirective(T[Next]) ? Next + 1 : OmpLine(T, Next).End;
    if (T[Next].isNot(tok::kw_for) ||
        statementEnd(T, Next) + Braces != L.Cell.End)
      break;
    For = Next;
  }
  return !L.Nest.empty() || fail("behind the directive stands no loop");
}

/// `tmp = a; a = b; b = tmp;` or `swap(a, b);`.
bool Reader::swap(Span S) {
  L.Swap = S;
  const auto Fail = [&] {
    return fail("the construct is not followed by the swap of two pointers, "
                "'T *old = a; a = b; b = old;' or 'std::swap(a, b);', alone");
  };
  std::vector<Span> Parts;
  for (size_t I = S.Begin; I < S.End; I = Parts.back().End)
    Parts.push_back({I, std::max(statementEnd(T, I), I + 1)});
  std::string A, B;
  if (Parts.size() == 1) {
    size_t I = Parts[0].Begin;
    if (word(I) == "std" && T[I + 1].is(tok::coloncolon))
      I += 2;
    if (word(I) != "swap" || Parts[0].End - I != 7 ||
        T[I + 3].isNot(tok::comma))
      return Fail();
    A = word(I + 2);
    B = word(I + 4);
  } else if (Parts.size() == 3) {
    const auto Sides = [&](Span P) {
      std::pair<std::string, std::string> Names;
      if (P.End - P.Begin < 4 || T[P.End - 1].isNot(tok::semi) ||
          T[P.End - 3].isNot(tok::equal) ||
          T[P.Begin].isOneOf(tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_do,
                             tok::kw_switch, tok::kw_case, tok::kw_default,
                             tok::kw_static))
        return Names;
      for (size_t I = P.Begin; I + 3 < P.End; ++I)
        if (T[I].isOneOf(tok::equal, tok::question, tok::comma))
          return Names;
      Names = {word(P.End - 4).str(), word(P.End - 2).str()};
      // `float (*old)[n] = a;`
      for (size_t I = P.Begin; I + 3 < P.End && Names.first.empty(); ++I)
        if (T[I].is(tok::l_paren) && T[I + 1].is(tok::star) &&
            T[I + 3].is(tok::r_paren))
          Names.first = word(I + 2);
      return Names;
    };
    const auto [Old, First] = Sides(Parts[0]);
    const auto [To, From] = Sides(Parts[1]);
    const auto [Last, Kept] = Sides(Parts[2]);
    if (Old.empty() || Kept != Old || To != First || Last != From ||
        To == From || Old == To || Old == From ||
        Parts[1].End - Parts[1].Begin != 4 ||
        Parts[2].End - Parts[2].Begin != 4)
      return Fail();
    A = To;
    B = From;
    L.Private.push_back(Old);
  } else {
    return Fail();
  }
  if (A.empty() || B.empty() || A == B)
    return Fail();
  L.In = A;
  L.Out = B;
  return true;
}

/// Names that the body declares, and those that it assigns.
void Reader::findOwn() {
  for (size_t I = L.Cell.Begin; I < L.Cell.End; ++I) {
    if (T[I].isNot(tok::identifier))
      continue;
    const std::string Name = word(I).str();
    const Token &Last = T[I - 1], &Next = T[I + 1];
    // Behind a type or a comma of a declaration.
    if (Last.isOneOf(tok::kw_int, tok::kw_long, tok::kw_short, tok::kw_char,
                     tok::kw_float, tok::kw_double, tok::kw_unsigned,
                     tok::kw_signed, tok::kw_bool, tok::kw_auto, tok::kw_const,
                     tok::kw__Bool, tok::identifier) &&
        Next.isOneOf(tok::equal, tok::semi, tok::comma, tok::l_square,
                     tok::l_brace, tok::l_paren) &&
        !(Last.is(tok::identifier) && Next.is(tok::l_paren)) &&
        !Own.insert(Name).second)
      Assigned.insert(Name); // which of the two is meant is not known
    const bool Anew = isAssignment(Next) || isStepped(Next) ||
                      isStepped(Last) ||
                      Next.isOneOf(tok::l_brace, tok::l_paren);
    if (Anew &&
        !(Next.is(tok::equal) &&
          Last.isOneOf(tok::kw_int, tok::kw_long, tok::kw_auto, tok::kw_const,
                       tok::kw_unsigned, tok::kw_short, tok::identifier)))
      Assigned.insert(Name);
  }
  // `float a = 1, b = 2;`
  for (size_t I = L.Cell.Begin; I < L.Cell.End;) {
    if (!Own.count(word(I).str()) || T[I - 1].is(tok::comma)) {
      ++I;
      continue;
    }
    size_t Next = I + 1;
    while (Next < L.Cell.End && T[Next].isNot(tok::semi) &&
           T[Next].isNot(tok::r_paren) && T[Next].isNot(tok::r_brace)) {
      if (T[Next].is(tok::comma) && T[Next + 1].is(tok::identifier))
        Own.insert(word(Next + 1).str());
      Next = skipGroup(&T[Next], T.data() + L.Cell.End) - T.data();
    }
    I = std::max(Next, I + 1);
  }
}

/// Whether a declaration from \p Begin on is of integers that hold every index.
bool Reader::isWhole(size_t Begin, size_t Name) const {
  size_t Types = 0;
  for (size_t I = Begin; I < Name; ++I) {
    if (T[I].is(tok::kw_const))
      continue;
    if (!T[I].isOneOf(tok::kw_int, tok::kw_long) &&
        !llvm::is_contained(
            {"size_t", "ssize_t", "ptrdiff_t", "int64_t", "int32_t"}, word(I)))
      return false;
    ++Types;
  }
  return Types > 0;
}

/// A variable with a known offset: declared with a value, never assigned anew.
void Reader::define(Span S) {
  for (size_t I = S.Begin; I + 2 < S.End; ++I)
    if (T[I].is(tok::identifier) && T[I + 1].is(tok::equal) &&
        Own.count(word(I).str())) {
      size_t End = I + 2;
      while (End < S.End && !T[End].isOneOf(tok::comma, tok::semi))
        End = indexOf(skipGroup(&T[End], T.data() + S.End));
      const std::string Name = word(I).str();
      if (!Assigned.count(Name) && isWhole(S.Begin, I))
        Offsets.Own[Name] = Offsets.read(text(I + 2, End));
      Scope.push_back(Name);
      I = End;
    }
}

bool Reader::block(Span S, llvm::ArrayRef<Guard> Known, unsigned Depth) {
  const size_t Outside = Scope.size();
  for (size_t I = S.Begin; I < S.End;) {
    if (!statement(I, Known, Depth))
      return false;
    I = std::max(statementEnd(T, I), I + 1);
    // What belongs to an `if`.
    while (I < S.End && T[I].is(tok::kw_else))
      I = statementEnd(T, I + 1);
  }
  // Behind the block the name is another's, or nobody's.
  for (; Scope.size() > Outside; Scope.pop_back())
    Offsets.Own[Scope.back()] = std::nullopt;
  return true;
}

/// A loop in the body: its variable takes all values from one number to
/// another, or is anything.
bool Reader::loop(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth) {
  const size_t Body = skipBrackets(T, I + 1);
  const TokenRange Header = text(I + 2, Body - 1);
  const std::optional<LoopHead> H = LoopHead::parse(Header);
  bool Always = false;
  std::string Name;
  std::optional<Offset> Range;
  if (H && H->declares() && !H->IsMinus && H->Step.empty()) {
    Name = wordOf(H->Variable).str();
    const std::optional<Offset> First = Offsets.read(H->Init),
                                Bound = Offsets.read(H->Bound);
    unsigned Steps = 0; // of the variable: in the head alone
    for (size_t J = I; J < statementEnd(T, Body); ++J)
      Steps += word(J) == Name && (isAssignment(T[J + 1]) ||
                                   isStepped(T[J + 1]) || isStepped(T[J - 1]));
    if (First && Bound && !First->Dim && !Bound->Dim && First->isExact() &&
        Bound->isExact() && First->Symbols.empty() && Bound->Symbols.empty() &&
        Steps == 2 &&
        (H->Relation == tok::less || H->Relation == tok::lessequal)) {
      Range = Offset();
      Range->Low = First->Low;
      Range->High = Bound->Low - (H->Relation == tok::less);
      if (Range->Low > Range->High)
        Range.reset();
      Always = Range && Depth == 0;
    }
  }
  Offsets.Own[Name] = Range;
  ++Loops;
  const bool Good = expression(Header, Known, false) &&
                    statement(Body, Known, Always ? 0 : Depth + 1);
  --Loops;
  Offsets.Own[Name] = std::nullopt;
  return Good;
}

bool Reader::statement(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth) {
  const size_t End = statementEnd(T, I);
  switch (T[I].getKind()) {
  case tok::l_brace:
    return block({I + 1, End - 1}, Known, Depth);
  case tok::semi:
    return true;
  case tok::kw_if: {
    if (T[I + 1].isNot(tok::l_paren))
      return fail("'if' is followed by no condition");
    const size_t Then = skipBrackets(T, I + 1);
    const TokenRange If = text(I + 2, Then - 1);
    Guards Held(Known.begin(), Known.end()), Not = Held;
    llvm::append_range(Held, Offsets.guards(If, true));
    llvm::append_range(Not, Offsets.guards(If, false));
    const size_t Else = statementEnd(T, Then);
    return expression(If, Known, Depth == 0) &&
           statement(Then, Held, Depth + 1) &&
           (T[Else].isNot(tok::kw_else) || statement(Else + 1, Not, Depth + 1));
  }
  case tok::kw_for:
    return loop(I, Known, Depth);
  case tok::kw_while:
  case tok::kw_do:
  case tok::kw_switch:
  case tok::kw_goto:
  case tok::kw_return:
  case tok::kw_asm:
  case tok::kw_try:
  case tok::kw_break:
  case tok::kw_continue:
    return fail("the body has a '" + word(I) + "'");
  default:
    break;
  }
  if (isDirective(T[I]) || T[I].isAnnotation())
    return fail("the body has a directive");
  if (word(I) == L.Out) {
    if (Depth != 0 || Loops || Stored || !Known.empty())
      return fail("'" + Twine(L.Out) +
                  "' is not assigned once by every iteration");
    return store({I, End});
  }
  define({I, End});
  return expression(text(I, End), Known, Depth == 0);
}

bool Reader::store(Span S) {
  size_t I = S.Begin + 1;
  while (I < S.End && T[I].is(tok::l_square))
    I = skipBrackets(T, I);
  if (T[I].isNot(tok::equal))
    return fail("'" + Twine(L.Out) + "' is not assigned by '='");
  L.Store = {S.Begin, I};
  Stored = true;
  return expression(text(I + 1, S.End), {}, true);
}

/// What the outer variable is multiplied by.
bool Reader::findStride(TokenRange Index) {
  for (const auto &[Term, Minus] : terms(Index)) {
    const auto Parts = factors(Term);
    if (Parts.size() != 2 || Minus)
      continue;
    for (unsigned P = 0; P < 2; ++P) {
      const std::optional<Offset> O = Offsets.read(Parts[P]);
      if (!O || O->Dim != 0u)
        continue;
      const TokenRange Length = bare(Parts[1 - P]);
      for (const Token &Each : Length)
        if (Offsets.Own.count(wordOf(Each).str()) ||
            llvm::is_contained(Offsets.Loops, wordOf(Each)) ||
            isOpenBracket(Each) || isStepped(Each))
          return fail("the length of a row, '" + spell(PP, Length) +
                      "', is not the same in all iterations and steps");
      L.Stride = spell(PP, Length);
    }
  }
  return !L.Stride.empty() ||
         fail("'" + Twine(L.Out) +
              "' has no subscript 'row * length + column'");
}

/// Takes `Row * Stride + Column` apart.
bool Reader::split(TokenRange Index, Place &P) {
  std::optional<Offset> Sums[2] = {Offset(), Offset()};
  std::string Texts[2];
  TokenVector Row, Column;
  for (const auto &[Term, Minus] : terms(Index)) {
    const auto Parts = factors(Term);
    TokenRange Rest = Term;
    bool IsRow = false, IsOne = false;
    for (unsigned F = 0; F < Parts.size() && !IsRow; ++F)
      if (Parts.size() <= 2 && spell(PP, bare(Parts[F])) == L.Stride) {
        IsRow = true;
        IsOne = Parts.size() == 1;
        if (!IsOne)
          Rest = Parts[1 - F];
      }
    std::string &Text = Texts[!IsRow];
    Text += Minus ? " - (" : " + (";
    Text += IsOne ? "1" : spell(PP, Rest);
    Text += ")";
    TokenVector &Tokens = IsRow ? Row : Column;
    Token Sign;
    Sign.startToken();
    Sign.setKind(Minus ? tok::minus : tok::plus);
    Tokens.push_back(Sign);
    Token Paren;
    Paren.startToken();
    Paren.setKind(tok::l_paren);
    Tokens.push_back(Paren);
    if (IsOne) {
      // One row: a literal would need a spelling.
      Tokens.pop_back();
      Tokens.pop_back();
      Sums[0]->Low += Minus ? -1 : 1;
      Sums[0]->High += Minus ? -1 : 1;
      continue;
    }
    Tokens.append(Rest.begin(), Rest.end());
    Paren.setKind(tok::r_paren);
    Tokens.push_back(Paren);
  }
  for (unsigned D = 0; D < 2; ++D) {
    const TokenVector &Tokens = D ? Column : Row;
    if (Tokens.empty())
      return false;
    // `+ (a) - (b)`: a leading sign is one of a term.
    const std::optional<Offset> O = Offsets.read(
        Tokens.front().is(tok::plus) ? TokenRange(Tokens).drop_front()
                                     : TokenRange(Tokens));
    if (!O)
      return false;
    const int64_t More = Sums[D]->Low;
    Offset Sum = *O;
    Sum.Low += More;
    Sum.High += More;
    if (More) {
      Sum.NotBelow = Sum.Low < 0 ? "0" : "1";
      Sum.NotAbove = Sum.High > 0 ? "0" : "1";
    }
    (D ? P.Column : P.Row) = Sum;
  }
  P.A.Row = Texts[0];
  P.A.Column = Texts[1];
  return true;
}

/// What the brackets at \p S choose.
std::optional<Reader::Place> Reader::place(Span S) {
  Place P;
  const size_t Past = skipBrackets(T, S.Begin);
  const TokenRange First = text(S.Begin + 1, Past - 1);
  if (L.Nest.size() == 1) {
    P.Column = Offsets.read(First);
    P.A.Column = spell(PP, First);
    return P.Column && Past == S.End ? std::optional(P) : std::nullopt;
  }
  if (Past == S.End)
    return !L.Stride.empty() && split(First, P) ? std::optional(P)
                                                : std::nullopt;
  if (!L.Stride.empty() || skipBrackets(T, Past) != S.End)
    return std::nullopt;
  L.IsNested = true;
  const TokenRange Second = text(Past + 1, S.End - 1);
  P.Row = Offsets.read(First);
  P.Column = Offsets.read(Second);
  P.A.Row = spell(PP, First);
  P.A.Column = spell(PP, Second);
  return P.Row && P.Column ? std::optional(P) : std::nullopt;
}

/// Returns the token behind it; null where it is not understood.
const Token *Reader::access(const Token *Name, TokenRange E,
                            llvm::ArrayRef<Guard> Known, bool Always) {
  Seen S;
  const size_t Begin = indexOf(Name);
  size_t End = Begin + 1;
  while (T[End].is(tok::l_square))
    End = skipBrackets(T, End);
  const auto Bad = [&](const Twine &Why) {
    fail("'" + spell(PP, text(Begin, End)) + "' " + Why);
    return nullptr;
  };
  if (End == Begin + 1)
    return Bad("is used without a subscript");
  if (isAssignment(T[End]) || isStepped(T[End]) || isStepped(T[Begin - 1]) ||
      T[Begin - 1].is(tok::amp))
    return Bad("is written, or its address taken");
  std::optional<Place> P = place({Begin + 1, End});
  if (!P)
    return Bad("is not beside the iteration's own element");
  S.P = std::move(*P);
  S.P.A.Tokens = {Begin, End};
  S.Known.append(Known.begin(), Known.end());
  S.Always = Always;
  All.push_back(std::move(S));
  return T.data() + End;
}

/// Whether an array's name is none that the body declares, in whatever way, or
/// that is found in a scope of its own.
bool Reader::isFromOutside(StringRef Name) {
  for (size_t I = L.Cell.Begin; I < L.Cell.End; ++I) {
    if (word(I) != Name || T[I - 1].isOneOf(tok::period, tok::arrow))
      continue;
    const Token &Last = T[I - 1];
    const bool IsType =
        Last.is(tok::identifier) ||
        (!wordOf(Last).empty() && !Last.isOneOf(tok::kw_return, tok::kw_else,
                                                tok::kw_sizeof, tok::kw_do));
    if (IsType || Last.is(tok::coloncolon) ||
        !T[I + 1].isOneOf(tok::l_square, tok::arrow))
      return fail("'" + Name +
                  "' is declared in the body, named with its "
                  "scope, or used without a subscript");
  }
  return true;
}

/// Notes a read that is the same in every step.
void Reader::keep(const Token *Name, const Token *End) {
  const size_t Begin = indexOf(Name);
  size_t Past = Begin + 1;
  while (T[Past].is(tok::l_square))
    Past = skipBrackets(T, Past);
  if (Past == Begin + 1 || T.data() + Past > End ||
      T[Past].isOneOf(tok::period, tok::arrow, tok::l_paren) ||
      T[Begin - 1].is(tok::kw_sizeof) || isAssignment(T[Past]) ||
      isStepped(T[Past]) || T[Begin - 1].is(tok::amp))
    return;
  for (size_t I = Begin + 1; I < Past; ++I) {
    const std::string Name = word(I).str();
    if (Offsets.Own.count(Name) || Name == L.In || isStepped(T[I]) ||
        (T[I].is(tok::l_paren) && T[I - 1].is(tok::identifier)))
      return;
  }
  L.Kept.push_back({Begin, Past});
}

/// All of \p E; of `c ? a : b` the parts under what c says.
bool Reader::expression(TokenRange E, llvm::ArrayRef<Guard> Known,
                        bool Always) {
  for (const Token *I = E.begin(); I != E.end(); I = skipGroup(I, E.end())) {
    if (I->isNot(tok::question))
      continue;
    const Token *Begin = I;
    while (Begin != E.begin() && !Begin[-1].isOneOf(tok::comma, tok::semi) &&
           !isAssignment(Begin[-1]))
      --Begin;
    const TokenRange If = between(Begin, I);
    TokenRange Rest = between(I + 1, E.end());
    const Token *Colon = findColon(Rest);
    if (Colon == Rest.end())
      return fail("a '?' has no ':'");
    const Token *Past = Colon;
    while (Past != E.end() && !Past->isOneOf(tok::comma, tok::semi))
      Past = skipGroup(Past, E.end());
    Guards Held(Known.begin(), Known.end()), Not = Held;
    llvm::append_range(Held, Offsets.guards(If, true));
    llvm::append_range(Not, Offsets.guards(If, false));
    return expression(between(E.begin(), I), Known, Always) &&
           expression(between(Rest.begin(), Colon), Held, false) &&
           expression(between(Colon + 1, Past), Not, false) &&
           expression(between(Past, E.end()), Known, Always);
  }
  bool Short = false; // behind && or ||
  for (const Token *I = E.begin(); I != E.end();) {
    Short |= I->isOneOf(tok::ampamp, tok::pipepipe);
    if (isDirective(*I) || I->isAnnotation())
      return fail("the body has a directive");
    if (I->is(tok::identifier) &&
        (I == E.begin() || !I[-1].isOneOf(tok::period, tok::arrow))) {
      const StringRef Name = wordOf(*I);
      if (Name == L.Out)
        return fail("'" + Twine(L.Out) + "' is read, or written twice");
      if (Name == L.In) {
        const Token *const Past = access(I, E, Known, Always && !Short);
        if (!Past)
          return false;
        // What its subscripts name.
        for (const Token *J = I + 1; J != Past; ++J)
          if (wordOf(*J) == L.In)
            return fail("a subscript of '" + Twine(L.In) + "' depends on it");
        I = Past;
        continue;
      }
      if (I + 1 != E.end() && I[1].isOneOf(tok::l_square, tok::arrow) &&
          !Own.count(Name.str()) && !llvm::is_contained(L.Others, Name)) {
        if (!isFromOutside(Name))
          return false;
        L.Others.push_back(Name.str());
      }
      if (I + 1 != E.end() && I[1].is(tok::period) && !Own.count(Name.str()) &&
          !llvm::is_contained(L.Records, Name))
        L.Records.push_back(Name.str());
      if (Always && !Short && !Own.count(Name.str()))
        keep(I, E.end());
    }
    if (isOpenBracket(*I)) {
      const Token *const Past = skipGroup(I, E.end());
      if (!expression(between(I + 1, Past - 1), Known, Always && !Short))
        return false;
      I = Past;
      continue;
    }
    ++I;
  }
  return true;
}

/// A read: how far, and what makes it stay inside.
bool Reader::take(const Place &P, llvm::ArrayRef<Guard> Known, bool Always) {
  const std::string Text = "'" + spell(PP, text(P.A.Tokens)) + "'";
  const Offset *Parts[2] = {P.Row ? &*P.Row : &*P.Column,
                            P.Row ? &*P.Column : nullptr};
  bool Exact = true;
  for (unsigned D = 0; D < L.Nest.size(); ++D) {
    const Offset &O = *Parts[D];
    if (!O.isShift() || *O.Dim != D)
      return fail(Text + " is not beside the iteration's own element");
    if (O.Low < -64 || O.High > 64)
      return fail(Text + " is more than 64 elements away");
    L.Before[D] = std::max(L.Before[D], -O.Low);
    L.Behind[D] = std::max(L.Behind[D], O.High);
    L.Needs = both(L.Needs, O.Needs);
    Exact &= !O.Chosen;
  }
  const int64_t Lows[2] = {Parts[0]->Low, Parts[1] ? Parts[1]->Low : 0},
                Highs[2] = {Parts[0]->High, Parts[1] ? Parts[1]->High : 0};
  if (Exact && Always) {
    for (int64_t Y = Lows[0]; Y <= Highs[0]; ++Y)
      for (int64_t X = Lows[1]; X <= Highs[1]; ++X)
        if ((Y || X) && !llvm::is_contained(L.Always, std::pair(Y, X)))
          L.Always.emplace_back(Y, X);
    return true;
  }
  if (Exact) {
    bool AllThere = true;
    for (int64_t Y = Lows[0]; Y <= Highs[0]; ++Y)
      for (int64_t X = Lows[1]; X <= Highs[1]; ++X)
        AllThere &= (!Y && !X) || llvm::is_contained(L.Always, std::pair(Y, X));
    if (AllThere)
      return true;
  }
  for (unsigned D = 0; D < L.Nest.size(); ++D) {
    const Offset O = under(*Parts[D], Known);
    const Condition Inside = both(O.NotBelow, O.NotAbove);
    if (Inside == "0")
      return fail(Text + " may be outside of what the loops write, and not "
                         "every iteration reads it");
    L.Needs = both(L.Needs, Inside);
  }
  return true;
}

bool Reader::cell() {
  for (const LoopHead &H : L.Nest) {
    Offsets.Loops.push_back(wordOf(H.Variable).str());
    Offsets.IsSigned.push_back(
        H.declares() &&
        llvm::all_of(H.Declared.drop_back(), [](const Token &T) {
          return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_signed);
        }));
  }
  for (size_t I = L.Cell.Begin; I < L.Cell.End; ++I)
    if (T[I].is(tok::kw_auto) && T[I + 1].isOneOf(tok::l_square, tok::amp))
      return fail("the body declares names by 'auto' of another's parts");
  for (const std::string &Name : {L.In, L.Out})
    if (llvm::is_contained(Offsets.Loops, Name))
      return fail("a loop runs over '" + Twine(Name) + "'");
  findOwn();
  if (Own.count(L.In) || Own.count(L.Out))
    return fail("the body declares an array's name anew");
  for (const std::string &Name : Offsets.Loops)
    if (Assigned.count(Name) || Own.count(Name))
      return fail("the body assigns '" + Twine(Name) + "'");
  // Not the same in every step, or in every iteration.
  for (const std::string &Name : Own)
    Offsets.Own[Name] = std::nullopt;
  for (const std::string &Name : Assigned)
    Offsets.Own[Name] = std::nullopt;
  Offsets.Own[wordOf(L.Time.Variable).str()] = std::nullopt;
  for (size_t I = L.Cell.Begin; I < L.Cell.End && L.Nest.size() == 2; ++I) {
    if (word(I) != L.Out || T[I + 1].isNot(tok::l_square))
      continue;
    const size_t Past = skipBrackets(T, I + 1);
    if (T[Past].isNot(tok::l_square) && !findStride(text(I + 2, Past - 1)))
      return false;
    break;
  }
  if (!statement(L.Cell.Begin, {}, 0))
    return false;
  if (!Stored)
    return fail("no iteration assigns '" + Twine(L.Out) + "'");
  Span Left = {L.Store.Begin + 1, L.Store.End};
  const std::optional<Place> Target = place(Left);
  const auto IsOwn = [](const std::optional<Offset> &O, unsigned D) {
    return O && O->isShift() && *O->Dim == D && O->isExact() && O->Low == 0;
  };
  if (!Target || !IsOwn(Target->Column, L.Nest.size() - 1) ||
      (L.Nest.size() == 2 && !IsOwn(Target->Row, 0)))
    return fail("'" + spell(PP, text(L.Store)) +
                "' is not the iteration's own element");
  if (All.empty())
    return fail("no iteration reads '" + Twine(L.In) + "'");
  // Those that every iteration makes first: they tell which cells exist.
  for (const bool Always : {true, false})
    for (const Seen &S : All)
      if (S.Always == Always && !take(S.P, S.Known, Always))
        return false;
  for (const Seen &S : All)
    L.Reads.push_back(S.P.A);
  // Comparisons with what has no sign would not be what they seem.
  for (unsigned D = 0; D < L.Nest.size() && L.Needs != "1"; ++D)
    L.Needs = both(L.Needs, firstOf(D) + " >= 0");
  L.Numbers.assign(Offsets.Numbers.begin(), Offsets.Numbers.end());
  L.Constants.assign(Offsets.Constants.begin(), Offsets.Constants.end());
  L.HasLeast = Offsets.HasLeast;
  return true;
}

void Reader::run(size_t At) {
  if (!time(At + 1) || !construct())
    return;
  // Which of the two is written, the body tells.
  for (size_t I = L.Cell.Begin; I < L.Cell.End; ++I)
    if (word(I) == L.In && T[I + 1].is(tok::l_square)) {
      size_t Past = I + 1;
      while (T[Past].is(tok::l_square))
        Past = skipBrackets(T, Past);
      if (T[Past].is(tok::equal)) {
        std::swap(L.In, L.Out);
        break;
      }
    }
  cell();
}

} // namespace

TimeLoop TimeLoop::read(const UnitTokens &Tokens, size_t At, Preprocessor &PP) {
  TimeLoop L;
  Reader(Tokens, PP, L).run(At);
  return L;
}

} // namespace accx::frontend::timetile
