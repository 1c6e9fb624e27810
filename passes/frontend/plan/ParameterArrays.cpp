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
  static constexpr ClauseSet Data = {ClauseKind::Copy,    ClauseKind::CopyIn,
                                     ClauseKind::CopyOut, ClauseKind::Create,
                                     ClauseKind::Self,    ClauseKind::Device};
  return Data.contains(K) ||
         (K == ClauseKind::Argument && (spreads(D) || isOperation(D)));
}

void completeParameterArrays(
    const std::vector<std::unique_ptr<Directive>> &Directives, const Facts &F,
    Preprocessor &PP) {
  for (const auto &D : Directives)
    for (const ListItem &I : itemsOf(*D)) {
      Item &What = D->Clauses[I.ClauseIndex].Items[I.Index];
      const uint64_t Length = F.item(I).ParameterLength;
      if (!Length || !What.Sections.empty() || What.Tokens.size() != 1 ||
          !holdsElements(D->Kind, I.clause().Kind))
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
