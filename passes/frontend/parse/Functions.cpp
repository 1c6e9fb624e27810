//===- Functions.cpp - Functions and lambdas among tokens -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a directive finds in front of it or around it before anything is parsed.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Functions.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace accx::frontend {

bool lambdaAt(const UnitTokens &T, size_t I) {
  return I + 3 < T.size() && T[I].is(tok::identifier) &&
         T[I + 1].is(tok::equal) && T[I + 2].is(tok::l_square) &&
         T[I + 3].isNot(tok::l_square);
}

size_t lambdaIn(const UnitTokens &T, Span S) {
  for (size_t I = S.Begin; I < S.End && T[I].isNot(tok::l_brace); ++I)
    if (lambdaAt(T, I))
      return I;
  return S.End;
}

Span declarationAt(const UnitTokens &T, size_t I) {
  const size_t Begin = I;
  bool Initializes = false, Assigned = false;
  while (I < T.size() && T[I].isNot(tok::eof)) {
    if (T[I].is(tok::semi))
      return {Begin, I + 1};
    if (T[I].is(tok::l_brace)) {
      const size_t End = skipBrackets(T, I);
      // `f = [] { return value; };`
      if (Assigned) {
        I = End;
        continue;
      }
      // `: member{value}`
      if (!Initializes || !T[I - 1].isOneOf(tok::identifier, tok::greater))
        return {Begin, End};
      I = End;
      continue;
    }
    if (T[I].is(tok::r_brace))
      break;
    // A constructor's; behind other functions' parentheses there is none.
    Initializes |=
        T[I].is(tok::colon) && I > Begin &&
        T[I - 1].isOneOf(tok::r_paren, tok::kw_noexcept, tok::kw_try);
    Assigned |= lambdaAt(T, I);
    I = T[I].isOneOf(tok::l_paren, tok::l_square) ? skipBrackets(T, I) : I + 1;
  }
  return {Begin, I};
}

std::string functionName(const UnitTokens &T, Span S) {
  for (size_t I = S.Begin; I < S.End && T[I].isNot(tok::l_brace); ++I) {
    if (T[I].is(tok::kw_operator)) {
      // operator(), operator[], operator new[], operator type
      std::string Name = "operator";
      if (T[++I].is(tok::l_paren))
        return Name + "()";
      for (; I < S.End && T[I].isNot(tok::l_paren); ++I) {
        if (const IdentifierInfo *Word = T[I].getIdentifierInfo())
          Name += " " + Word->getName().str();
        else if (const char *Sign = tok::getPunctuatorSpelling(T[I].getKind()))
          Name += Sign;
      }
      return Name;
    }
    if (T[I].is(tok::kw___attribute) && T[I + 1].is(tok::l_paren)) {
      I = skipBrackets(T, I + 1) - 1;
      continue;
    }
    if (I > S.Begin && T[I - 1].is(tok::identifier) &&
        (T[I].is(tok::l_paren) || lambdaAt(T, I - 1)))
      return T[I - 1].getIdentifierInfo()->getName().str();
  }
  return {};
}

size_t nameAt(const UnitTokens &T, Span S) {
  for (size_t I = S.Begin; I < S.End && T[I].isNot(tok::l_brace); ++I) {
    if (T[I].isOneOf(tok::kw_operator, tok::kw_template, tok::coloncolon))
      break;
    if (T[I].is(tok::kw___attribute) && T[I + 1].is(tok::l_paren))
      I = skipBrackets(T, I + 1) - 1;
    else if (lambdaAt(T, I))
      return I;
    else if (T[I].is(tok::l_paren))
      return I > S.Begin && T[I - 1].is(tok::identifier) ? I - 1 : S.End;
  }
  return S.End;
}

TokenRange routineName(const UnitTokens &T, const Node &Routine) {
  if (const Clause *List = Routine.D->find(ClauseKind::Argument))
    return List->Items.front().Tokens;
  const Span Where = declarationAt(T, Routine.At + 1);
  const size_t Name = nameAt(T, Where);
  return Name < Where.End ? TokenRange(T).slice(Name, 1) : TokenRange();
}

size_t firstMention(const UnitTokens &T, const IdentifierInfo *Name) {
  size_t I = 0;
  while (I < T.size() &&
         (T[I].isNot(tok::identifier) || T[I].getIdentifierInfo() != Name))
    ++I;
  return I;
}

/// The braces of the lambda whose variable's name is at \p I; empty if there
/// are none.
static Span lambdaBody(const UnitTokens &T, size_t I) {
  size_t At = skipBrackets(T, I + 2);
  while (At < T.size() && !T[At].isOneOf(tok::l_brace, tok::semi, tok::eof))
    At = T[At].is(tok::l_paren) ? skipBrackets(T, At) : At + 1;
  if (At >= T.size() || T[At].isNot(tok::l_brace))
    return {};
  return {At, skipBrackets(T, At)};
}

std::vector<NamedCode> namedCode(const UnitTokens &T) {
  std::vector<NamedCode> Found;
  size_t Begin = 0, FunctionEnd = 0;
  for (size_t I = 0; I < T.size(); ++I) {
    if (lambdaAt(T, I)) {
      if (const Span Body = lambdaBody(T, I); !Body.empty())
        Found.push_back(
            {T[I].getIdentifierInfo()->getName().str(), I, Body, true});
    } else if (T[I].isOneOf(tok::semi, tok::r_brace)) {
      Begin = I + 1;
    } else if (T[I].is(tok::l_brace)) {
      // Inside a function's body `if (f()) {` defines no function.
      if (I >= FunctionEnd)
        if (std::string Name = functionName(T, {Begin, I});
            !Name.empty() && (Found.empty() || Found.back().Body.Begin != I)) {
          FunctionEnd = skipBrackets(T, I);
          Found.push_back({std::move(Name), Begin, {I, FunctionEnd}, false});
        }
      Begin = I + 1;
    }
  }
  return Found;
}

std::vector<std::string> namesAround(const UnitTokens &T, size_t At) {
  std::vector<std::string> Names;
  size_t Begin = 0;
  for (size_t I = 0; I < At; ++I) {
    if (T[I].isOneOf(tok::semi, tok::r_brace)) {
      Begin = I + 1;
    } else if (T[I].is(tok::l_brace)) {
      const size_t End = skipBrackets(T, I);
      if (End > At) {
        if (std::string Name = functionName(T, {Begin, I}); !Name.empty())
          Names.push_back(std::move(Name));
        Begin = I + 1;
      } else {
        I = End - 1;
        Begin = End;
      }
    }
  }
  return Names;
}

} // namespace accx::frontend
