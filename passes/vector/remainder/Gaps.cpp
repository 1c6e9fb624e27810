//===- Gaps.cpp - Loads of strided groups with gaps -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The splitting of Gaps.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Gaps.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

/// Masks of fewer lanes are not safe across calls: see Masks.cpp.
static constexpr unsigned FewestLanes = 16;

/// The lanes of a constant mask.
static std::optional<APInt> lanesOf(Value *Mask) {
  auto *Lanes = dyn_cast<Constant>(Mask);
  if (!Lanes)
    return std::nullopt;
  unsigned Count = cast<FixedVectorType>(Mask->getType())->getNumElements();
  APInt Bits(Count, 0);
  for (unsigned I = 0; I < Count; ++I) {
    auto *Lane = dyn_cast_or_null<ConstantInt>(Lanes->getAggregateElement(I));
    if (!Lane)
      return std::nullopt;
    if (Lane->isOne())
      Bits.setBit(I);
  }
  return Bits;
}

namespace {
/// A masked load of several registers.
struct WideLoad {
  IntrinsicInst *Load;
  /// The lanes that the group uses.
  APInt Used;
  /// The active ones as an integer; null where all are.
  Value *Active;
};
} // namespace

static std::optional<WideLoad> wideLoad(Instruction &I) {
  Value *Mask, *Active = nullptr, *Gaps;
  if (!match(&I, m_Intrinsic<Intrinsic::masked_load>(m_Value(), m_Value(),
                                                     m_Value(Mask), m_Value())))
    return std::nullopt;
  auto *Load = cast<IntrinsicInst>(&I);
  if (!isa<UndefValue, ConstantAggregateZero>(Load->getArgOperand(3)))
    return std::nullopt;
  if (!match(Mask, m_c_And(m_BitCast(m_Value(Active)), m_Value(Gaps)))) {
    Active = nullptr;
    Gaps = Mask;
  } else if (!Active->getType()->isIntegerTy()) {
    return std::nullopt;
  }
  std::optional<APInt> Used = lanesOf(Gaps);
  if (!Used || Used->isAllOnes() || Used->isZero())
    return std::nullopt;
  return WideLoad{Load, *Used, Active};
}

/// The load of \p Lanes lanes from \p First on.
static Value *loadPiece(IRBuilder<> &Builder, const WideLoad &Wide,
                        unsigned First, unsigned Lanes, bool Followed) {
  IntrinsicInst *Load = Wide.Load;
  Type *Element = Load->getType()->getScalarType();
  auto *Piece = FixedVectorType::get(Element, Lanes);
  uint64_t Offset =
      First * Load->getDataLayout().getTypeStoreSize(Element).getFixedValue();
  Value *From = Load->getArgOperand(0);
  if (First)
    From = Builder.CreateConstGEP1_64(Builder.getInt8Ty(), From, Offset);
  Align Aligned = commonAlignment(
      cast<ConstantInt>(Load->getArgOperand(1))->getAlignValue(), Offset);
  // Behind the first used lane and before the last one, or the next one.
  unsigned Last = Wide.Used.getActiveBits() - 1;
  if (!Wide.Active && Wide.Used.countr_zero() <= First &&
      (Followed || First + Lanes - 1 <= Last)) {
    LoadInst *Whole = Builder.CreateAlignedLoad(Piece, From, Aligned);
    Whole->setAAMetadata(Load->getAAMetadata());
    return Whole;
  }
  Value *Mask;
  if (Wide.Active) {
    Value *Active =
        First ? Builder.CreateLShr(Wide.Active, First) : Wide.Active;
    Mask = Builder.CreateBitCast(
        Builder.CreateTrunc(Active, Builder.getIntNTy(Lanes)),
        FixedVectorType::get(Builder.getInt1Ty(), Lanes));
  } else {
    SmallVector<Constant *, 64> Between;
    for (unsigned I = First; I < First + Lanes; ++I)
      Between.push_back(
          Builder.getInt1(Wide.Used.countr_zero() <= I && I <= Last));
    Mask = ConstantVector::get(Between);
  }
  Value *Other = isa<PoisonValue>(Load->getArgOperand(3))
                     ? PoisonValue::get(Piece)
                     : Constant::getNullValue(Piece);
  CallInst *Masked =
      Builder.CreateMaskedLoad(Piece, From, Aligned, Mask, Other);
  Masked->setAAMetadata(Load->getAAMetadata());
  return Masked;
}

void splitGaps(ArrayRef<BasicBlock *> Blocks, const TargetTransformInfo &TTI,
               bool Followed) {
  unsigned Register =
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : make_early_inc_range(*Block)) {
      std::optional<WideLoad> Wide = wideLoad(I);
      if (!Wide)
        continue;
      auto *Type = cast<FixedVectorType>(I.getType());
      // Of pointers, too.
      unsigned Bits =
          unsigned(I.getDataLayout().getTypeSizeInBits(Type->getElementType()));
      unsigned Lanes = Register / Bits, All = Type->getNumElements();
      if (Lanes < FewestLanes || All <= Lanes || All % Lanes || All > 64 ||
          Bits % 8)
        continue;
      IRBuilder<> Builder(&I);
      if (Wide->Active)
        Wide->Active = Builder.CreateAnd(
            Wide->Active,
            ConstantInt::get(Wide->Active->getType(), Wide->Used));
      SmallVector<Value *, 4> Pieces;
      for (unsigned First = 0; First < All; First += Lanes)
        Pieces.push_back(loadPiece(Builder, *Wide, First, Lanes, Followed));
      I.replaceAllUsesWith(concatenateVectors(Builder, Pieces));
      I.eraseFromParent();
    }
}

} // namespace accx::vector
