//===- Always.cpp - Copies in one direction, whatever is present ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP's `always` copies both ways. `copy(alwaysin:)` always copies to the
// device, and back only where the data leaves it; `copy(alwaysout:)` is the
// reverse. Such data is copied by a call ahead of the construct or behind it,
// if it is present then: what the construct itself brings, its map clause
// copies.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"

#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

bool isAlways(const Clause &Data) {
  const bool In = Data.hasModifier("alwaysin"),
             Out = Data.hasModifier("alwaysout");
  return Data.hasModifier("always") ||
         (Data.Kind == ClauseKind::Copy ? In && Out : In || Out);
}

void Planner::addOneWay(const Node &N, Rewrite &R) {
  unsigned Count = 0;
  for (const ListItem &I : itemsOf(*N.D, {ClauseKind::Copy})) {
    const Clause &C = I.clause();
    const bool In = C.hasModifier("alwaysin");
    if (isAlways(C) || (!In && !C.hasModifier("alwaysout")))
      continue;
    if (namesRows(I)) {
      error(C.Loc, "'%0' is not supported on rows behind a table of pointers, "
                   "'%1'; write an 'update' with 'if_present'")
          << (In ? "alwaysin" : "alwaysout") << text(I.item().Tokens);
      continue;
    }
    const std::string Name = "__accx_always_" + std::to_string(Count++);
    addRange(Name, C, I.item(), R.Before);
    Phrases Call;
    Call.add(llvm::formatv("__accx_update_present({0}.Data, {0}.Size, {1}, ",
                           Name, In ? 1 : 0),
             C.Loc);
    addQueue(queueClause(*N.D), "", ");", C.Loc, Call);
    addUnderIf(*N.D, Call, In ? R.Before : R.After);
  }
}

} // namespace accx::frontend
