//===- GangTokens.cpp - What statements do, by their tokens ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers questions about plain statements from their tokens alone. Where
// tokens do not tell, the answer is the safe one.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/GangTokens.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace accx::frontend {

Span withoutBraces(const UnitTokens &T, Span S) {
  if (T[S.Begin].is(tok::l_brace) && skipBrackets(T, S.Begin) == S.End)
    return {S.Begin + 1, S.End - 1};
  return S;
}

static std::string nameOf(const Token &T) {
  return T.is(tok::identifier) ? T.getIdentifierInfo()->getName().str() : "";
}

static bool isType(const Token &T) {
  return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_short, tok::kw_char,
                   tok::kw_unsigned, tok::kw_signed, tok::kw_float,
                   tok::kw_double, tok::kw__Bool, tok::kw_bool, tok::kw_const,
                   tok::kw_struct, tok::kw_union, tok::kw_enum, tok::kw_auto,
                   tok::kw_static, tok::kw_constexpr, tok::kw_volatile,
                   tok::kw_typeof);
}

bool isDeclaration(const UnitTokens &T, size_t I) {
  if (isType(T[I]))
    return true;
  if (T[I].isNot(tok::identifier))
    return false;
  size_t Next = I + 1;
  while (T[Next].is(tok::coloncolon) && T[Next + 1].is(tok::identifier))
    Next += 2;
  while (T[Next].isOneOf(tok::star, tok::amp, tok::kw_const, tok::kw_restrict))
    ++Next;
  return T[Next].is(tok::identifier) &&
         T[Next + 1].isOneOf(tok::equal, tok::semi, tok::comma, tok::l_square,
                             tok::l_brace);
}

Names declaredIn(const UnitTokens &T, Span S) {
  Names Found;
  for (size_t I = S.Begin; I < S.End;) {
    if (T[I].isOneOf(tok::l_brace, tok::r_brace)) {
      // The block of a part itself, not one inside it.
      if (T[I].is(tok::l_brace) && I != S.Begin) {
        I = skipBrackets(T, I);
        continue;
      }
      ++I;
      continue;
    }
    size_t End = statementEnd(T, I);
    if (End <= I)
      break;
    End = std::min(End, S.End);
    bool IsNext = isDeclaration(T, I);
    for (size_t At = I; IsNext && At + 1 < End;) {
      if (T[At].is(tok::identifier) &&
          T[At + 1].isOneOf(tok::equal, tok::semi, tok::comma, tok::l_square,
                            tok::l_brace)) {
        Found.insert(nameOf(T[At]));
        // To the next declarator.
        while (At < End && T[At].isNot(tok::comma))
          At = T[At].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)
                   ? skipBrackets(T, At)
                   : At + 1;
        if (At >= End)
          break;
      }
      ++At;
    }
    I = End;
  }
  return Found;
}

bool readsMemory(const UnitTokens &T, Span S, const Names &Team) {
  for (size_t I = S.Begin; I < S.End; ++I)
    if (T[I].isOneOf(tok::l_square, tok::arrow) ||
        (T[I].is(tok::identifier) &&
         (Team.count(nameOf(T[I])) || T[I + 1].is(tok::l_paren))) ||
        (T[I].is(tok::star) &&
         !T[I - 1].isOneOf(tok::identifier, tok::numeric_constant, tok::r_paren,
                           tok::r_square)))
      return true;
  return false;
}

bool initializes(const UnitTokens &T, Span S, const Names &Team) {
  for (size_t I = S.Begin; I < S.End; ++I)
    if (T[I].is(tok::equal) &&
        (Team.count(nameOf(T[I - 1])) || T[I - 1].is(tok::r_square) ||
         readsMemory(T, {I + 1, S.End}, Team)))
      return true;
  return false;
}

static bool assigns(const Token &T) {
  return T.isOneOf(tok::equal, tok::plusequal, tok::minusequal, tok::starequal,
                   tok::slashequal, tok::percentequal, tok::ampequal,
                   tok::pipeequal, tok::caretequal, tok::lesslessequal,
                   tok::greatergreaterequal, tok::plusplus, tok::minusminus);
}

/// The plain variable that the assignment at \p I sets; empty if it sets
/// something else.
static std::string targetOf(const UnitTokens &T, size_t I) {
  const auto Plain = [&](size_t At) -> std::string {
    return T[At - 1].isOneOf(tok::period, tok::arrow, tok::star) &&
                   !isDeclaration(T, At > 1 ? At - 2 : At)
               ? ""
               : nameOf(T[At]);
  };
  if (T[I].isOneOf(tok::plusplus, tok::minusminus) &&
      T[I + 1].is(tok::identifier))
    return T[I + 2].isOneOf(tok::l_square, tok::period, tok::arrow)
               ? ""
               : nameOf(T[I + 1]);
  return Plain(I - 1);
}

bool writesMemory(const UnitTokens &T, Span S, const Names &Team) {
  for (size_t I = S.Begin; I < S.End; ++I) {
    if (T[I].is(tok::identifier) && T[I + 1].is(tok::l_paren))
      return true;
    if (!assigns(T[I]))
      continue;
    const std::string Name = targetOf(T, I);
    if (Name.empty() || Team.count(Name))
      return true;
  }
  return false;
}

std::string setsOwn(const UnitTokens &T, Span S, const Names &Team) {
  Names Declared;
  for (size_t I = S.Begin; I < S.End; ++I) {
    if (T[I].is(tok::identifier) && I > S.Begin &&
        (isType(T[I - 1]) || T[I - 1].is(tok::identifier)))
      Declared.insert(nameOf(T[I]));
    if (!assigns(T[I]))
      continue;
    const std::string Name = targetOf(T, I);
    if (!Name.empty() && !Team.count(Name) && !Declared.count(Name))
      return Name;
  }
  return "";
}

bool mentions(const UnitTokens &T, Span S, llvm::StringRef Name) {
  for (size_t I = S.Begin; I < S.End; ++I)
    if (T[I].is(tok::identifier) && nameOf(T[I]) == Name &&
        !T[I - 1].isOneOf(tok::period, tok::arrow))
      return true;
  return false;
}

bool setsFirst(const UnitTokens &T, Span S, llvm::StringRef Name) {
  for (size_t I = S.Begin; I < S.End; ++I)
    if (T[I].is(tok::identifier) && nameOf(T[I]) == Name)
      return T[I + 1].is(tok::equal) &&
             T[I - 1].isOneOf(tok::semi, tok::l_brace, tok::r_brace) &&
             !mentions(T, {I + 1, statementEnd(T, I)}, Name);
  return true;
}

} // namespace accx::frontend
