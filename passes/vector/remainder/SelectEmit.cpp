//===- SelectEmit.cpp - Loops that remember an iteration ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of Select.h around their vectors, and what the chosen iteration
// gives behind them.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"
#include "vector/remainder/Masks.h"
#include "vector/remainder/SelectEmitter.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::vector {

/// Turns of the main loop that are worth it.
static constexpr unsigned FewestTurns = 4;

/// Nothing is to be made of a vector loop any more.
static void keepLoop(BranchInst *Latch) {
  LLVMContext &C = Latch->getContext();
  Constant *One = ConstantInt::get(Type::getInt32Ty(C), 1);
  ir::renewLoop(*Latch, {},
                {ir::loopOption(C, "llvm.loop.isvectorized", One),
                 ir::loopOption(C, "llvm.loop.unroll.disable", One)});
}

void SelectEmitter::emitMain() {
  unsigned Width = Select.Lanes * Select.Interleave;
  const Chain First = Initial = start();
  BasicBlock *Entry = Builder.GetInsertBlock();
  BasicBlock *Body = newBlock("select.main"), *After = newBlock("select.merge"),
             *Join = newBlock("select.rest");
  Value *Whole = Builder.CreateAnd(Trips, Builder.getInt64(-uint64_t(Width)));
  // To merge lanes costs as much as a few vectors one after the other.
  Builder.CreateCondBr(
      Builder.CreateICmpUGE(Trips, Builder.getInt64(FewestTurns * Width)), Body,
      Join);

  Builder.SetInsertPoint(Body);
  auto Carry = [&](Value *V) {
    PHINode *Phi = Builder.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, Entry);
    return Phi;
  };
  PHINode *At = Carry(Builder.getInt64(0));
  PHINode *Numbers = Carry(numbers());
  SmallVector<Chain, 4> Before, Next;
  for (unsigned U = 0; U < Select.Interleave; ++U) {
    Value *Remembered = Carry(First.At);
    Before.push_back({Remembered, First.Best ? Carry(First.Best) : nullptr});
  }
  for (unsigned U = 0; U < Select.Interleave; ++U) {
    Value *Offset = Builder.getInt64(U * Select.Lanes);
    Value *Own =
        Builder.CreateAdd(Numbers, splat(Builder.getInt32(U * Select.Lanes)));
    Next.push_back(
        step(Before[U], Builder.CreateAdd(At, Offset), Own, nullptr));
    cast<PHINode>(Before[U].At)->addIncoming(Next[U].At, Body);
    if (First.Best)
      cast<PHINode>(Before[U].Best)->addIncoming(Next[U].Best, Body);
  }
  Value *Following = Builder.CreateAdd(At, Builder.getInt64(Width));
  At->addIncoming(Following, Body);
  Value *Others = Builder.CreateAdd(Numbers, splat(Builder.getInt32(Width)));
  Numbers->addIncoming(Others, Body);
  keepLoop(Builder.CreateCondBr(Builder.CreateICmpEQ(Following, Whole), After,
                                Body));

  Builder.SetInsertPoint(After);
  for (; Next.size() > 1; Next.resize(Next.size() / 2))
    for (size_t U = 0; U < Next.size() / 2; ++U)
      Next[U] = merge(Next[U], Next[U + Next.size() / 2]);
  Builder.CreateBr(Join);

  Builder.SetInsertPoint(Join);
  PHINode *Passed = Builder.CreatePHI(Whole->getType(), 2);
  Passed->addIncoming(Builder.getInt64(0), Entry);
  Passed->addIncoming(Whole, After);
  Done = Passed;
  PHINode *Left = Builder.CreatePHI(Others->getType(), 2);
  Left->addIncoming(numbers(), Entry);
  Left->addIncoming(Others, After);
  LeftNumbers = Left;
  Now = meet(Entry, First, After, Next[0]);
}

/// Meets after a block that may be skipped: \p Skipped comes from \p Entry,
/// \p Passed from \p Body.
SelectEmitter::Chain SelectEmitter::meet(BasicBlock *Entry,
                                         const Chain &Skipped, BasicBlock *Body,
                                         const Chain &Passed) {
  auto Meet = [&](Value *X, Value *Y) {
    PHINode *Phi = Builder.CreatePHI(X->getType(), 2);
    Phi->addIncoming(X, Entry);
    Phi->addIncoming(Y, Body);
    return Phi;
  };
  Value *At = Meet(Skipped.At, Passed.At);
  return {At, Skipped.Best ? Meet(Skipped.Best, Passed.Best) : nullptr};
}

