//===- SelectVectors.cpp - Lanes that remember an iteration ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one vector of Select.h does with its iterations, and how lanes and
// vectors agree on one of them.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/SelectEmitter.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::vector {

SelectEmitter::Chain SelectEmitter::start() {
  Value *None = splat(Builder.getInt32(0));
  return {None, Select.Best
                    ? splat(Select.Best->getIncomingValueForBlock(Preheader))
                    : nullptr};
}

Value *SelectEmitter::widenLoad(LoadInst &Load, Value *From, Value *Mask) {
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

Value *SelectEmitter::widen(Value *V, Value *From, Value *Numbers, Value *Mask,
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
    Made = createLike(Builder, *I, Operands, Ty);
  }
  Known[V] = Made;
  return Made;
}

/// One vector of iterations.
SelectEmitter::Chain SelectEmitter::step(const Chain &Before, Value *From,
                                         Value *Numbers, Value *Mask) {
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
SelectEmitter::Chain SelectEmitter::merge(const Chain &X, const Chain &Y) {
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
Value *SelectEmitter::reduce(Value *Vector, CmpInst::Predicate Better) {
  for (unsigned Half = Select.Lanes / 2; Half; Half /= 2) {
    // The last two stay in a vector: from there they are compared sooner.
    unsigned Kept = std::max(Half, 2u);
    Value *X =
        Builder.CreateShuffleVector(Vector, createSequentialMask(0, Kept, 0));
    Value *Y = Builder.CreateShuffleVector(
        Vector, createSequentialMask(Half, Half, Kept - Half));
    Vector = Builder.CreateSelect(Builder.CreateCmp(Better, Y, X), Y, X);
  }
  return Builder.CreateExtractElement(Vector, uint64_t(0));
}

/// The chosen iteration, or what is not positive.
Value *SelectEmitter::agree(const Chain &Last) {
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

} // namespace accx::vector
