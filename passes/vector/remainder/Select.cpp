//===- Select.cpp - Loops that remember an iteration ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis of Select.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Select.h"

#include "vector/Lanes.h"
#include "vector/Width.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace accx::vector {

namespace {
class Analysis {
public:
  Analysis(Loop &L, ScalarEvolution &SE, AAResults &AA,
           const TargetTransformInfo &TTI, const RemainderPlan &Plan,
           SelectPlan &Select)
      : L(L), SE(SE), AA(AA), TTI(TTI), Plan(Plan), Select(Select) {}

  bool run();

private:
  bool findShape();
  bool addUpdate(PHINode *Phi);
  bool setCondition(Value *Condition, bool Inverted);
  bool findKind();
  bool ownsUses() const;
  bool isRecurrence(const Value *V) const {
    return any_of(Plan.Carried, [&](const CarriedValue &Carried) {
      return Carried.Phi == V && !Carried.Recurrence;
    });
  }
  bool isFree(Value *V, SmallPtrSetImpl<Value *> &Seen) const;
  bool widens(Value *V, SmallPtrSetImpl<Value *> &Seen);
  bool checkMemory() const;

  Loop &L;
  ScalarEvolution &SE;
  AAResults &AA;
  const TargetTransformInfo &TTI;
  const RemainderPlan &Plan;
  SelectPlan &Select;
  /// The block that runs only under the condition, if there is one.
  BasicBlock *Then = nullptr;
  unsigned WidestBits = 32;
};
} // namespace

const SCEV *consecutiveStart(Loop &L, ScalarEvolution &SE,
                             Instruction &Access) {
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(getLoadStorePointerOperand(&Access)));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  uint64_t Size =
      Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access));
  return Step && Step->getAPInt() == Size ? Rec->getStart() : nullptr;
}

bool Analysis::setCondition(Value *Condition, bool Inverted) {
  if (!Select.Condition) {
    Select.Condition = Condition;
    Select.Inverted = Inverted;
  }
  return Select.Condition == Condition && Select.Inverted == Inverted;
}

/// One block, or one more that a branch of the first skips.
bool Analysis::findShape() {
  if (L.getNumBlocks() == 1)
    return true;
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  auto *Branch = dyn_cast<BranchInst>(Header->getTerminator());
  if (L.getNumBlocks() != 3 || !Branch || !Branch->isConditional())
    return false;
  bool Inverted = Branch->getSuccessor(0) == Latch;
  Then = Branch->getSuccessor(Inverted ? 1 : 0);
  if (Then == Latch || Then->getUniqueSuccessor() != Latch ||
      Branch->getSuccessor(Inverted ? 0 : 1) != Latch)
    return false;
  for (Instruction &I : *Then)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Select.Stores.push_back(Store);
  return setCondition(Branch->getCondition(), Inverted);
}

bool Analysis::addUpdate(PHINode *Phi) {
  auto *Next =
      dyn_cast<Instruction>(Phi->getIncomingValueForBlock(L.getLoopLatch()));
  if (!Next || !L.contains(Next))
    return false;
  if (auto *Chosen = dyn_cast<SelectInst>(Next)) {
    bool Inverted = Chosen->getTrueValue() == Phi;
    Value *Other = Inverted ? Chosen->getFalseValue() : Chosen->getTrueValue();
    if ((!Inverted && Chosen->getFalseValue() != Phi) || Other == Phi ||
        !setCondition(Chosen->getCondition(), Inverted))
      return false;
    Select.Updates.push_back({Phi, Other});
    return true;
  }
  if (auto *Merged = dyn_cast<PHINode>(Next);
      Merged && Then && Merged->getParent() == L.getLoopLatch()) {
    if (Merged->getIncomingValueForBlock(L.getHeader()) != Phi)
      return false;
    Select.Updates.push_back({Phi, Merged->getIncomingValueForBlock(Then)});
    return true;
  }
  // What InstCombine makes of a selected minimum of integers.
  if (auto *Call = dyn_cast<MinMaxIntrinsic>(Next);
      Call && is_contained(Call->args(), Phi)) {
    Value *Other = Call->getArgOperand(Call->getArgOperand(0) == Phi ? 1 : 0);
    Select.Updates.push_back({Phi, Other});
    return Other != Phi;
  }
  return false;
}

