//===- Lanes.cpp - Instructions on several lanes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates what Lanes.h describes, for each kind of instruction.
//
//===----------------------------------------------------------------------===//

#include "vector/Lanes.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::vector {

Constant *laneNumbers(Type *T, unsigned Lanes, int64_t Step, int64_t First) {
  SmallVector<Constant *, 16> Numbers;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    Numbers.push_back(ConstantInt::get(
        T, uint64_t(First) + uint64_t(Step) * Lane, /*IsSigned=*/true));
  return ConstantVector::get(Numbers);
}

Value *createLike(IRBuilderBase &Builder, const Instruction &I,
                  ArrayRef<Value *> Operands, Type *T) {
  Value *Made = nullptr;
  if (isa<BinaryOperator, UnaryOperator>(I))
    Made = Builder.CreateNAryOp(I.getOpcode(), Operands);
  else if (const auto *Compare = dyn_cast<CmpInst>(&I))
    Made = Builder.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
  else if (const auto *Cast = dyn_cast<CastInst>(&I))
    Made = Builder.CreateCast(Cast->getOpcode(), Operands[0], T);
  else if (isa<SelectInst>(I))
    Made = Builder.CreateSelect(Operands[0], Operands[1], Operands[2]);
  else if (isa<FreezeInst>(I))
    Made = Builder.CreateFreeze(Operands[0]);
  else if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    Made = Builder.CreateIntrinsic(Call->getIntrinsicID(), {T}, Operands);
  if (auto *Op = dyn_cast_or_null<Instruction>(Made);
      Op && Op->getOpcode() == I.getOpcode()) {
    Op->copyIRFlags(&I);
    Op->copyMetadata(I, {LLVMContext::MD_fpmath});
  }
  return Made;
}

Value *createMask(IRBuilderBase &Builder, Value *Bits, unsigned Lanes) {
  // At least 16 lanes, all bits of which are right: LLVM 19 may keep a mask of
  // eight across a call without clearing what lies above, and then takes that
  // for lanes of an access that it has widened.
  const unsigned Width = std::max(Lanes, 16u);
  Value *Mask = Builder.CreateBitCast(
      Builder.CreateZExtOrTrunc(Bits, Builder.getIntNTy(Width)),
      FixedVectorType::get(Builder.getInt1Ty(), Width));
  return Width == Lanes ? Mask
                        : Builder.CreateShuffleVector(
                              Mask, createSequentialMask(0, Lanes, 0));
}

bool hasMaskRegisters(const TargetTransformInfo &TTI, LLVMContext &Context) {
  // Masked bytes came when masks of vectors of every size were complete.
  auto *Bytes = FixedVectorType::get(Type::getInt8Ty(Context), 16);
  return TTI.isLegalMaskedLoad(Bytes, Align(1));
}

Value *createPrefixMask(IRBuilderBase &Builder, Value *Count, unsigned Lanes,
                        unsigned Bits, bool Registers) {
  if (!Registers) {
    // Signed, because AVX2 has no other comparison; Lanes is far from 2^7.
    auto *Lane = Builder.getIntNTy(Bits);
    Value *Limit = Builder.CreateVectorSplat(
        Lanes, Builder.CreateZExtOrTrunc(Count, Lane));
    return Builder.CreateICmpSLT(laneNumbers(Lane, Lanes), Limit);
  }
  auto *Word = Builder.getIntNTy(std::max(Lanes, 16u) < 32 ? 32 : 64);
  Value *Inactive = Builder.CreateShl(Constant::getAllOnesValue(Word),
                                      Builder.CreateZExtOrTrunc(Count, Word));
  return createMask(Builder, Builder.CreateNot(Inactive), Lanes);
}

} // namespace accx::vector
