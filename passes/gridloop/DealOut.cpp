//===- DealOut.cpp - Who runs which iteration of a loop -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites the control of one worksharing loop. GridLoop.cpp uses it for pairs
// of loops and `grid-nest` for the loops of a nest, so that it knows of
// neither.
//
//===----------------------------------------------------------------------===//

#include "gridloop/DealOut.h"

#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::gridloop {

void jumpAfter(Instruction &Before, BasicBlock *To) {
  BasicBlock *Block = Before.getParent();
  SplitBlock(Block, std::next(Before.getIterator()));
  Block->getTerminator()->eraseFromParent();
  BranchInst::Create(To, Block);
}

Value *lastIteration(IRBuilderBase &B, const WorkLoop &W) {
  Value *End = B.CreateLoad(W.Upper->getAllocatedType(), W.Upper, "last");
  return B.CreateIntCast(End, B.getInt64Ty(), !W.IsUnsigned);
}

/// A team's flag is the same as the thread's: in an SPMD kernel each thread has
/// its own copy of what the region hands out.
void storeLast(IRBuilderBase &B, const WorkLoop &W, const gpu::GridShape &Grid,
               Value *Last) {
  Value *IsLast =
      B.CreateICmpEQ(Grid.Position, B.CreateURem(Last, Grid.Size), "is.last");
  B.CreateStore(B.CreateZExt(IsLast, W.Last->getAllocatedType()), W.Last);
}

void control(const WorkLoop &W, Instruction &Behind, const Dealing &How,
             function_ref<Value *(IRBuilderBase &, Value *)> Own,
             ArrayRef<MDNode *> Options) {
  // The increment that was at an iteration's end is dead.
  for (User *U : make_early_inc_range(W.Counter->users()))
    if (auto *Store = dyn_cast<StoreInst>(U))
      Store->eraseFromParent();
  BasicBlock *Before = Behind.getParent();
  jumpAfter(Behind, W.Header);
  auto *Branch = cast<BranchInst>(W.Header->getTerminator());
  Branch->setSuccessor(0, W.Body);
  Branch->setSuccessor(1, W.Exit);
  // Other ways into the header are unreachable by now.
  removeUnreachableBlocks(*Before->getParent());

  IRBuilder<> B(W.Header, W.Header->begin());
  PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, Twine(How.Name) + ".iv");
  Counter->addIncoming(How.Start, Before);
  B.SetInsertPoint(Branch);
  Branch->setCondition(B.CreateICmpULT(Counter, How.Trip));
  B.SetInsertPoint(W.Body, W.Body->getFirstInsertionPt());
  B.CreateStore(Own(B, Counter), W.Counter);
  Instruction *End = W.Latch->getTerminator();
  B.SetInsertPoint(End);
  Counter->addIncoming(B.CreateAdd(Counter, How.Step, Twine(How.Name) + ".next",
                                   /*HasNUW=*/true, How.HasNSW),
                       W.Latch);
  ir::renewLoop(*End, {}, Options);
}

void dealOut(const WorkLoop &W, const gpu::GridShape &Grid, bool MayInterleave,
             ArrayRef<StringRef> Marks) {
  IRBuilder<> B(W.Init);
  Type *Int = W.Counter->getAllocatedType();
  const unsigned Bits = Int->getIntegerBitWidth() - (W.IsUnsigned ? 0 : 1);
  Value *Last = lastIteration(B, W);
  Value *Trip = B.CreateAdd(Last, B.getInt64(1), "trip");
  if (!W.IsUnsigned)
    Trip = B.CreateSelect(B.CreateICmpSLT(Last, B.getInt64(0)), B.getInt64(0),
                          Trip);
  if (W.readsLast())
    storeLast(B, W, Grid, Last);

  SmallVector<MDNode *, 2> Options{
      gridLoopMark(B.getContext(), Bits, MayInterleave)};
  for (StringRef Mark : Marks)
    Options.push_back(ir::loopOption(B.getContext(), Mark));
  // Beyond the last iteration by less than 2^42.
  const Dealing How = {Grid.Position, Grid.Size, Trip, "grid", Bits < 64};
  control(
      W, *W.Init, How,
      [&](IRBuilderBase &B, Value *Counter) {
        if (W.Is64)
          return Counter;
        // The trip count fits the loop's own type, a signed one its lower half.
        // InstCombine of LLVM 19 drops extensions of a truncated value for what
        // is assumed, not for flags of the truncation.
        B.CreateAssumption(
            B.CreateICmpULT(Counter, B.getInt64(uint64_t(1) << Bits)));
        return B.CreateTrunc(Counter, Int);
      },
      Options);
  W.Init->eraseFromParent();
}

} // namespace accx::gridloop
