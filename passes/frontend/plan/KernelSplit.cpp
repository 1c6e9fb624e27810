//===- KernelSplit.cpp - Barriers of all gangs ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gangs cannot wait for each other: the kernel ends, and another one begins.
// What a gang has of its own does not get there.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/BlockPlanner.h"
#include "frontend/plan/GangTokens.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

bool BlockPlanner::split() {
  const auto [Begin, End] = withoutBraces(T, Body);
  Parts.clear();
  size_t From = Begin;
  for (size_t I = Begin; I < End;) {
    if (llvm::any_of(Cuts,
                     [=](const Node *Barrier) { return Barrier->At == I; })) {
      Parts.push_back({From, I});
      From = ++I;
      continue;
    }
    // Other directives stand with their statements.
    const size_t Next =
        isDirective(T[I]) &&
                row(directiveOf(T[I])->Kind).Follows == Association::None
            ? I + 1
            : statementEnd(T, I);
    I = std::max(Next, I + 1);
  }
  Parts.push_back({From, End});
  if (Parts.size() != Cuts.size() + 1)
    return refuse(
        Cuts.front()->D->Loc,
        "a barrier of all gangs splits the kernel, and must stand in the body "
        "of the gang loop itself, outside of worker loops and conditions");
  return checkExposed(Parts);
}

/// Nothing that a gang or a worker has of its own may be set in one part and
/// read in a later one.
bool BlockPlanner::checkExposed(const std::vector<Span> &Parts) {
  bool Ok = true;
  const auto Refuse = [&](unsigned Part, const std::string &Name) {
    Ok = refuse(Cuts[Part - 1]->D->Loc,
                "the kernel has to be split at this barrier, but '" + Name +
                    "', which each gang has of its own, is needed behind it; "
                    "compute it again behind the barrier, or keep it in an "
                    "array with an element a gang");
  };
  Names Indices, Declared, Private;
  const ClauseSet Privates = {ClauseKind::Private, ClauseKind::FirstPrivate};
  Private = namesIn(*N.D, Privates);
  for (const Node *L : GangLoops)
    Private.merge(namesIn(*L->D, Privates));
  for (const LoopDim &D : Gangs)
    Indices.insert(D.Name);
  for (unsigned I = 0; I < Parts.size(); ++I) {
    const Names Again = declaredIn(T, Parts[I]);
    for (const std::string &Name : Declared)
      if (!Again.count(Name) && mentions(T, Parts[I], Name))
        Refuse(I, Name);
    Declared.insert(Again.begin(), Again.end());
    if (I == 0)
      continue;
    for (const Variable &V : C.S.Outer) {
      if (Indices.count(V.Name) || Declared.count(V.Name) ||
          (C.sharing(V, N, nullptr) == ComputePlanner::Sharing::Left &&
           !Private.count(V.Name)))
        continue;
      const bool IsBefore =
          llvm::any_of(llvm::ArrayRef(Parts).take_front(I),
                       [&](Span Part) { return mentions(T, Part, V.Name); });
      if (IsBefore && mentions(T, Parts[I], V.Name) &&
          !setsFirst(T, Parts[I], V.Name))
        Refuse(I, V.Name);
    }
  }
  return Ok;
}

} // namespace accx::frontend
