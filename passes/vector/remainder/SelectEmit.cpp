//===- SelectEmit.cpp - Loops that remember an iteration ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of Select.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Select.h"

#include "vector/remainder/Masks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <numeric>

using namespace llvm;

namespace accx::vector {

namespace {
class Emitter {
public:
  Emitter(Loop &L, ScalarEvolution &SE, const RemainderPlan &Plan,
          const SelectPlan &Select)
      : L(L), SE(SE), Plan(Plan), Select(Select),
        Preheader(L.getLoopPreheader()),
        Expander(SE, Preheader->getDataLayout(), "select"),
        Builder(Preheader->getTerminator()) {}

  void emit();

private:
  /// What a vector's lanes remember: the iteration, counted from one, or zero,
  /// and the best so far. Processors make zeros without waiting for what was in
  /// the register before; for other constants of 512 bits they wait, and so
  /// would a call for the one before it.
  struct Chain {
    Value *At;
    Value *Best;
  };
  using Widened = DenseMap<Value *, Value *>;

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(L.getHeader()->getContext(), Name,
                              L.getHeader()->getParent(), L.getHeader());
  }
  Value *splat(Value *V) { return Builder.CreateVectorSplat(Select.Lanes, V); }
  Value *numbers();
  Value *widen(Value *V, Value *Done, Value *Numbers, Value *Mask,
               Widened &Known);
  Value *widenLoad(LoadInst &Load, Value *Done, Value *Mask);
  Chain step(const Chain &Before, Value *Done, Value *Numbers, Value *Mask);
  Chain merge(const Chain &X, const Chain &Y);
  Value *reduce(Value *Vector, CmpInst::Predicate Better);
  Value *agree(const Chain &Last);
  bool isExact() const;
  bool isNumber() const;
  Value *isBetter(Value *X, Value *Y, CmpInst::Predicate How) {
    return Builder.CreateCmp(How, X, Y);
  }
  CmpInst::Predicate strictly() const {
    return CmpInst::getStrictPredicate(Select.Better);
  }
  bool isStrict() const {
    return Select.Best && CmpInst::isStrictPredicate(Select.Better);
  }
  void emitMain();
  void emitPlain();
  void emitMasked();
  Chain meet(BasicBlock *Entry, const Chain &Skipped, BasicBlock *Body,
             const Chain &Passed);
  void emitFound(Value *At);
  Value *recompute(Value *V, Value *At, Widened &Known);
  Chain start();

  Loop &L;
  ScalarEvolution &SE;
  const RemainderPlan &Plan;
  const SelectPlan &Select;
  BasicBlock *Preheader;
  SCEVExpander Expander;
  IRBuilder<> Builder;
  Value *Trips = nullptr;
  /// Base addresses and starts of inductions, in front of all.
  DenseMap<Value *, Value *> Starts;
  Chain Initial = {nullptr, nullptr};
  Chain Now = {nullptr, nullptr};
  /// What the lanes agree on, of the kind "best".
  Value *Best = nullptr;
  /// What the parts so far have done, and the numbers behind that.
  Value *Done = nullptr;
  Value *LeftNumbers = nullptr;
};
} // namespace

/// Numbers of the first vector's iterations.
Value *Emitter::numbers() {
  SmallVector<Constant *, 16> Lanes;
  for (unsigned Lane = 0; Lane < Select.Lanes; ++Lane)
    Lanes.push_back(Builder.getInt32(1 + Lane));
  return ConstantVector::get(Lanes);
}

Value *Emitter::widenLoad(LoadInst &Load, Value *From, Value *Mask) {
  auto *Ty = FixedVectorType::get(Load.getType(), Select.Lanes);
  auto Size = Load.getDataLayout().getTypeStoreSize(Load.getType());
  Value *Address = Builder.CreatePtrAdd(
      Starts[&Load],
      Builder.CreateMul(From, Builder.getInt64(Size.getFixedValue())));
  Value *Rest =
      &Load == Select.Compared ? Initial.Best : Constant::getNullValue(Ty);
  Instruction *Made =
      Mask ? cast<Instruction>(Builder.CreateMaskedLoad(
                 Ty, Address, Load.getAlign(), Mask, Rest))
           : Builder.CreateAlignedLoad(Ty, Address, Load.getAlign());
  Made->setAAMetadata(Load.getAAMetadata());
  return Made;
}

