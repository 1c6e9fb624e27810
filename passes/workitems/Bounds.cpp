//===- Bounds.cpp - What a block's work-items declare together ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes a value at one of a block's corners. That needs no exact sum, only
// the value's factors in the places: the declared ranges of arrays are all that
// it serves.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"
#include "workitems/Forms.h"

using namespace llvm;

namespace accx::workitems {

/// \p V of the work-item at \p Places.
static Value *valueAt(Code &B, const LoopPlan &Plan, Value *V,
                      ArrayRef<Value *> Places) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(I->getParent()))
    return V;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    if (const auto D = Plan.dimensionOf(Load->getPointerOperand()))
      return B.CreateTrunc(Places[*D], I->getType());
    return B.CreateLoad(I->getType(), I->getOperand(0));
  }
  return B.Insert(ir::copyWith(
      *I, [&](Value &Operand) { return valueAt(B, Plan, &Operand, Places); }));
}

Value *affineIn(const LoopPlan &Plan, Slot S) {
  StoreInst *Only = nullptr;
  for (User *U : S->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Only)
      return nullptr;
    Only = Store;
  }
  if (!Only || Plan.RowLength != 0 ||
      !Forms(Plan).slopeOf(Only->getValueOperand()))
    return nullptr;
  return Only->getValueOperand();
}

std::optional<uint64_t> spanOf(const LoopPlan &Plan, const ArrayPlan &A,
                               unsigned D) {
  Value *From = affineIn(Plan, A.First[D]), *To = affineIn(Plan, A.Past[D]);
  auto *Sum = dyn_cast_or_null<BinaryOperator>(To);
  if (!From || !Sum || Sum->getOpcode() != Instruction::Add ||
      Sum->getOperand(0) != From)
    return std::nullopt;
  const auto *Extent = dyn_cast<ConstantInt>(Sum->getOperand(1));
  const auto F = Forms(Plan).slopeOf(From);
  if (!Extent || Extent->isNegative() || !F)
    return std::nullopt;
  const auto [Least, Most] = F->reach(Plan.Block.sizes());
  return Extent->getLimitedValue(INT32_MAX) + uint64_t(Most - Least);
}

bool isNextTo(const LoopPlan &Plan, Value *V, unsigned Dimension) {
  const auto Found = Forms(Plan).slopeOf(V);
  return Found && (*Found)[Dimension] == 1;
}

Value *extreme(Code &B, const LoopPlan &Plan, Value *V, ArrayRef<Value *> Count,
               bool IsLeast) {
  const affine::Slope F = Forms(Plan).slopeOf(V).value_or(affine::Slope());
  SmallVector<Value *, 2> Places;
  for (unsigned D = 0; D < Plan.Block.Dims; ++D)
    Places.push_back((F[D] < 0) == IsLeast && F[D] != 0
                         ? B.CreateSub(Count[D], B.getInt64(1))
                         : B.getInt64(0));
  return valueAt(B, Plan, V, Places);
}

Value *lowestOf(Code &B, const LoopPlan &Plan, const ArrayPlan &A, unsigned D) {
  Value *Size[2] = {B.getInt64(Plan.Block.Size[0]),
                    B.getInt64(Plan.Block.Size[1])};
  return extreme(B, Plan, affineIn(Plan, A.First[D]), Size, /*IsLeast=*/true);
}

Value *andHasAll(Code &B, Value *Others, const LoopPlan &Plan,
                 const ArrayPlan &A) {
  Value *All = Others;
  for (unsigned D = 0; D < A.Rank; ++D) {
    Value *Low = lowestOf(B, Plan, A, D);
    Value *Past = B.CreateAdd(Low, B.getInt64(*spanOf(Plan, A, D)));
    All = B.CreateAnd(All, B.CreateICmpSLE(A.Low[D], Low));
    All = B.CreateAnd(All, B.CreateICmpSLE(Past, A.High[D]));
  }
  return All;
}

} // namespace accx::workitems
