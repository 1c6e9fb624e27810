//===- Jam.cpp - Several iterations of a lane at a time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loop that loads four iterations ahead of their stores.
// EmitVector.cpp tries it on each vector loop that writes memory and reduces
// nothing.
//
//===----------------------------------------------------------------------===//

#include "lanes/Jam.h"

#include "ir/LoopCopy.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <array>

using namespace llvm;

namespace accx::lanes {

static constexpr unsigned Together = 4;

/// The first store of \p Body, if nothing speaks against loading first.
static Instruction *firstStore(BasicBlock &Body) {
  constexpr unsigned MaxInstructions = 64;
  Instruction *First = nullptr;
  if (Body.sizeWithoutDebug() > MaxInstructions)
    return nullptr;
  for (Instruction &I : Body) {
    if (I.isTerminator() || isa<DbgInfoIntrinsic>(I))
      continue;
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (Store  ? !Store->isSimple()
        : Load ? !Load->isSimple() || First
               : I.mayReadOrWriteMemory())
      return nullptr;
    // Lanes' own variables would be one and the same for all four.
    if (const Value *Pointer = getLoadStorePointerOperand(&I);
        Pointer && isa<AllocaInst>(getUnderlyingObject(Pointer, 0)))
      return nullptr;
    if (isa<PHINode, AllocaInst>(I))
      return nullptr;
    if (Store && !First)
      First = &I;
  }
  return First;
}

bool jam(Loop &L, PHINode &Lane, Value &Trip, unsigned Lanes) {
  BasicBlock *Header = L.getHeader();
  BasicBlock *Body = L.getLoopLatch();
  if (L.getNumBlocks() != 2 || Body == Header ||
      !hasSingleElement(Header->phis()))
    return false;
  // Beside the counter's own the header has nothing that lasts.
  for (const Instruction &I : *Header)
    if (I.mayReadOrWriteMemory())
      return false;
  Instruction *First = firstStore(*Body);
  if (!First)
    return false;

  BasicBlock *Before = L.getLoopPreheader();
  LLVMContext &C = Header->getContext();
  Function *F = Header->getParent();
  BasicBlock *Test = BasicBlock::Create(C, "lanes.four", F, Header);
  BasicBlock *Four = BasicBlock::Create(C, "lanes.four.body", F, Header);
  Type *Int = Lane.getType();
  IRBuilder<> B(Before->getTerminator());
  Constant *Ahead = ConstantInt::get(Int, uint64_t(Together - 1) * Lanes);
  Value *Enough = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, &Trip, Ahead);
  Before->getTerminator()->replaceSuccessorWith(Header, Test);

  B.SetInsertPoint(Test);
  PHINode *Counter = B.CreatePHI(Int, 2, "lane.iv");
  B.CreateCondBr(B.CreateICmpULT(Counter, Enough), Four, Header);
  B.SetInsertPoint(Four);
  std::array<ValueToValueMapTy, Together> Maps;
  for (unsigned I = 0; I < Together; ++I)
    Maps[I][&Lane] =
        I ? B.CreateAdd(Counter, ConstantInt::get(Int, uint64_t(I) * Lanes), "",
                        /*HasNUW=*/true)
          : static_cast<Value *>(Counter);
  const auto Copy = [&](BasicBlock::iterator It, BasicBlock::iterator End,
                        ValueToValueMapTy &Map) {
    for (Instruction &I : make_range(It, End)) {
      if (isa<DbgInfoIntrinsic>(I) || isa<PHINode>(I))
        continue;
      Instruction *New = B.Insert(I.clone());
      RemapInstruction(New, Map,
                       RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      Map[&I] = New;
    }
  };
  const auto End = Body->getTerminator()->getIterator();
  for (ValueToValueMapTy &Map : Maps) {
    Copy(Header->begin(), Header->getTerminator()->getIterator(), Map);
    Copy(Body->begin(), First->getIterator(), Map);
  }
  for (ValueToValueMapTy &Map : Maps)
    Copy(First->getIterator(), End, Map);
  Value *Next =
      B.CreateAdd(Counter, ConstantInt::get(Int, uint64_t(Together) * Lanes),
                  "", /*HasNUW=*/true);
  BranchInst *Back = B.CreateBr(Test);
  // Enough for one pass.
  ir::renewLoop(*Back, {}, ir::loopOption(C, "llvm.loop.unroll.disable"));

  Counter->addIncoming(Lane.getIncomingValueForBlock(Before), Before);
  Counter->addIncoming(Next, Four);
  Lane.setIncomingValueForBlock(Before, Counter);
  Lane.replaceIncomingBlockWith(Before, Test);
  return true;
}

} // namespace accx::lanes