Value *Emitter::widen(Value *V, Value *From, Value *Numbers, Value *Mask,
                      Widened &Known) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return splat(V);
  if (auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  auto *Ty = FixedVectorType::get(V->getType(), Select.Lanes);
  Value *Made = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Made = widenLoad(*Load, From, Mask);
  } else if (isa<PHINode>(I)) {
    const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(I));
    Value *Step = Expander.expandCodeFor(
        Rec->getStepRecurrence(SE), V->getType(), Preheader->getTerminator());
    Made = Builder.CreateAdd(
        splat(Builder.CreateSub(Starts[I], Step)),
        Builder.CreateMul(Builder.CreateZExtOrTrunc(Numbers, Ty), splat(Step)));
  } else {
    SmallVector<Value *, 3> Operands;
    auto *Call = dyn_cast<IntrinsicInst>(I);
    for (Value *Operand : Call ? SmallVector<Value *, 3>(Call->args())
                               : SmallVector<Value *, 3>(I->operands()))
      Operands.push_back(widen(Operand, From, Numbers, Mask, Known));
    if (Call)
      Made = Builder.CreateIntrinsic(Call->getIntrinsicID(), {Ty}, Operands);
    else if (auto *Binary = dyn_cast<BinaryOperator>(I))
      Made = Builder.CreateBinOp(Binary->getOpcode(), Operands[0], Operands[1]);
    else if (auto *Unary = dyn_cast<UnaryOperator>(I))
      Made = Builder.CreateUnOp(Unary->getOpcode(), Operands[0]);
    else if (auto *Compare = dyn_cast<CmpInst>(I))
      Made =
          Builder.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
    else if (auto *Cast = dyn_cast<CastInst>(I))
      Made = Builder.CreateCast(Cast->getOpcode(), Operands[0], Ty);
    else
      Made = Builder.CreateSelect(Operands[0], Operands[1], Operands[2]);
    if (auto *Op = dyn_cast<Instruction>(Made))
      Op->copyIRFlags(I);
  }
  Known[V] = Made;
  return Made;
}

/// One vector of iterations.
Emitter::Chain Emitter::step(const Chain &Before, Value *From, Value *Numbers,
                             Value *Mask) {
  Widened Known;
  Value *Chooses = nullptr, *New = nullptr;
  if (Select.Best) {
    New = widen(Select.Compared, From, Numbers, Mask, Known);
    Chooses = isBetter(New, Before.Best, Select.Better);
  } else {
    Chooses = widen(Select.Condition, From, Numbers, Mask, Known);
    if (Select.Inverted)
      Chooses = Builder.CreateNot(Chooses);
  }
  // Inactive lanes have loaded the first value, which is not better.
  if (Mask && !(isStrict() && isa_and_nonnull<LoadInst>(Select.Compared)))
    Chooses = Builder.CreateSelect(Mask, Chooses,
                                   Constant::getNullValue(Chooses->getType()));
  return {Builder.CreateSelect(Chooses, Numbers, Before.At),
          New ? Builder.CreateSelect(Chooses, New, Before.Best) : nullptr};
}

/// Lane by lane what the scalar loop would remember of both.
Emitter::Chain Emitter::merge(const Chain &X, const Chain &Y) {
  if (!Select.Best)
    return {Builder.CreateBinaryIntrinsic(Intrinsic::smax, X.At, Y.At),
            nullptr};
  Value *Better = isBetter(Y.Best, X.Best, strictly());
  CmpInst::Predicate Same = CmpInst::isFPPredicate(Select.Better)
                                ? CmpInst::FCMP_OEQ
                                : CmpInst::ICMP_EQ;
  // No iteration is later than all where lanes without one may be as good:
  // where the comparison is strict, none that has chosen is as good as they.
  Value *Sooner = Builder.CreateICmp(
      isStrict() ? CmpInst::ICMP_ULT : CmpInst::ICMP_SGT, Y.At, X.At);
  Better = Builder.CreateOr(
      Better, Builder.CreateAnd(isBetter(Y.Best, X.Best, Same), Sooner));
  return {Builder.CreateSelect(Better, Y.At, X.At),
          Builder.CreateSelect(Better, Y.Best, X.Best)};
}

