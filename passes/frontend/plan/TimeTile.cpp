//===- TimeTile.cpp - Whether launches of several steps are there ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They have been written (frontend/timetile/TimeTiles.h); a constant in front
// of them takes them out again where the tree has found an obstacle.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"
#include "frontend/timetile/TimeTiles.h"

namespace accx::frontend {

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