/// Whether the condition compares with what it replaces.
bool Analysis::findKind() {
  auto *Compare = dyn_cast<CmpInst>(Select.Condition);
  for (const SelectPlan::Update &Update : Select.Updates) {
    if (!Compare || !is_contained(Compare->operands(), Update.Phi))
      continue;
    if (Select.Best)
      return false;
    Select.Best = Update.Phi;
    Select.Compared = Update.Chosen;
    CmpInst::Predicate Better = Compare->getPredicate();
    bool Swapped = Compare->getOperand(0) == Update.Phi;
    if (Compare->getOperand(Swapped ? 1 : 0) != Update.Chosen)
      return false;
    if (Swapped)
      Better = CmpInst::getSwappedPredicate(Better);
    if (Select.Inverted)
      Better = CmpInst::getInversePredicate(Better);
    if (CmpInst::isFPPredicate(Better) && CmpInst::isUnordered(Better)) {
      if (!Compare->hasNoNaNs())
        return false;
      Better = CmpInst::getOrderedPredicate(Better);
    }
    if (!CmpInst::isRelational(Better))
      return false;
    Select.Better = Better;
  }
  // A minimum or maximum has no condition of its own: it must be the same.
  for (const SelectPlan::Update &Update : Select.Updates) {
    auto *Call = dyn_cast<IntrinsicInst>(
        Update.Phi->getIncomingValueForBlock(L.getLoopLatch()));
    if (!Call)
      continue;
    CmpInst::Predicate Own = cast<MinMaxIntrinsic>(Call)->getPredicate();
    if (Update.Phi != Select.Best ||
        ICmpInst::getStrictPredicate(Select.Better) != Own)
      return false;
  }
  return true;
}

/// Nothing else looks at the values before the loop is over.
bool Analysis::ownsUses() const {
  for (const SelectPlan::Update &Update : Select.Updates) {
    const Value *Next = Update.Phi->getIncomingValueForBlock(L.getLoopLatch());
    for (const User *U : Update.Phi->users())
      if (U != Next && !(Update.Phi == Select.Best && U == Select.Condition))
        return false;
    for (const User *U : Next->users())
      if (U != Update.Phi && L.contains(cast<Instruction>(U)))
        return false;
  }
  if (Select.Best)
    for (const User *U : Select.Condition->users())
      if (!isa<SelectInst, BranchInst>(U))
        return false;
  return true;
}

/// Whether the value can be computed for any iteration by itself.
bool Analysis::isFree(Value *V, SmallPtrSetImpl<Value *> &Seen) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Seen.insert(V).second)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getParent() == L.getHeader() && !isRecurrence(Phi);
  if (I->mayHaveSideEffects() || (I->mayReadFromMemory() && !isa<LoadInst>(I)))
    return false;
  return all_of(I->operands(),
                [&](Value *Operand) { return isFree(Operand, Seen); });
}

