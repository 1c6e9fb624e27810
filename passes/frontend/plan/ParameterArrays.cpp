//===- ParameterArrays.cpp - Parameters declared as arrays ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites items of data clauses that name a parameter declared as an array, so
// that they name its elements. It runs ahead of all other planning, which then
// needs no case for such parameters.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/ParameterArrays.h"

#include "frontend/parse/TokenText.h"

using namespace clang;

namespace accx::frontend {

/// Whether clauses of kind \p K on \p D move or hold what their items are made
/// of.
static bool holdsElements(DirectiveKind D, ClauseKind K) {
  switch (K) {
  case ClauseKind::Argument:
    return spreads(D) || isOperation(D);
  case ClauseKind::Copy:
  case ClauseKind::CopyIn:
  case ClauseKind::CopyOut:
  case ClauseKind::Create:
  case ClauseKind::Self:
  case ClauseKind::Device:
    return true;
  default:
    return false;
  }
}

void completeParameterArrays(
    const std::vector<std::unique_ptr<Directive>> &Directives, const Facts &F,
    Preprocessor &PP) {
  for (const auto &D : Directives)
    for (unsigned C = 0; C < D->Clauses.size(); ++C)
      for (unsigned I = 0; I < D->Clauses[C].Items.size(); ++I) {
        Item &What = D->Clauses[C].Items[I];
        const uint64_t Length = F.item(D->Ordinal, C, I).ParameterLength;
        if (!Length || !What.Sections.empty() || What.Tokens.size() != 1 ||
            !holdsElements(D->Kind, D->Clauses[C].Kind))
          continue;
        TokenVector &New = D->Rewritten.emplace_back(What.Tokens);
        lexText(PP, "[0:" + std::to_string(Length) + "]",
                What.Tokens.front().getLocation(), New);
        What.Tokens = New;
        What.Base = What.Tokens.take_front(1);
        Section Rows;
        Rows.Lower = What.Tokens.slice(2, 1);
        Rows.Length = What.Tokens.slice(4, 1);
        What.Sections.push_back(Rows);
      }
}

} // namespace accx::frontend
