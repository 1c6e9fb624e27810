//===- KernelLoops.cpp - Marks the loops of kernels constructs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a kernels construct loops need no directive: each gets one before anything
// else looks at the unit. plan/PlainLoops.h decides which of them stay.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Reader.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// Finds `for` statements by their tokens.
class Finder {
public:
  explicit Finder(const UnitTokens &T) : T(T) {}

  std::vector<size_t> Loops; // in the order of the source

  /// In the statement at \p I; what has a directive, a label or an attribute
  /// is left alone.
  void statement(size_t I) {
    switch (T[I].getKind()) {
    case tok::l_brace:
      block(I);
      return;
    case tok::kw_for:
      Loops.push_back(I);
      [[fallthrough]];
    case tok::kw_while:
      if (T[I + 1].is(tok::l_paren))
        statement(skipBrackets(T, I + 1));
      return;
    case tok::kw_if:
      if (T[I + 1].is(tok::l_paren)) {
        const size_t Then = skipBrackets(T, I + 1);
        statement(Then);
        const size_t Else = statementEnd(T, Then);
        if (T[Else].is(tok::kw_else))
          statement(Else + 1);
      }
      return;
    case tok::kw_do:
      statement(I + 1);
      return;
    default:
      return;
    }
  }

private:
  void block(size_t I) {
    const size_t End = skipBrackets(T, I);
    for (++I; I + 1 < End;) {
      statement(I);
      const size_t Next = statementEnd(T, I);
      if (Next <= I)
        return;
      I = Next;
    }
  }

  const UnitTokens &T;
};

} // namespace

void markKernelLoops(Unit &U, unsigned Ordinal) {
  Finder Find(U.Tokens);
  for (size_t I = 0; I < U.Tokens.size(); ++I)
    if (isDirective(U.Tokens[I]))
      if (const Directive *D = directiveOf(U.Tokens[I]);
          D->Kind == DirectiveKind::Kernels && !D->HasLoop)
        Find.statement(I + 1);
  if (Find.Loops.empty())
    return;
  UnitTokens Out;
  Out.reserve(U.Tokens.size() + Find.Loops.size());
  auto Next = Find.Loops.begin();
  for (size_t I = 0; I < U.Tokens.size(); ++I) {
    if (Next != Find.Loops.end() && *Next == I) {
      ++Next;
      auto D = std::make_unique<Directive>();
      D->Kind = DirectiveKind::Loop;
      D->Ordinal = Ordinal++;
      D->Begin = D->Loc = D->End = U.Tokens[I].getLocation();
      D->Implied = true;
      makeDirectiveToken(Out.emplace_back(), D.get());
      U.Directives.push_back(std::move(D));
    }
    Out.push_back(U.Tokens[I]);
  }
  U.Tokens = std::move(Out);
}

} // namespace accx::frontend