/// Whether the value can be computed in vectors.
bool Analysis::widens(Value *V, SmallPtrSetImpl<Value *> &Seen) {
  Type *Ty = V->getType();
  if (!VectorType::isValidElementType(Ty) || Ty->isPointerTy())
    return false;
  if (!Ty->isIntegerTy(1))
    WidestBits = std::max(WidestBits, unsigned(Ty->getScalarSizeInBits()));
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Seen.insert(V).second)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getParent() == L.getHeader() && Ty->isIntegerTy() &&
           !isRecurrence(Phi);
  if (I->getParent() == Then)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    unsigned Bits = unsigned(Ty->getScalarSizeInBits());
    if (!Load->isSimple() || Bits % 8 != 0 || !isPowerOf2_32(Bits))
      return false;
    if (SE.isLoopInvariant(SE.getSCEV(Load->getPointerOperand()), &L))
      return false; // Hoisted, if it may be.
    return consecutiveStart(L, SE, *Load) != nullptr;
  }
  bool Widens = isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst>(I) ||
                (isa<CastInst>(I) && !isa<BitCastInst>(I));
  if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
    Intrinsic::ID ID = Call->getIntrinsicID();
    Widens = isTriviallyVectorizable(ID) &&
             !isVectorIntrinsicWithScalarOpAtArg(ID, 1) &&
             (isa<MinMaxIntrinsic>(Call) || ID == Intrinsic::fabs ||
              ID == Intrinsic::sqrt || ID == Intrinsic::fmuladd ||
              ID == Intrinsic::fma || ID == Intrinsic::minnum ||
              ID == Intrinsic::maxnum);
    return Widens && all_of(Call->args(), [&](Value *Operand) {
             return widens(Operand, Seen);
           });
  }
  if (I->isIntDivRem())
    return false;
  return Widens && all_of(I->operands(), [&](Value *Operand) {
           return widens(Operand, Seen);
         });
}

/// Stores only under the condition, to one place that nothing else touches.
bool Analysis::checkMemory() const {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (I.mayHaveSideEffects() && !is_contained(Select.Stores, &I))
        return false;
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && !Load->isSimple())
        return false;
      if (Load)
        for (StoreInst *Store : Select.Stores)
          if (!AA.isNoAlias(
                  MemoryLocation::getBeforeOrAfter(Load->getPointerOperand()),
                  MemoryLocation::getBeforeOrAfter(Store->getPointerOperand())))
            return false;
    }
  return all_of(Select.Stores, [&](StoreInst *Store) {
    return Store->isSimple() && L.isLoopInvariant(Store->getPointerOperand());
  });
}

bool Analysis::run() {
  if (!findShape())
    return false;
  for (const CarriedValue &Value : Plan.Carried)
    if (!Value.Recurrence && !addUpdate(Value.Phi))
      return false;
  if (!Select.Condition || (Select.Updates.empty() && Select.Stores.empty()) ||
      !findKind() || !ownsUses() || !checkMemory() || Plan.PeelsLast ||
      Plan.RepeatsLast)
    return false;
  for (const LiveOut &Out : Plan.LiveOuts)
    if (Out.Is == LiveOut::Carried &&
        !isRecurrence(Plan.Carried[Out.Index].Phi))
      return false;
  SmallPtrSet<Value *, 16> Free, Wide;
  for (const SelectPlan::Update &Update : Select.Updates)
    if (!isFree(Update.Chosen, Free))
      return false;
  for (StoreInst *Store : Select.Stores)
    if (!isFree(Store->getValueOperand(), Free))
      return false;
  if (!widens(Select.Best ? Select.Compared : Select.Condition, Wide) ||
      !isFree(Select.Best ? Select.Compared : Select.Condition, Free))
    return false;
  if (Plan.ConstantTrip && *Plan.ConstantTrip < Select.fewest())
    return false;
  if (WidestBits > 64)
    return false;
  Select.Lanes = registerBits(TTI) / WidestBits;
  Select.Bits = WidestBits;
  Select.MaskRegisters = hasMaskRegisters(TTI, SE.getContext());
  if (Select.Lanes < 4)
    return false;
  for (Value *V : Wide)
    if (auto *Load = dyn_cast<LoadInst>(V);
        Load && !TTI.isLegalMaskedLoad(
                    FixedVectorType::get(Load->getType(), Select.Lanes),
                    Load->getAlign()))
      return false;
  return true;
}

bool planSelect(Loop &L, ScalarEvolution &SE, AAResults &AA,
                const TargetTransformInfo &TTI, const RemainderPlan &Plan,
                SelectPlan &Select) {
  return Analysis(L, SE, AA, TTI, Plan, Select).run();
}

} // namespace accx::vector
