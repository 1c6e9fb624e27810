//===- Masks.cpp - Masks of the first lanes -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The masks of Masks.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Masks.h"

#include "vector/Lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DerivedTypes.h"

#include <numeric>

using namespace llvm;

namespace accx::vector {

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
  // At least 16 lanes, all bits of which are right: LLVM 19 may keep a mask of
  // eight across a call without clearing what lies above, and then takes that
  // for lanes of an access that it has widened.
  unsigned Width = std::max(Lanes, 16u);
  auto *Word = Builder.getIntNTy(Width < 32 ? 32 : 64);
  Value *Inactive = Builder.CreateShl(Constant::getAllOnesValue(Word),
                                      Builder.CreateZExtOrTrunc(Count, Word));
  Value *Active = Builder.CreateTrunc(Builder.CreateNot(Inactive),
                                      Builder.getIntNTy(Width));
  Value *Mask = Builder.CreateBitCast(
      Active, FixedVectorType::get(Builder.getInt1Ty(), Width));
  if (Width == Lanes)
    return Mask;
  SmallVector<int, 8> First(Lanes);
  std::iota(First.begin(), First.end(), 0);
  return Builder.CreateShuffleVector(Mask, First);
}

} // namespace accx::vector
