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
  const Directive &D = *N.D;
  const Clause *Async = queueClause(D);
  unsigned Count = 0;
  for (unsigned K = 0; K < D.Clauses.size(); ++K) {
    const Clause &C = D.Clauses[K];
    const bool In = C.hasModifier("alwaysin");
    if (C.Kind != ClauseKind::Copy || isAlways(C) ||
        (!In && !C.hasModifier("alwaysout")))
      continue;
    for (unsigned I = 0; I < C.Items.size(); ++I) {
      if (namesRows(N, K, I)) {
        report(C.Loc, DiagnosticsEngine::Error,
               "'%0' is not supported on rows behind a table of pointers, "
               "'%1'; write an 'update' with 'if_present'")
            << (In ? "alwaysin" : "alwaysout") << text(C.Items[I].Tokens);
        continue;
      }
      const std::string Name = "__accx_always_" + std::to_string(Count++);
      R.Before.push_back(
          phrase("struct { void *Data; unsigned long Size; } " + Name + " = {",
                 {}, "", C.Loc));
      addCallOn("", C, C.Items[I], "};", R.Before);
      Phrases Call;
      Call.push_back(phrase(
          llvm::formatv("__accx_update_present({0}.Data, {0}.Size, {1}, ", Name,
                        In ? 1 : 0),
          {}, "", C.Loc));
      Call.push_back(Async ? queueArgument(*Async)
                           : phrase("-2", {}, "", C.Loc));
      Call.push_back(phrase(");", {}, "", C.Loc));
      addUnderIf(D, std::move(Call), In ? R.Before : R.After);
    }
  }
}

} // namespace accx::frontend
