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

void takeBackTiles(Unit &U, std::vector<UnaskedTiles> Tiles, const Facts &F,
                   clang::DiagnosticsEngine &Diags, bool Remarks) {
  llvm::erase_if(Tiles, [&](const UnaskedTiles &Loop) {
    const StatementFacts &Of = F.statement(Loop.D->Ordinal);
    const std::string Why = Of.Known ? Of.Obstacle : "its code is not known";
    if (Remarks && !Why.empty())
      remark(Diags, Loop.D->Loc, /*Done=*/false,
             "each step stays a launch of its own: " + Why);
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
    const StatementFacts &Facts = F.statement(D.Ordinal);
    Why = Facts.Known ? Facts.Obstacle : "its code is not known";
    Rewrite R;
    R.Statement = N.Statement;
    R.Before.add("enum { " + timeTileSwitch(D) + " = " +
                     (Why.empty() ? "1" : "0") + " };",
                 D.Loc);
    Result.Rewrites[&N] = std::move(R);
  }
  if (!Why.empty()) {
    if (Options.MissedRemarks)
      frontend::remark(Diags, D.Loc, /*Done=*/false,
                       "each step stays a launch of its own: " + Why);
    return;
  }
  remark(N, std::string(D.Implied ? "the loop has" : "'timetile' makes") +
                " launches of up to " +
                text(D.find(ClauseKind::Argument)->Arguments) +
                " steps, which read '" + D.Arrays[0] + "' and write '" +
                D.Arrays[1] + "'");
}

} // namespace accx::frontend
