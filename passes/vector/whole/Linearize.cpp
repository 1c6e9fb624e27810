//===- Linearize.cpp - Divergent control flow into masks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of Linearize.h in their order: what the control flow was, slots,
// and values in their place again.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Linearizer.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace accx::vector {

Linearizer::Linearizer(Function &F, Value *EntryMask, const Regions &All,
                       const Divergence &Ways, const LaneShapes &Shapes)
    : F(F), Context(F.getContext()), EntryMask(EntryMask), All(All), Ways(Ways),
      Shapes(Shapes),
      Any(F.getParent()->getOrInsertFunction(AnyLane, Type::getInt1Ty(Context),
                                             Type::getInt1Ty(Context))) {
  auto *Callee = cast<Function>(Any.getCallee());
  Callee->setDoesNotAccessMemory();
  Callee->setDoesNotThrow();
  Callee->setWillReturn();
}

StringRef Linearizer::run(BlockMasks &Masks) {
  const SmallVector<BasicBlock *, 32> Blocks(make_pointer_range(F));
  remember(Blocks);
  for (const auto &R : All.all())
    assignMasks(*R);
  findUnsafe();
  makePhiSlots(Blocks);
  for (BasicBlock *B : Blocks)
    writeEdges(B);
  // Inner loops first: they are nodes of the outer ones.
  for (const auto &R : reverse(All.all()))
    connect(*R);
  if (!Failure.empty())
    return Failure;
  readPhis();
  for (auto &[B, Mask] : MaskOf)
    Masks[B] = Mask;
  promote();
  return {};
}

/// What the control flow was before it changes.
void Linearizer::remember(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *B : Blocks)
    if (Ways.isDivergentBranch(B) || leavesDivergentLoop(B))
      Linear.insert(B);
  for (const auto &R : All.all())
    if (R->Cycle) {
      Latches[R->Cycle] = R->Cycle->getLoopLatch();
      R->Cycle->getUniqueExitBlocks(Exits[R->Cycle]);
    }
}

bool Linearizer::leavesDivergentLoop(const BasicBlock *B) const {
  const Loop *L = All.loops().getLoopFor(B);
  return L && Ways.isDivergent(L) &&
         any_of(successors(B),
                [&](const BasicBlock *S) { return !L->contains(S); });
}

AllocaInst *Linearizer::makeSlot(Type *Ty, const Twine &Name) {
  auto *Slot = new AllocaInst(Ty, 0, Name, F.getEntryBlock().begin());
  Slots.push_back(Slot);
  return Slot;
}

/// Gives the slot its value for lanes that do not come, in the region.
void Linearizer::reset(AllocaInst *Slot, Value *Neutral,
                       const BasicBlock *For) {
  const Region &R = All.around(For);
  if (!R.Cycle) {
    new StoreInst(Neutral, Slot, std::next(Slot->getIterator()));
    return;
  }
  BasicBlock *Header = R.Cycle->getHeader();
  new StoreInst(Neutral, Slot, Header->getFirstInsertionPt());
}

void Linearizer::readPhis() {
  for (auto &[Phi, Slot] : PhiSlot) {
    BasicBlock *B = Phi->getParent();
    const Loop *L = All.loops().getLoopFor(B);
    if (L && L->getHeader() == B)
      continue;
    auto *Value = new LoadInst(Phi->getType(), Slot, Phi->getName(),
                               B->getFirstInsertionPt());
    Phi->replaceAllUsesWith(Value);
    Phi->eraseFromParent();
  }
}

void Linearizer::promote() {
  DominatorTree DT(F);
  PromoteMemToReg(Slots, DT);
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &B : F)
      for (Instruction &I : make_early_inc_range(B)) {
        // Masks stay, used or not.
        if (!I.hasValueHandle() && isInstructionTriviallyDead(&I)) {
          I.eraseFromParent();
          Changed = true;
          continue;
        }
        Value *Simple =
            I.use_empty() ? nullptr : simplifyInstruction(&I, {Layout, &I});
        if (!Simple || Simple == &I)
          continue;
        I.replaceAllUsesWith(Simple);
        Changed = true;
      }
  }
}

StringRef linearize(Function &F, Value *Mask, const Regions &All,
                    const Divergence &Ways, const LaneShapes &Shapes,
                    BlockMasks &Masks) {
  return Linearizer(F, Mask, All, Ways, Shapes).run(Masks);
}

} // namespace accx::vector
