//===- SelectEmit.cpp - Loops that remember an iteration ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of Select.h around their vectors, and what the chosen iteration
// gives behind them.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"
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

/// Meets after a block that may be skipped: \p Skipped comes from \p Entry,
/// \p Passed from \p Body.
Value *SelectEmitter::meet(BasicBlock *Entry, Value *Skipped, BasicBlock *Body,
                           Value *Passed) {
  PHINode *Phi = Builder.CreatePHI(Skipped->getType(), 2);
  Phi->addIncoming(Skipped, Entry);
  Phi->addIncoming(Passed, Body);
  return Phi;
}

SelectEmitter::Chain SelectEmitter::meet(BasicBlock *Entry,
                                         const Chain &Skipped, BasicBlock *Body,
                                         const Chain &Passed) {
  Value *At = meet(Entry, Skipped.At, Body, Passed.At);
  return {At, Skipped.Best ? meet(Entry, Skipped.Best, Body, Passed.Best)
                           : nullptr};
}

/// Turns of \p Vectors vectors, each with lanes of its own, up to iteration
/// \p Whole if \p Goes.
void SelectEmitter::emitTurns(unsigned Vectors, const Twine &Name, Value *Whole,
                              Value *Goes) {
  BasicBlock *Entry = Builder.GetInsertBlock();
  BasicBlock *Body = newBlock(Name), *After = newBlock(Name + ".merge"),
             *Join = newBlock(Name + ".rest");
  Builder.CreateCondBr(Goes, Body, Join);

  Builder.SetInsertPoint(Body);
  auto Carry = [&](Value *V) {
    PHINode *Phi = Builder.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, Entry);
    return Phi;
  };
  PHINode *At = Carry(Done);
  PHINode *Numbers = Carry(LeftNumbers);
  SmallVector<Chain, 4> Before, Next;
  for (unsigned U = 0; U < Vectors; ++U) {
    Value *Remembered = Carry(Now.At);
    Before.push_back({Remembered, Now.Best ? Carry(Now.Best) : nullptr});
  }
  for (unsigned U = 0; U < Vectors; ++U) {
    Value *Offset = Builder.getInt64(U * Select.Lanes);
    Value *Own =
        Builder.CreateAdd(Numbers, splat(Builder.getInt32(U * Select.Lanes)));
    Next.push_back(
        step(Before[U], Builder.CreateAdd(At, Offset), Own, nullptr));
    cast<PHINode>(Before[U].At)->addIncoming(Next[U].At, Body);
    if (Now.Best)
      cast<PHINode>(Before[U].Best)->addIncoming(Next[U].Best, Body);
  }
  const unsigned Width = Vectors * Select.Lanes;
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
  // Of single vectors there are none left either way.
  Done = Vectors > 1 ? meet(Entry, Done, After, Whole) : Whole;
  LeftNumbers = meet(Entry, LeftNumbers, After, Others);
  Now = meet(Entry, Now, After, Next[0]);
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
  Now = Initial = start();
  Done = Builder.getInt64(0);
  LeftNumbers = numbers();
  const auto WholeOf = [&](unsigned Width) {
    return Builder.CreateAnd(Trips, Builder.getInt64(-uint64_t(Width)));
  };
  const unsigned Width = Select.Lanes * Select.Interleave;
  Value *Whole = WholeOf(Width);
  // To merge lanes costs as much as a few vectors one after the other.
  emitTurns(
      Select.Interleave, "select.main", Whole,
      Builder.CreateICmpUGE(Trips, Builder.getInt64(FewestTurns * Width)));
  Whole = WholeOf(Select.Lanes);
  emitTurns(1, "select.plain", Whole, Builder.CreateICmpULT(Done, Whole));
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
