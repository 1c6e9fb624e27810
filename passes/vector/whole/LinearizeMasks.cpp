//===- LinearizeMasks.cpp - Masks of blocks, and guards -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each block its mask (Linearize.h), and finds those that must not be
// executed without lanes, or are not worth it.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Linearizer.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace accx::vector {

/// What a guard costs, in simple operations.
static constexpr unsigned GuardCost = 16;

bool Linearizer::isDivergent(const Region &R) const {
  return R.Cycle && Ways.isDivergent(R.Cycle);
}

void Linearizer::assignMasks(Region &R) {
  for (unsigned I = 0; I != R.end(); ++I) {
    BasicBlock *B = R.Nodes[I].Entry;
    if (I == 0) {
      assignHeader(R, B);
      continue;
    }
    // Loops are entered from their preheader alone.
    if (R.Nodes[I].Inner)
      continue;
    // All lanes of a dominating node that this one post-dominates get here.
    unsigned D = I;
    bool Same = false;
    while (D != 0 && !Same) {
      D = R.Nodes[D].Dominator;
      Same = !R.Nodes[D].Inner && postDominates(R, I, D);
    }
    if (Same) {
      BasicBlock *Other = R.Nodes[D].Entry;
      MaskOf[B] = MaskOf[Other];
      Root[B] = Root[Other];
      continue;
    }
    makeMaskSlot(B);
    reset(MaskSlot[B], ConstantInt::getFalse(Context), B);
  }
}

void Linearizer::makeMaskSlot(BasicBlock *B) {
  AllocaInst *Slot = makeSlot(Type::getInt1Ty(Context), "mask.slot");
  MaskSlot[B] = Slot;
  Root[B] = B;
  MaskOf[B] = new LoadInst(Slot->getAllocatedType(), Slot, "mask",
                           B->getFirstInsertionPt());
}

void Linearizer::assignHeader(const Region &R, BasicBlock *Header) {
  if (!R.Cycle) {
    MaskOf[Header] = EntryMask;
    Root[Header] = Header;
  } else if (!isDivergent(R)) {
    BasicBlock *Before = R.Cycle->getLoopPreheader();
    MaskOf[Header] = MaskOf[Before];
    Root[Header] = Root[Before];
  } else {
    makeMaskSlot(Header);
    NextSlot[R.Cycle] = makeSlot(Type::getInt1Ty(Context), "next.slot");
    new StoreInst(ConstantInt::getFalse(Context), NextSlot[R.Cycle],
                  Header->getFirstInsertionPt());
    Tail[R.Cycle] =
        BasicBlock::Create(Context, Header->getName() + ".tail", &F);
  }
}

bool Linearizer::postDominates(const Region &R, unsigned Later,
                               unsigned Earlier) {
  while (Earlier < Later)
    Earlier = R.Nodes[Earlier].PostDominator;
  return Earlier == Later;
}

/// What it costs to execute the block for nothing; more than a guard if it
/// is not allowed.
unsigned Linearizer::costOf(BasicBlock &B) const {
  if (const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
      !Branch || (Branch->isConditional() && !isLinear(&B)))
    return GuardCost + 1;
  unsigned Cost = 0;
  for (const Instruction &I : B) {
    const Value *Address = getLoadStorePointerOperand(&I);
    if (Address && !I.isAtomic() && !I.isVolatile()) {
      if (Shapes.isUniform(Address))
        return GuardCost + 1;
      Cost += Shapes.of(Address).isStrided() ? 2 : 8;
    } else if (isa<CallBase>(I)) {
      Cost += isSafeToSpeculativelyExecute(&I) ? 2 : GuardCost + 1;
    } else if (I.mayReadOrWriteMemory()) {
      return GuardCost + 1;
    } else if (I.isIntDivRem()) {
      if (Shapes.isUniform(&I))
        return GuardCost + 1;
      Cost += 8;
    } else {
      Cost += I.isTerminator() || isa<PHINode>(I) ? 0 : 1;
    }
  }
  return Cost;
}

void Linearizer::findUnsafe() {
  for (BasicBlock &B : F)
    if (Root.contains(&B) && costOf(B) > GuardCost)
      Unsafe.insert(Root[&B]);
  for (const auto &R : All.all())
    if (R->Cycle)
      Unsafe.insert(Root[R->Cycle->getLoopPreheader()]);
}

} // namespace accx::vector
