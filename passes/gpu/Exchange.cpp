//===- Exchange.cpp - Combines values of a warp's lanes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts values into words, exchanges these by the GPU's shuffles, and combines
// them over lanes. Lanes of vector loops and threads of reductions share it.
//
//===----------------------------------------------------------------------===//

#include "gpu/Exchange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace accx::gpu {

bool Exchange::supports(const Type *T) {
  if (const auto *Array = dyn_cast<ArrayType>(T))
    return supports(Array->getElementType());
  if (const auto *Struct = dyn_cast<StructType>(T))
    return all_of(Struct->elements(), [](Type *E) { return supports(E); });
  if (const auto *Vector = dyn_cast<FixedVectorType>(T))
    return supports(Vector->getElementType());
  return T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy();
}

/// \p V, in words of 32 bits, through \p OfWord and back.
Value *Exchange::exchange(Value *V, WordExchange OfWord) const {
  Type *T = V->getType();
  assert(supports(T) && "such values cannot travel");
  if (T->isArrayTy() || T->isStructTy()) {
    const unsigned Count =
        T->isArrayTy() ? T->getArrayNumElements() : T->getStructNumElements();
    Value *Result = PoisonValue::get(T);
    for (unsigned I = 0; I < Count; ++I)
      Result = B.CreateInsertValue(
          Result, exchange(B.CreateExtractValue(V, I), OfWord), I);
    return Result;
  }
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    Value *Result = PoisonValue::get(T);
    for (unsigned I = 0; I < Vector->getNumElements(); ++I)
      Result = B.CreateInsertElement(
          Result, exchange(B.CreateExtractElement(V, I), OfWord), I);
    return Result;
  }
  const DataLayout &Layout = B.GetInsertBlock()->getModule()->getDataLayout();
  const unsigned Bits = Layout.getTypeSizeInBits(T).getFixedValue();
  IntegerType *Int = B.getIntNTy(Bits);
  Value *Whole = V;
  if (T->isPointerTy())
    Whole = B.CreatePtrToInt(V, Int);
  else if (!T->isIntegerTy())
    Whole = B.CreateBitCast(V, Int);

  IntegerType *Word = B.getInt32Ty();
  const unsigned Words = divideCeil(Bits, 32);
  Value *Result = nullptr;
  if (Words == 1) {
    Result =
        B.CreateTrunc(OfWord(B.CreateZExtOrTrunc(Whole, Word)), Int, "lane");
  } else {
    IntegerType *Padded = B.getIntNTy(Words * 32);
    Whole = B.CreateZExt(Whole, Padded);
    for (unsigned I = 0; I < Words; ++I) {
      Value *Part = B.CreateZExt(
          OfWord(B.CreateTrunc(B.CreateLShr(Whole, I * 32), Word)), Padded);
      Part = B.CreateShl(Part, I * 32);
      Result = Result ? B.CreateOr(Result, Part) : Part;
    }
    Result = B.CreateTrunc(Result, Int, "lane");
  }
  if (T->isPointerTy())
    return B.CreateIntToPtr(Result, T);
  return T->isIntegerTy() ? Result : B.CreateBitCast(Result, T);
}

/// The last operand of a shuffle: groups of \p Lanes, up to their end.
static Value *groupsOf(IRBuilderBase &B, unsigned Lanes) {
  assert(isPowerOf2_32(Lanes) && Lanes <= WarpLanes && "no group of a warp");
  return B.getInt32((WarpLanes - Lanes) << 8 | 31);
}

Value *Exchange::down(Value *V, Value *Distance) const {
  return exchange(V, [&](Value *Word) {
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_down_i32, {},
                             {Members, Word, Distance, groupsOf(B, WarpLanes)});
  });
}

Value *Exchange::butterfly(Value *V, Value *Mask) const {
  return exchange(V, [&](Value *Word) {
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_bfly_i32, {},
                             {Members, Word, Mask, groupsOf(B, WarpLanes)});
  });
}

Value *Exchange::fromLane(Value *V, Value *Lane, unsigned Lanes) const {
  return exchange(V, [&](Value *Word) {
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {},
                             {Members, Word, Lane, groupsOf(B, Lanes)});
  });
}

/// The number of sm_<number>, 0 where it does not say.
static unsigned computeCapability(const Function &F) {
  StringRef Name = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  if (!Name.consume_front("sm_") || Name.consumeInteger(10, Number))
    return 0;
  return Number;
}

static Intrinsic::ID reductionInstruction(Instruction::BinaryOps Op) {
  switch (Op) {
  case Instruction::Add:
    return Intrinsic::nvvm_redux_sync_add;
  case Instruction::And:
    return Intrinsic::nvvm_redux_sync_and;
  case Instruction::Or:
    return Intrinsic::nvvm_redux_sync_or;
  case Instruction::Xor:
    return Intrinsic::nvvm_redux_sync_xor;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// Null where there is no such instruction.
Value *Exchange::reduceByInstruction(Value *V,
                                     Instruction::BinaryOps Op) const {
  Type *T = V->getType();
  const Intrinsic::ID Instruction = reductionInstruction(Op);
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 32 ||
      Instruction == Intrinsic::not_intrinsic ||
      computeCapability(*B.GetInsertBlock()->getParent()) < 80)
    return nullptr;
  Value *Wide = B.CreateSExt(V, B.getInt32Ty());
  return B.CreateTrunc(
      B.CreateIntrinsic(Instruction, {}, {Wide, Members}, {}, "warp"), T);
}

Value *Exchange::reduce(Value *V, Instruction::BinaryOps Op,
                        unsigned Lanes) const {
  if (Lanes == WarpLanes)
    if (Value *Result = reduceByInstruction(V, Op))
      return Result;
  for (unsigned Distance = Lanes / 2; Distance; Distance /= 2)
    V = B.CreateBinOp(Op, V, butterfly(V, B.getInt32(Distance)));
  return V;
}

} // namespace accx::gpu
