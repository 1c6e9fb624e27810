//===- TimeTile.cpp - Whether launches of several steps are there ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They have been written (frontend/timetile/TimeTiles.h); a constant in front
// of them takes them out again where the tree has found an obstacle.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/TimeTile.h"

#include "frontend/parse/Report.h"
#include "frontend/plan/Planner.h"

namespace accx::frontend {

/// Why the tree leaves the steps of \p D apart; empty if it does not.
static std::string whyApart(const Directive &D, const Facts &F) {
  const StatementFacts &Of = F.statement(D.Ordinal);
  return Of.Known ? Of.Obstacle : "its code is not known";
}

static void remarkApart(const Directive &D, const std::string &Why,
                        clang::DiagnosticsEngine &Diags) {
  remark(Diags, D.Loc, /*Done=*/false,
         "each step stays a launch of its own: " + Why);
}

void takeBackTiles(Unit &U, std::vector<UnaskedTiles> Tiles, const Facts &F,
                   clang::DiagnosticsEngine &Diags, bool Remarks) {
  llvm::erase_if(Tiles, [&](const UnaskedTiles &Loop) {
    const std::string Why = whyApart(*Loop.D, F);
    if (Remarks && !Why.empty())
      remarkApart(*Loop.D, Why, Diags);
    return Why.empty();
  });
  // From the last on, as places behind a loop move.
  for (const UnaskedTiles &Loop : llvm::reverse(Tiles)) {
    const auto First = U.Tokens.begin() + Loop.Begin;
    const auto At = U.Tokens.erase(First, U.Tokens.begin() + Loop.End);
    U.Tokens.insert(At, Loop.Loop.begin(), Loop.Loop.end());
  }
}

void Planner::planTimeTile(const Node &N) {
  const Directive &D = *N.D;
  visitAll(N.Children);
  std::string Why = D.WhyWhole;
  if (Why.empty()) {
    Why = whyApart(D, F);
    Rewrite R;
    R.Statement = N.Statement;
    R.Before.add("enum { " + timeTileSwitch(D) + " = " +
                     (Why.empty() ? "1" : "0") + " };",
                 D.Loc);
    Result.Rewrites[&N] = std::move(R);
  }
  if (!Why.empty()) {
    if (Options.MissedRemarks)
      remarkApart(D, Why, Diags);
    return;
  }
  remark(N, std::string(D.Implied ? "the loop has" : "'timetile' makes") +
                " launches of up to " +
                text(D.find(ClauseKind::Argument)->Arguments) +
                " steps, which read '" + D.Arrays[0] + "' and write '" +
                D.Arrays[1] + "'");
}

} // namespace accx::frontend
