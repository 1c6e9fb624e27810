//===- SingleTurn.cpp - A copy for grids of a thread an iteration ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones a kernel's blocks from an instruction on, and takes the loop's back
// edge away in the clone.
//
//===----------------------------------------------------------------------===//

#include "gridtune/SingleTurn.h"

#include "ir/LoopCopy.h"
#include "offload/DeviceCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::gridtune {

/// Instructions from the guard on, of which a copy pays: of longer bodies a
/// thread's place is a small part.
static constexpr unsigned MaxInstructions = 96;

static SmallVector<BasicBlock *, 8> dominatedBy(BasicBlock &First,
                                                const DominatorTree &DT) {
  SmallVector<BasicBlock *, 8> Found;
  DT.getDescendants(&First, Found);
  return Found;
}

/// Threads of a block all take the one copy or all the other.
static bool mayHaveCopies(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  const StringRef Name = offload::calledName(I);
  return !Call->cannotDuplicate() &&
         ((isa<IntrinsicInst>(Call) && !Call->isConvergent()) ||
          Name == offload::TargetDeinit || Name == offload::DistributeFini ||
          Name == offload::ForFini);
}

bool isWorthSingleTurn(const gridloop::GridIv &Grid, const Instruction &Entry,
                       const DominatorTree &DT, const LoopInfo &Loops) {
  const Loop &L = *Grid.Nest;
  auto &First = const_cast<BasicBlock &>(*Entry.getParent());
  if (!L.isInnermost() || !L.getExitBlock() || Loops.getLoopFor(&First) ||
      Loops.getLoopsInPreorder().size() != 1)
    return false;
  unsigned Count = 0;
  for (const BasicBlock *Block : dominatedBy(First, DT))
    for (const Instruction &I : *Block) {
      if (Block == &First && I.comesBefore(&Entry))
        continue;
      if (isa<DbgInfoIntrinsic>(I))
        continue;
      if (++Count > MaxInstructions || !mayHaveCopies(I))
        return false;
    }
  return true;
}

/// Divides in 32 bits what is below 2^31: no divisor beyond 32 bits divides it,
/// nor does the largest one of 32 bits.
static void narrowDivisions(ArrayRef<BasicBlock *> Blocks,
                            const DataLayout &Layout) {
  const auto Fits = [&](const Value *V) {
    return computeKnownBits(V, Layout).countMinLeadingZeros() > 32;
  };
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : make_early_inc_range(*Block)) {
      const unsigned Code = I.getOpcode();
      const bool IsSigned =
          Code == Instruction::SDiv || Code == Instruction::SRem;
      const bool IsQuotient =
          Code == Instruction::UDiv || Code == Instruction::SDiv;
      if ((!IsSigned && !IsQuotient && Code != Instruction::URem) ||
          !I.getType()->isIntegerTy(64) || !Fits(I.getOperand(0)))
        continue;
      IRBuilder<> B(&I);
      Value *Divisor = I.getOperand(1);
      if (!Fits(Divisor)) {
        if (IsSigned)
          continue;
        Divisor = B.CreateBinaryIntrinsic(Intrinsic::umin, Divisor,
                                          B.getInt64(UINT32_MAX));
      }
      Divisor = B.CreateTrunc(Divisor, B.getInt32Ty());
      Value *Dividend = B.CreateTrunc(I.getOperand(0), B.getInt32Ty());
      Value *Narrow = IsQuotient ? B.CreateUDiv(Dividend, Divisor)
                                 : B.CreateURem(Dividend, Divisor);
      I.replaceAllUsesWith(B.CreateZExt(Narrow, I.getType(), "", true));
      I.eraseFromParent();
    }
}

void addSingleTurn(const gridloop::GridIv &Grid, Value *Trip,
                   Instruction &Entry, const DominatorTree &DT) {
  Function &F = *Entry.getFunction();
  BasicBlock *Latch = Grid.Nest->getLoopLatch();
  BasicBlock *Header = Grid.Nest->getHeader();
  BasicBlock *Exit = Grid.Nest->getExitBlock();
  BasicBlock *Before = Entry.getParent();
  SmallVector<BasicBlock *, 8> Blocks = dominatedBy(*Before, DT);
  BasicBlock *Usual = Before->splitBasicBlock(Entry.getIterator(), "usual");
  *find(Blocks, Before) = Usual;

  Instruction *Branch = Before->getTerminator();
  IRBuilder<> B(Branch);
  Value *IsSingle = B.CreateAnd(
      B.CreateICmpULE(Trip, Grid.Step),
      B.CreateICmpULT(Grid.Step, B.getInt64(uint64_t(1) << 31)), "is.single");

  BasicBlock *Enter = BasicBlock::Create(F.getContext(), "single", &F);
  B.SetInsertPoint(Enter);
  ValueToValueMapTy Map;
  Map[Grid.Start] = B.CreateZExt(B.CreateTrunc(Grid.Start, B.getInt32Ty()),
                                 Grid.Start->getType(), "number", true);
  const auto Copies = ir::copyBlocks(Blocks, Map, ".single");
  const auto CopyOf = [&](BasicBlock *Block) {
    const auto Found = Map.find(Block);
    return Found == Map.end() ? Block : cast<BasicBlock>(&*Found->second);
  };
  B.CreateBr(CopyOf(Usual));
  BasicBlock *End = CopyOf(Latch);
  CopyOf(Header)->removePredecessor(End);
  ReplaceInstWithInst(End->getTerminator(), BranchInst::Create(CopyOf(Exit)));
  B.SetInsertPoint(Branch);
  B.CreateCondBr(IsSingle, Enter, Usual);
  Branch->eraseFromParent();
  narrowDivisions(Copies, F.getDataLayout());
}

} // namespace accx::gridtune
