//===- LambdaBinds.cpp - The clause bind of a lambda ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a compilation for devices all code that is emitted is the devices', so
// that every call may be bound there, wherever it stands.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/LambdaBinds.h"

#include "frontend/parse/Functions.h"
#include "frontend/parse/Report.h"
#include "frontend/parse/Tokens.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

static bool isLambda(const UnitTokens &Tokens, const Token &Name) {
  if (Name.isNot(tok::identifier))
    return false;
  for (size_t I = 0; I < Tokens.size(); ++I)
    if (Tokens[I].is(tok::identifier) &&
        Tokens[I].getIdentifierInfo() == Name.getIdentifierInfo() &&
        lambdaAt(Tokens, I))
      return true;
  return false;
}

bool isLambdaBind(const UnitTokens &Tokens, const Token &Routine,
                  const Token &To) {
  return isLambda(Tokens, Routine) || isLambda(Tokens, To);
}

namespace {

/// Calls of one routine.
struct Bound {
  const IdentifierInfo *Routine;
  Token To;
  size_t From; // where it can be called from
};

std::vector<Bound> findBound(const UnitTokens &Tokens, const Tree &T) {
  std::vector<Bound> Found;
  for (const auto &N : T.nodes()) {
    const Clause *Bind = N->D->Kind == DirectiveKind::Routine
                             ? N->D->find(ClauseKind::Bind)
                             : nullptr;
    if (!Bind || Bind->Values.front().size() != 1)
      continue;
    const Token To = Bind->Values.front().front();
    const TokenRange Routine = routineName(Tokens, *N);
    if (Routine.size() != 1 || !isLambdaBind(Tokens, Routine.front(), To))
      continue;
    size_t From = Tokens.size();
    if (To.is(tok::identifier))
      From = firstMention(Tokens, To.getIdentifierInfo());
    if (From < Tokens.size())
      From =
          lambdaAt(Tokens, From) ? declarationAt(Tokens, From).End : From + 1;
    Found.push_back({Routine.front().getIdentifierInfo(), To, From});
  }
  return Found;
}

bool isCall(const UnitTokens &Tokens, size_t I, const IdentifierInfo *Name) {
  return Tokens[I].is(tok::identifier) &&
         Tokens[I].getIdentifierInfo() == Name && I > 0 &&
         I + 1 < Tokens.size() && Tokens[I + 1].is(tok::l_paren) &&
         !Tokens[I - 1].isOneOf(tok::period, tok::arrow, tok::coloncolon);
}

/// Calls in compute constructs that come before what is to be called.
void reportUnbound(const UnitTokens &Tokens, const Tree &T, const Bound &B,
                   DiagnosticsEngine &Diags) {
  for (const auto &N : T.nodes())
    for (size_t I = N->Statement.Begin,
                End = std::min(N->Statement.End, B.From);
         isCompute(N->D->Kind) && I < End; ++I)
      if (isCall(Tokens, I, B.Routine))
        reportError(
            Diags, Tokens[I].getLocation(),
            "'%0' is bound to %select{'%2', which is declared later|a symbol, "
            "which is not supported where one of them is a lambda}1: bind it "
            "to a function or lambda in front of this call")
            << B.Routine->getName() << B.To.isNot(tok::identifier)
            << wordOf(B.To);
}

} // namespace

void bindLambdas(UnitTokens &Tokens, const Tree &T, Preprocessor &PP) {
  for (const Bound &B : findBound(Tokens, T)) {
    if (!PP.getLangOpts().OpenMPIsTargetDevice) {
      reportUnbound(Tokens, T, B, PP.getDiagnostics());
      continue;
    }
    for (size_t I = B.From; I < Tokens.size(); ++I)
      if (isCall(Tokens, I, B.Routine))
        Tokens[I].setIdentifierInfo(B.To.getIdentifierInfo());
  }
}

} // namespace accx::frontend
