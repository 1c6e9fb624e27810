//===- Divergence.cpp - What work-items of a block agree on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes which values and branches work-items may find different, by
// spreading from places, loads and calls to what depends on them. It only
// looks; what follows for stops is decided in Plan.cpp.
//
//===----------------------------------------------------------------------===//

#include "workitems/Divergence.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::workitems {

bool Divergence::differs(const Instruction &I,
                         const DenseSet<const Value *> &Shared) const {
  if (any_of(I.operands(), [&](const Use &U) { return Varying.contains(U); }))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return !Shared.contains(Load->getPointerOperand()) &&
           !Load->hasMetadata(LLVMContext::MD_invariant_load);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return !Call->doesNotAccessMemory() || Call->isConvergent();
  return I.mayReadFromMemory();
}

/// Takes \p Branch for one that work-items take differently. Returns whether
/// anything changed.
bool Divergence::spread(BasicBlock *Branch) {
  if (Branches.contains(Branch))
    return false;
  Influence In;
  const DomTreeNode *Node = PDT.getNode(Branch);
  if (Node && Node->getIDom())
    In.Join = Node->getIDom()->getBlock();
  SmallVector<BasicBlock *, 8> Worklist(successors(Branch));
  while (!Worklist.empty()) {
    BasicBlock *Block = Worklist.pop_back_val();
    if (Block == In.Join || !Body.contains(Block) || !In.Blocks.insert(Block))
      continue;
    append_range(Worklist, successors(Block));
  }
  const auto Merge = [&](BasicBlock *Block) {
    for (PHINode &Phi : Block->phis())
      Varying.insert(&Phi);
  };
  for (BasicBlock *Block : In.Blocks) {
    Merge(Block);
    // Work-items leave loops at different times.
    for (Instruction &I : *Block)
      if (any_of(I.users(), [&](User *U) {
            return !In.Blocks.contains(cast<Instruction>(U)->getParent());
          }))
        Varying.insert(&I);
  }
  if (In.Join)
    Merge(In.Join);
  Branches.insert({Branch, std::move(In)});
  return true;
}

Divergence::Divergence(const BlockSet &Body, const PostDominatorTree &PDT,
                       const DenseSet<const Value *> &Shared)
    : Body(Body), PDT(PDT) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Body) {
      for (Instruction &I : *Block)
        if (!Varying.contains(&I) && !I.isTerminator() && differs(I, Shared))
          Changed |= Varying.insert(&I).second;
      const Instruction *End = Block->getTerminator();
      if (End->getNumSuccessors() > 1 &&
          any_of(End->operands(),
                 [&](const Use &U) { return Varying.contains(U); }))
        Changed |= spread(Block);
    }
  }
}

bool Divergence::isDivergent(BasicBlock *Block) const {
  return any_of(Branches, [&](const auto &Branch) {
    return Branch.second.Blocks.contains(Block);
  });
}

} // namespace accx::workitems