/// Whole vectors, one a turn.
void SelectEmitter::emitPlain() {
  Value *Whole =
      Builder.CreateAnd(Trips, Builder.getInt64(-uint64_t(Select.Lanes)));
  BasicBlock *Entry = Builder.GetInsertBlock();
  BasicBlock *Body = newBlock("select.plain"), *After = newBlock("select.tail");
  Builder.CreateCondBr(Builder.CreateICmpULT(Done, Whole), Body, After);
  Builder.SetInsertPoint(Body);
  auto Carry = [&](Value *V) {
    PHINode *Phi = Builder.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, Entry);
    return Phi;
  };
  PHINode *At = Carry(Done);
  PHINode *Numbers = Carry(LeftNumbers);
  PHINode *Remembered = Carry(Now.At);
  PHINode *Best = Now.Best ? Carry(Now.Best) : nullptr;
  Chain Next = step({Remembered, Best}, At, Numbers, nullptr);
  Value *Following = Builder.CreateAdd(At, Builder.getInt64(Select.Lanes));
  Value *Others =
      Builder.CreateAdd(Numbers, splat(Builder.getInt32(Select.Lanes)));
  At->addIncoming(Following, Body);
  Numbers->addIncoming(Others, Body);
  Remembered->addIncoming(Next.At, Body);
  if (Best)
    Best->addIncoming(Next.Best, Body);
  keepLoop(Builder.CreateCondBr(Builder.CreateICmpULT(Following, Whole), Body,
                                After));

  Builder.SetInsertPoint(After);
  PHINode *Left = Builder.CreatePHI(Others->getType(), 2);
  Left->addIncoming(LeftNumbers, Entry);
  Left->addIncoming(Others, Body);
  Now = meet(Entry, Now, Body, Next);
  Done = Whole;
  LeftNumbers = Left;
}

/// What fills no vector.
void SelectEmitter::emitMasked() {
  Value *Left = Builder.CreateAnd(Trips, Builder.getInt64(Select.Lanes - 1));
  BasicBlock *Entry = Builder.GetInsertBlock();
  BasicBlock *Body = newBlock("select.masked"), *After = newBlock("select.end");
  Builder.CreateCondBr(Builder.CreateICmpNE(Left, Builder.getInt64(0)), Body,
                       After);
  Builder.SetInsertPoint(Body);
  Value *Mask = createPrefixMask(Builder, Left, Select.Lanes, Select.Bits,
                                 Select.MaskRegisters);
  Chain Next = step(Now, Done, LeftNumbers, Mask);
  Builder.CreateBr(After);
  Builder.SetInsertPoint(After);
  Now = meet(Entry, Now, Body, Next);
}

/// Whether the lanes' value is the chosen iteration's: zeros of different signs
/// compare as equal.
bool SelectEmitter::isExact() const {
  auto *Next = cast<Instruction>(
      Select.Best->getIncomingValueForBlock(L.getLoopLatch()));
  return !CmpInst::isFPPredicate(Select.Better) || Next->hasNoSignedZeros();
}

/// Whether the lanes' value is right where none has chosen anything.
bool SelectEmitter::isNumber() const {
  return !CmpInst::isFPPredicate(Select.Better) ||
         cast<Instruction>(Select.Condition)->hasNoNaNs();
}

/// What \p V is in iteration \p At.
Value *SelectEmitter::recompute(Value *V, Value *At, Widened &Known) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  Value *Made = nullptr;
  if (isa<PHINode>(I)) {
    const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(I));
    // The expander would look for what to use again in blocks that its analyses
    // do not know.
    Value *Step = Expander.expandCodeFor(Rec->getStepRecurrence(SE), nullptr,
                                         Preheader->getTerminator());
    Value *Distance =
        Builder.CreateMul(Builder.CreateZExtOrTrunc(At, Step->getType()), Step);
    Made = V->getType()->isPointerTy()
               ? Builder.CreatePtrAdd(Starts[I], Distance)
               : Builder.CreateAdd(Starts[I], Distance);
  } else {
    Instruction *Copy = I->clone();
    for (Use &Operand : Copy->operands())
      Operand.set(recompute(Operand, At, Known));
    Made = Builder.Insert(Copy);
  }
  Known[V] = Made;
  return Made;
}

