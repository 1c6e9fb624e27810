//===- Divergence.cpp - Where lanes part ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spreads divergence from branches to the blocks and phis behind them, and from
// inner loops to outer ones, until nothing changes. Shapes.cpp has the shapes
// of values; each of the two feeds the other.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Divergence.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace accx::vector {

Divergence::Divergence(const Regions &All, LaneShapes &Shapes)
    : Shapes(Shapes) {
  for (bool Changed = true; Changed;) {
    Changed = Shapes.propagate();
    for (const auto &R : All.all())
      for (unsigned I = 0; I != R->end(); ++I)
        if (const RegionNode &N = R->Nodes[I];
            parts(N) && Done.insert(&N).second)
          Changed |= spread(*R, I);
    // Inner loops come later in the list, and make outer ones diverge.
    for (const auto &R : reverse(All.all())) {
      if (!R->Cycle || Loops.contains(R->Cycle) || !leavesDivergently(*R))
        continue;
      Loops.insert(R->Cycle);
      SmallVector<BasicBlock *, 4> Exits;
      R->Cycle->getExitBlocks(Exits);
      for (BasicBlock *Exit : Exits)
        forceVarying(Exit);
      Changed = true;
    }
  }
}

bool Divergence::isDivergentBranch(const BasicBlock *B) const {
  const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
  return Branch && Branch->isConditional() &&
         !Shapes.isUniform(Branch->getCondition());
}

bool Divergence::parts(const RegionNode &N) const {
  return N.Inner ? Loops.contains(N.Inner) : isDivergentBranch(N.Entry);
}

bool Divergence::forceVarying(BasicBlock *B) {
  bool Changed = false;
  for (const PHINode &Phi : B->phis())
    Changed |= Shapes.forceVarying(&Phi);
  return Changed;
}

/// Marks what depends on the node's lanes taking different ways.
bool Divergence::spread(const Region &R, unsigned Index) {
  const RegionNode &From = R.Nodes[Index];
  if (From.Successors.size() < 2 && From.PostDominator != R.end())
    return false;
  bool Changed = false;

  // Every successor begins a way with its own name; where ways of different
  // names meet, a new name begins.
  constexpr unsigned None = ~0U;
  std::vector<unsigned> Way(R.end() + 1, None);
  for (unsigned S : From.Successors)
    Way[S] = S;
  for (unsigned I = Index + 1; I < R.end(); ++I) {
    if (Way[I] == None)
      continue;
    for (unsigned S : R.Nodes[I].Successors) {
      if (Way[S] == None || Way[S] == Way[I]) {
        Way[S] = Way[I];
        continue;
      }
      Way[S] = S;
      if (S != R.end())
        Changed |= forceVarying(R.Nodes[S].Entry);
    }
  }

  SmallVector<unsigned, 8> Work(From.Successors.begin(), From.Successors.end());
  while (!Work.empty()) {
    const unsigned I = Work.pop_back_val();
    if (I == From.PostDominator || I == R.end() ||
        !Partial.insert(&R.Nodes[I]).second)
      continue;
    Changed = true;
    Work.append(R.Nodes[I].Successors);
  }
  return Changed;
}

bool Divergence::leavesDivergently(const Region &R) const {
  for (const RegionNode &N : R.Nodes) {
    SmallVector<BasicBlock *, 4> Targets;
    if (N.Inner)
      N.Inner->getExitBlocks(Targets);
    else
      Targets.append(succ_begin(N.Entry), succ_end(N.Entry));
    const bool Leaves =
        any_of(Targets, [&](BasicBlock *B) { return !R.Cycle->contains(B); });
    if (Leaves && (parts(N) || Partial.contains(&N)))
      return true;
  }
  return false;
}

} // namespace accx::vector
