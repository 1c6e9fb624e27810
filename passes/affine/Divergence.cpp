//===- Divergence.cpp - What iterations of a block agree on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spreads from what differs by itself to what depends on it, until nothing
// changes. It only looks, and knows neither threads nor work-items.
//
//===----------------------------------------------------------------------===//

#include "affine/Divergence.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace accx::affine {

Divergence::Influence Divergence::influenceOf(BasicBlock *Branch) const {
  Influence In;
  const DomTreeNode *Node = PDT.getNode(Branch);
  if (Node && Node->getIDom())
    In.Join = Node->getIDom()->getBlock();
  SmallVector<BasicBlock *, 8> Worklist(successors(Branch));
  while (!Worklist.empty()) {
    BasicBlock *Block = Worklist.pop_back_val();
    if (Block != In.Join && Block != Header && Body.contains(Block) &&
        In.Blocks.insert(Block))
      append_range(Worklist, successors(Block));
  }
  return In;
}

/// Takes \p Branch for one that iterations take differently.
void Divergence::spread(BasicBlock *Branch) {
  Influence In = influenceOf(Branch);
  const auto Merge = [&](BasicBlock *Block) {
    for (PHINode &Phi : Block->phis())
      if (!Phi.hasConstantOrUndefValue())
        Varying.insert(&Phi);
  };
  for (BasicBlock *Block : In.Blocks) {
    Merge(Block);
    // Iterations leave loops at different times.
    for (Instruction &I : *Block)
      if (any_of(I.users(), [&](User *U) {
            return !In.Blocks.contains(cast<Instruction>(U)->getParent());
          }))
        Varying.insert(&I);
  }
  if (In.Join)
    Merge(In.Join);
  Branches.insert({Branch, std::move(In)});
}

Divergence::Divergence(const BlockSet &Body, const BasicBlock *Header,
                       const PostDominatorTree &PDT,
                       function_ref<bool(const Instruction &)> Differs)
    : Body(Body), Header(Header), PDT(PDT) {
  const auto IsVarying = [&](const Instruction &I) {
    return any_of(I.operands(),
                  [&](const Use &U) { return Varying.contains(U); }) ||
           Differs(I);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Body) {
      for (Instruction &I : *Block)
        if (!Varying.contains(&I) && !I.isTerminator() && IsVarying(I))
          Changed |= Varying.insert(&I).second;
      const Instruction *End = Block->getTerminator();
      if (End->getNumSuccessors() > 1 && !Branches.contains(Block) &&
          IsVarying(*End)) {
        spread(Block);
        Changed = true;
      }
    }
  }
}

bool Divergence::isDivergent(BasicBlock *Block) const {
  return any_of(Branches, [&](const auto &Branch) {
    return Branch.second.Blocks.contains(Block);
  });
}

} // namespace accx::affine