void SelectEmitter::emitFound(Value *At) {
  BasicBlock *Entry = Builder.GetInsertBlock();
  BasicBlock *Found = newBlock("select.found"), *Out = newBlock("select.done");
  // Only what is no number leaves no lane to agree with.
  Value *None = Builder.getInt32(0);
  Builder.CreateCondBr(Best && !isNumber() ? Builder.CreateICmpSGT(At, None)
                                           : Builder.CreateICmpNE(At, None),
                       Found, Out);
  Builder.SetInsertPoint(Found);
  Value *Wide = Builder.CreateSub(Builder.CreateZExt(At, Builder.getInt64Ty()),
                                  Builder.getInt64(1), "",
                                  /*HasNUW=*/true, /*HasNSW=*/true);
  Widened Known;
  if (Best && isExact())
    Known[Select.Compared] = Best;
  SmallVector<Value *, 2> Chosen;
  for (const SelectPlan::Update &Update : Select.Updates)
    Chosen.push_back(recompute(Update.Chosen, Wide, Known));
  for (StoreInst *Store : Select.Stores) {
    auto *Copy = cast<StoreInst>(Store->clone());
    Copy->setOperand(0, recompute(Store->getValueOperand(), Wide, Known));
    Builder.Insert(Copy);
  }
  Builder.CreateBr(Out);
  Builder.SetInsertPoint(Out);
  DenseMap<PHINode *, Value *> Finals;
  for (size_t Index = 0; Index < Chosen.size(); ++Index) {
    PHINode *Phi = Select.Updates[Index].Phi;
    PHINode *Final = Builder.CreatePHI(Phi->getType(), 2);
    Final->addIncoming(Phi->getIncomingValueForBlock(Preheader), Entry);
    Final->addIncoming(Chosen[Index], Found);
    Finals[Phi] = Phi == Select.Best && isExact() && isNumber() ? Best : Final;
  }
  for (const LiveOut &Live : Plan.LiveOuts) {
    Value *V = Live.value();
    if (Live.Is == LiveOut::Carried)
      V = Finals[Plan.Carried[Live.Index].Phi];
    else if (Live.Is == LiveOut::Closed)
      V = Expander.expandCodeFor(Live.After, Live.Phi->getType(),
                                 Preheader->getTerminator());
    Live.Phi->addIncoming(V, Out);
  }
  Builder.CreateBr(L.getExitBlock());
}

void SelectEmitter::emit() {
  Instruction *End = Preheader->getTerminator();
  Builder.SetCurrentDebugLocation(L.getStartLoc());
  Trips = Expander.expandCodeFor(Plan.TripCount, Builder.getInt64Ty(), End);
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (const SCEV *Start = consecutiveStart(L, SE, *Load);
            Start && SE.isLoopInvariant(Start, &L))
          Starts[Load] =
              Expander.expandCodeFor(Start, Load->getPointerOperandType(), End);
  for (const CarriedValue &Value : Plan.Carried)
    if (Value.Recurrence)
      Starts[Value.Phi] = Expander.expandCodeFor(
          cast<SCEVAddRecExpr>(Value.Recurrence)->getStart(),
          Value.Phi->getType(), End);

  BasicBlock *Entry = newBlock("select.entry");
  // Few iterations are not worth it, and numbers have 31 bits.
  constexpr uint64_t Most = 0x7fffff00;
  uint64_t Fewest = Select.fewest();
  Builder.SetInsertPoint(End);
  Value *Fits =
      Builder.CreateICmpULT(Builder.CreateSub(Trips, Builder.getInt64(Fewest)),
                            Builder.getInt64(Most));
  Builder.CreateCondBr(Fits, Entry, L.getHeader());
  End->eraseFromParent();
  // Expansions stay in front of the branch.
  Builder.SetInsertPoint(Entry);
  emitMain();
  emitPlain();
  emitMasked();
  Value *At = agree(Now);
  emitFound(At);
  addStringMetadataToLoop(&L, "llvm.loop.isvectorized", 1);
}

void emitSelect(Loop &L, ScalarEvolution &SE, const RemainderPlan &Plan,
                const SelectPlan &Select) {
  SelectEmitter(L, SE, Plan, Select).emit();
}

} // namespace accx::vector
