//===- Body.cpp - What an iteration of a stencil does ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/LoopReader.h"

#include "frontend/parse/LoopDim.h"

using namespace clang;

namespace accx::frontend::timetile {

bool isAssignment(const Token &T) {
  return T.isOneOf(tok::equal, tok::plusequal, tok::minusequal, tok::starequal,
                   tok::slashequal, tok::percentequal, tok::ampequal,
                   tok::pipeequal, tok::caretequal, tok::lesslessequal,
                   tok::greatergreaterequal);
}
bool isStepped(const Token &T) {
  return T.isOneOf(tok::plusplus, tok::minusminus);
}

/// Names that the body declares, and those that it assigns.
void LoopReader::findOwn() {
  // Where a declaration names its second variable, its third and so on.
  std::set<size_t> Further;
  const auto NextName = [&](size_t I) {
    while (I < L.Cell.End && !T[I].isOneOf(tok::comma, tok::semi, tok::r_paren,
                                           tok::r_square, tok::r_brace))
      I = skipGroup(&T[I], T.data() + L.Cell.End) - T.data();
    return I < L.Cell.End && T[I].is(tok::comma) ? I + 1 : 0;
  };
  const auto Declare = [&](size_t At) {
    if (!Own.insert(word(At).str()).second)
      Assigned.insert(word(At).str()); // which of the two is meant?
  };
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
        !(Last.is(tok::identifier) && Next.is(tok::l_paren))) {
      Declare(I);
      // `float a = 1, b = 2;`
      for (size_t At = NextName(I + 1); At && T[At].is(tok::identifier);
           At = NextName(At + 1)) {
        Declare(At);
        Further.insert(At);
      }
    }
    const bool Anew = isAssignment(Next) || isStepped(Next) ||
                      isStepped(Last) ||
                      Next.isOneOf(tok::l_brace, tok::l_paren);
    if (Anew &&
        !(Next.is(tok::equal) &&
          (Further.count(I) ||
           Last.isOneOf(tok::kw_int, tok::kw_long, tok::kw_auto, tok::kw_const,
                        tok::kw_unsigned, tok::kw_short, tok::identifier))))
      Assigned.insert(Name);
  }
}

/// Whether a declaration from \p Begin on is of integers that hold every index.
bool LoopReader::isWhole(size_t Begin, size_t Name) const {
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
void LoopReader::define(Span S) {
  size_t First = S.End;
  for (size_t I = S.Begin; I + 2 < S.End; ++I)
    if (T[I].is(tok::identifier) && T[I + 1].is(tok::equal) &&
        Own.count(word(I).str())) {
      size_t End = I + 2;
      while (End < S.End && !T[End].isOneOf(tok::comma, tok::semi))
        End = indexOf(skipGroup(&T[End], T.data() + S.End));
      const std::string Name = word(I).str();
      First = std::min(First, I);
      if (!Assigned.count(Name) && isWhole(S.Begin, First) &&
          (I == First || T[I - 1].is(tok::comma)))
        Offsets.Own[Name] = Offsets.read(text(I + 2, End));
      Scope.push_back(Name);
      I = End;
    }
}

bool LoopReader::block(Span S, llvm::ArrayRef<Guard> Known, unsigned Depth) {
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
bool LoopReader::loop(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth) {
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

bool LoopReader::statement(size_t I, llvm::ArrayRef<Guard> Known,
                           unsigned Depth) {
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

bool LoopReader::store(Span S) {
  size_t I = S.Begin + 1;
  while (I < S.End && T[I].is(tok::l_square))
    I = skipBrackets(T, I);
  if (T[I].isNot(tok::equal))
    return fail("'" + Twine(L.Out) + "' is not assigned by '='");
  L.Store = {S.Begin, I};
  Stored = true;
  return expression(text(I + 1, S.End), {}, true);
}

/// Whether an array's name is none that the body declares, in whatever way, or
/// that is found in a scope of its own.
bool LoopReader::isFromOutside(StringRef Name) {
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
void LoopReader::keep(const Token *Name, const Token *End) {
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
bool LoopReader::expression(TokenRange E, llvm::ArrayRef<Guard> Known,
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

bool LoopReader::cell() {
  for (const LoopHead &H : L.Nest) {
    Offsets.Loops.push_back(wordOf(H.Variable).str());
    Offsets.IsSigned.push_back(isSigned(H));
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

} // namespace accx::frontend::timetile