/// Halves again and again: unlike LLVM's expansion each step has only the lanes
/// that are left, which processors that split wide vectors do faster.
Value *Emitter::reduce(Value *Vector, CmpInst::Predicate Better) {
  for (unsigned Half = Select.Lanes / 2; Half; Half /= 2) {
    // The last two stay in a vector: from there they are compared sooner.
    unsigned Kept = std::max(Half, 2u);
    SmallVector<int, 8> Low(Kept), High(Kept, PoisonMaskElem);
    std::iota(Low.begin(), Low.end(), 0);
    std::iota(High.begin(), High.begin() + Half, Half);
    Value *X = Builder.CreateShuffleVector(Vector, Low);
    Value *Y = Builder.CreateShuffleVector(Vector, High);
    Vector = Builder.CreateSelect(Builder.CreateCmp(Better, Y, X), Y, X);
  }
  return Builder.CreateExtractElement(Vector, uint64_t(0));
}

/// The chosen iteration, or what is not positive.
Value *Emitter::agree(const Chain &Last) {
  if (!Select.Best)
    return reduce(Last.At, CmpInst::ICMP_SGT);
  bool IsFloat = CmpInst::isFPPredicate(Select.Better);
  // Where the first value is no number, no lane has chosen anything, and it
  // does not matter which number this is.
  Best = reduce(Last.Best, strictly());
  Value *Same = Builder.CreateCmp(
      IsFloat ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ, Last.Best, splat(Best));
  // Worse in either order, and not positive.
  constexpr uint32_t Never = 0x80000000;
  Value *At =
      Builder.CreateSelect(Same, Last.At, splat(Builder.getInt32(Never)));
  return reduce(At, isStrict() ? CmpInst::ICMP_ULT : CmpInst::ICMP_SGT);
}

/// Whether the lanes' value is the chosen iteration's: zeros of different signs
/// compare as equal.
bool Emitter::isExact() const {
  auto *Next = cast<Instruction>(
      Select.Best->getIncomingValueForBlock(L.getLoopLatch()));
  return !CmpInst::isFPPredicate(Select.Better) || Next->hasNoSignedZeros();
}

/// Whether the lanes' value is right where none has chosen anything.
bool Emitter::isNumber() const {
  return !CmpInst::isFPPredicate(Select.Better) ||
         cast<Instruction>(Select.Condition)->hasNoNaNs();
}

Emitter::Chain Emitter::start() {
  Value *None = splat(Builder.getInt32(0));
  return {None, Select.Best
                    ? splat(Select.Best->getIncomingValueForBlock(Preheader))
                    : nullptr};
}

/// Turns of the main loop that are worth it.
static constexpr unsigned FewestTurns = 4;

/// Nothing is to be made of a vector loop any more.
static void keepLoop(BranchInst *Latch) {
  LLVMContext &Context = Latch->getContext();
  auto Flag = [&](StringRef Name) {
    return MDNode::get(Context, {MDString::get(Context, Name),
                                 ConstantAsMetadata::get(ConstantInt::get(
                                     Type::getInt32Ty(Context), 1))});
  };
  MDNode *ID =
      MDNode::getDistinct(Context, {nullptr, Flag("llvm.loop.isvectorized"),
                                    Flag("llvm.loop.unroll.disable")});
  ID->replaceOperandWith(0, ID);
  Latch->setMetadata(LLVMContext::MD_loop, ID);
}

void Emitter::emitMain() {
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
Emitter::Chain Emitter::meet(BasicBlock *Entry, const Chain &Skipped,
                             BasicBlock *Body, const Chain &Passed) {
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
void Emitter::emitPlain() {
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
void Emitter::emitMasked() {
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

/// What \p V is in iteration \p At.
Value *Emitter::recompute(Value *V, Value *At, Widened &Known) {
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

void Emitter::emitFound(Value *At) {
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

void Emitter::emit() {
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
  Emitter(L, SE, Plan, Select).emit();
}

} // namespace accx::vector
