//===- Bounds.cpp - What a block's work-items declare together ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the constant factors of a value in the places of a block, and computes
// the value at one of the block's corners. Unlike Forms.cpp it needs no exact
// sum of the rest: the declared ranges of arrays are all it serves.
//
//===----------------------------------------------------------------------===//

#include "workitems/Bounds.h"

#include "affine/Slope.h"

#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace accx::workitems {

namespace {

constexpr unsigned MaxDepth = 24;
constexpr int64_t MaxFactor = int64_t(1) << 31;

using Factors = affine::Slope;

/// Whether \p P is a variable of the plan that says where a block is.
bool isOfBlock(const LoopPlan &Plan, const Value *P) {
  return is_contained(ArrayRef(Plan.FirstOf, Plan.Block.Dims), P) ||
         is_contained(ArrayRef(Plan.BlockOf, Plan.Block.Dims), P);
}

std::optional<unsigned> dimensionOf(const LoopPlan &Plan, const Value *P) {
  for (unsigned D = 0; D < Plan.Block.Dims; ++D)
    if (P == Plan.PlaceOf[D])
      return D;
  return std::nullopt;
}

std::optional<Factors> factorsOf(const LoopPlan &Plan, Value *V,
                                 unsigned Depth = 0) {
  constexpr Factors None;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(I->getParent()))
    return None;
  if (Depth > MaxDepth)
    return std::nullopt;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    const Value *P = Load->getPointerOperand();
    if (const auto D = dimensionOf(Plan, P)) {
      Factors Own = None;
      Own[*D] = 1;
      return Own;
    }
    return isOfBlock(Plan, P) ? std::optional(None) : std::nullopt;
  }
  if (!isa<BinaryOperator, CastInst>(I))
    return std::nullopt;
  SmallVector<Factors, 2> Of;
  for (Value *Operand : I->operands()) {
    const auto Found = factorsOf(Plan, Operand, Depth + 1);
    if (!Found)
      return std::nullopt;
    Of.push_back(*Found);
  }
  if (all_of(Of, [&](const Factors &F) { return F == None; }))
    return None;
  // A place fits into every type.
  if (isa<TruncInst>(I) && isa<LoadInst>(I->getOperand(0)))
    return Of[0];
  if (isa<SExtInst>(I) ||
      (isa<ZExtInst>(I) && cast<PossiblyNonNegInst>(I)->hasNonNeg()))
    return Of[0];
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(I);
  if (!Sum || !Sum->hasNoSignedWrap())
    return std::nullopt;
  int64_t Scale[2] = {1, 1};
  switch (I->getOpcode()) {
  case Instruction::Add:
    break;
  case Instruction::Sub:
    Scale[1] = -1;
    break;
  case Instruction::Mul: {
    const unsigned Number = isa<ConstantInt>(I->getOperand(1)) ? 1 : 0;
    const auto *By = dyn_cast<ConstantInt>(I->getOperand(Number));
    if (!By || By->getValue().abs().ugt(MaxFactor))
      return std::nullopt;
    Scale[1 - Number] = By->getSExtValue();
    break;
  }
  default:
    return std::nullopt;
  }
  Factors Result = None;
  for (unsigned D = 0; D < 2; ++D) {
    Result[D] = Of[0][D] * Scale[0] + Of[1][D] * Scale[1];
    if (std::abs(Result[D]) > MaxFactor)
      return std::nullopt;
  }
  return Result;
}

/// \p V of the work-item at \p Places.
Value *valueAt(Code &B, const LoopPlan &Plan, Value *V,
               ArrayRef<Value *> Places) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(I->getParent()))
    return V;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    if (const auto D = dimensionOf(Plan, Load->getPointerOperand()))
      return B.CreateTrunc(Places[*D], I->getType());
    return B.CreateLoad(I->getType(), I->getOperand(0));
  }
  SmallVector<Value *, 2> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(valueAt(B, Plan, Operand, Places));
  Instruction *Copy = I->clone();
  for (auto [Number, Operand] : enumerate(Operands))
    Copy->setOperand(Number, Operand);
  return B.Insert(Copy);
}

} // namespace

Value *affineIn(const LoopPlan &Plan, Slot S) {
  StoreInst *Only = nullptr;
  for (User *U : S->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Only)
      return nullptr;
    Only = Store;
  }
  if (!Only || Plan.RowLength != 0 || !factorsOf(Plan, Only->getValueOperand()))
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
  const auto F = factorsOf(Plan, From);
  if (!Extent || Extent->isNegative() || !F)
    return std::nullopt;
  const auto [Least, Most] = F->reach(Plan.Block.sizes());
  return Extent->getLimitedValue(MaxFactor) + uint64_t(Most - Least);
}

bool isNextTo(const LoopPlan &Plan, Value *V, unsigned Dimension) {
  const auto Found = factorsOf(Plan, V);
  return Found && (*Found)[Dimension] == 1;
}

Value *extreme(Code &B, const LoopPlan &Plan, Value *V, ArrayRef<Value *> Count,
               bool IsLeast) {
  const Factors F = factorsOf(Plan, V).value_or(Factors());
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
