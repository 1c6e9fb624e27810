//===- LinearizeEdges.cpp - What goes over edges --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the slots of masks and of phis on the edges of Linearize.h's blocks.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Linearizer.h"

#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace accx::vector {

/// Header phis of loops whose lanes stay together remain phis.
bool Linearizer::keepsPhis(const BasicBlock *B) const {
  const Loop *L = All.loops().getLoopFor(B);
  return L && L->getHeader() == B && !Ways.isDivergent(L);
}

void Linearizer::makePhiSlots(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *B : Blocks) {
    if (keepsPhis(B))
      continue;
    // A header's slot is read in the tail, for the next iteration.
    for (PHINode &Phi : B->phis()) {
      PhiSlot[&Phi] = makeSlot(Phi.getType(), Phi.getName() + ".slot");
      reset(PhiSlot[&Phi], PoisonValue::get(Phi.getType()), B);
    }
  }
}

/// Whether the edge leads back to, or out of, the innermost loop around it.
bool Linearizer::isBackEdge(const Loop *L, const BasicBlock *To) {
  return L && L->getHeader() == To;
}

bool Linearizer::isFull(const Value *Mask) const {
  const auto *C = dyn_cast<ConstantInt>(Mask);
  return C && C->isOne();
}

/// Records that the lanes of `EdgeMask` go from `From` to `To`.
void Linearizer::writeEdge(IRBuilder<> &Builder, BasicBlock *From,
                           BasicBlock *To, Value *EdgeMask) {
  const Loop *L = All.loops().getLoopFor(From);
  const bool Back = isBackEdge(L, To);
  const Loop *ToLoop = All.loops().getLoopFor(To);
  const bool Enters = !Back && ToLoop && ToLoop->getHeader() == To;
  if (Back && !Ways.isDivergent(L))
    return;
  if (Back || Enters) {
    if (AllocaInst *Slot = Back ? NextSlot[L] : MaskSlot.lookup(To))
      Builder.CreateStore(EdgeMask, Slot);
  } else if (AllocaInst *Slot = MaskSlot.lookup(To)) {
    Value *Old = Builder.CreateLoad(Builder.getInt1Ty(), Slot);
    Builder.CreateStore(Builder.CreateOr(Old, EdgeMask), Slot);
  }
  // The first value of a header's phi stays at the phi.
  if (Enters)
    return;
  for (PHINode &Phi : To->phis()) {
    AllocaInst *Slot = PhiSlot.lookup(&Phi);
    if (!Slot)
      continue;
    Value *New = Phi.getIncomingValueForBlock(From);
    if (!Back && !Shapes.isUniform(&Phi))
      New = Builder.CreateSelect(EdgeMask, New,
                                 Builder.CreateLoad(Phi.getType(), Slot));
    Builder.CreateStore(New, Slot);
  }
}

void Linearizer::writeEdges(BasicBlock *B) {
  auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
  if (!Branch)
    return;
  Value *Mask = MaskOf[B];
  if (!Branch->isConditional()) {
    IRBuilder<> Builder(Branch);
    writeEdge(Builder, B, Branch->getSuccessor(0), Mask);
    return;
  }
  if (isLinear(B)) {
    IRBuilder<> Builder(Branch);
    Value *Condition = Branch->getCondition();
    Value *Not = nullptr;
    if (isFull(Mask)) {
      Not = Builder.CreateNot(Condition);
    } else {
      // Lanes that are not here may have computed poison.
      Condition = Builder.CreateFreeze(Condition);
      Not = Builder.CreateAnd(Mask, Builder.CreateNot(Condition));
      Condition = Builder.CreateAnd(Mask, Condition);
    }
    writeEdge(Builder, B, Branch->getSuccessor(0), Condition);
    writeEdge(Builder, B, Branch->getSuccessor(1), Not);
    return;
  }
  // Only one way is taken: what belongs to it goes on the edge.
  const Loop *L = All.loops().getLoopFor(B);
  for (unsigned I = 0; I != 2; ++I) {
    BasicBlock *To = Branch->getSuccessor(I);
    if (isBackEdge(L, To))
      continue;
    BasicBlock *Edge = BasicBlock::Create(Context, B->getName() + ".edge", &F);
    IRBuilder<> Builder(Edge);
    writeEdge(Builder, B, To, Mask);
    Builder.CreateBr(To);
    Branch->setSuccessor(I, Edge);
    for (PHINode &Phi : To->phis())
      if (!PhiSlot.contains(&Phi))
        Phi.replaceIncomingBlockWith(B, Edge);
    SplitEdges[B].push_back(Edge);
  }
}

} // namespace accx::vector
