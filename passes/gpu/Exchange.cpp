//===- Exchange.cpp - Combines values of a warp's lanes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts values into words, exchanges these by the GPU's shuffles, and combines
// values by the operators of reductions. Lanes of vector loops and threads of
// reductions share it.
//
//===----------------------------------------------------------------------===//

#include "gpu/Exchange.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <cassert>

using namespace llvm;

namespace accx::gpu {

StringRef spellingOf(Operator Op) {
  switch (Op) {
  case Operator::Add:
    return "+";
  case Operator::Mul:
    return "*";
  case Operator::Max:
    return "max";
  case Operator::Min:
    return "min";
  case Operator::And:
    return "&";
  case Operator::Or:
    return "|";
  case Operator::Xor:
    return "^";
  case Operator::LogicalAnd:
    return "&&";
  case Operator::LogicalOr:
    return "||";
  }
  return "";
}

static bool isComplex(const Type *T) {
  const auto *Struct = dyn_cast<StructType>(T);
  return Struct && Struct->getNumElements() == 2 &&
         Struct->getElementType(0) == Struct->getElementType(1) &&
         Struct->getElementType(0)->isFloatingPointTy();
}

bool Combiner::supports(const Type *T) const {
  switch (Op) {
  case Operator::Add:
  case Operator::Mul:
    return T->isIntegerTy() || T->isFloatingPointTy() || isComplex(T);
  case Operator::Max:
  case Operator::Min:
  case Operator::LogicalAnd:
  case Operator::LogicalOr:
    return T->isIntegerTy() || T->isFloatingPointTy();
  case Operator::And:
  case Operator::Or:
  case Operator::Xor:
    return T->isIntegerTy();
  }
  return false;
}

static Constant *extreme(Type *T, bool Largest, bool IsUnsigned) {
  if (T->isFloatingPointTy())
    return ConstantFP::getInfinity(T, /*Negative=*/!Largest);
  const unsigned Bits = T->getIntegerBitWidth();
  if (IsUnsigned)
    return ConstantInt::get(T, Largest ? APInt::getMaxValue(Bits)
                                       : APInt::getMinValue(Bits));
  return ConstantInt::get(T, Largest ? APInt::getSignedMaxValue(Bits)
                                     : APInt::getSignedMinValue(Bits));
}

Constant *Combiner::identity(Type *T) const {
  assert(supports(T) && "no such reduction");
  if (isComplex(T)) {
    Type *Part = T->getStructElementType(0);
    return ConstantStruct::get(
        cast<StructType>(T),
        {identity(Part),
         Op == Operator::Add ? identity(Part) : ConstantFP::get(Part, 0.0)});
  }
  switch (Op) {
  case Operator::Add:
    // x + -0 is x for all x, x + 0 is not for -0.
    if (T->isFloatingPointTy())
      return ConstantFP::getNegativeZero(T);
    return Constant::getNullValue(T);
  case Operator::Or:
  case Operator::Xor:
  case Operator::LogicalOr:
    return Constant::getNullValue(T);
  case Operator::Mul:
  case Operator::LogicalAnd:
    return T->isFloatingPointTy() ? ConstantFP::get(T, 1.0)
                                  : ConstantInt::get(T, 1);
  case Operator::And:
    return Constant::getAllOnesValue(T);
  case Operator::Max:
    return extreme(T, /*Largest=*/false, IsUnsigned);
  case Operator::Min:
    return extreme(T, /*Largest=*/true, IsUnsigned);
  }
  return nullptr;
}

static Value *isTrue(IRBuilderBase &B, Value *V) {
  Constant *Zero = Constant::getNullValue(V->getType());
  return V->getType()->isFloatingPointTy() ? B.CreateFCmpUNE(V, Zero)
                                           : B.CreateICmpNE(V, Zero);
}

static Value *combineComplex(IRBuilderBase &B, Operator Op, Value *L,
                             Value *R) {
  Value *LRe = B.CreateExtractValue(L, 0);
  Value *LIm = B.CreateExtractValue(L, 1);
  Value *RRe = B.CreateExtractValue(R, 0);
  Value *RIm = B.CreateExtractValue(R, 1);
  Value *Re = nullptr;
  Value *Im = nullptr;
  if (Op == Operator::Add) {
    Re = B.CreateFAdd(LRe, RRe);
    Im = B.CreateFAdd(LIm, RIm);
  } else {
    Re = B.CreateFSub(B.CreateFMul(LRe, RRe), B.CreateFMul(LIm, RIm));
    Im = B.CreateFAdd(B.CreateFMul(LRe, RIm), B.CreateFMul(LIm, RRe));
  }
  Value *Result =
      B.CreateInsertValue(PoisonValue::get(L->getType()), Re, uint64_t(0));
  return B.CreateInsertValue(Result, Im, 1);
}

Value *Combiner::combine(IRBuilderBase &B, Value *L, Value *R) const {
  Type *T = L->getType();
  assert(supports(T) && T == R->getType() && "no such reduction");
  if (isComplex(T))
    return combineComplex(B, Op, L, R);
  const bool IsFloat = T->isFloatingPointTy();
  switch (Op) {
  case Operator::Add:
    return IsFloat ? B.CreateFAdd(L, R) : B.CreateAdd(L, R);
  case Operator::Mul:
    return IsFloat ? B.CreateFMul(L, R) : B.CreateMul(L, R);
  case Operator::Max:
    return B.CreateBinaryIntrinsic(IsFloat      ? Intrinsic::maxnum
                                   : IsUnsigned ? Intrinsic::umax
                                                : Intrinsic::smax,
                                   L, R);
  case Operator::Min:
    return B.CreateBinaryIntrinsic(IsFloat      ? Intrinsic::minnum
                                   : IsUnsigned ? Intrinsic::umin
                                                : Intrinsic::smin,
                                   L, R);
  case Operator::And:
    return B.CreateAnd(L, R);
  case Operator::Or:
    return B.CreateOr(L, R);
  case Operator::Xor:
    return B.CreateXor(L, R);
  case Operator::LogicalAnd:
  case Operator::LogicalOr: {
    Value *Both = Op == Operator::LogicalAnd
                      ? B.CreateAnd(isTrue(B, L), isTrue(B, R))
                      : B.CreateOr(isTrue(B, L), isTrue(B, R));
    return IsFloat ? B.CreateUIToFP(Both, T) : B.CreateZExtOrTrunc(Both, T);
  }
  }
  return nullptr;
}

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

static Intrinsic::ID reductionInstruction(const Combiner &C) {
  switch (C.Op) {
  case Operator::Add:
    return Intrinsic::nvvm_redux_sync_add;
  case Operator::Max:
    return C.IsUnsigned ? Intrinsic::nvvm_redux_sync_umax
                        : Intrinsic::nvvm_redux_sync_max;
  case Operator::Min:
    return C.IsUnsigned ? Intrinsic::nvvm_redux_sync_umin
                        : Intrinsic::nvvm_redux_sync_min;
  case Operator::And:
    return Intrinsic::nvvm_redux_sync_and;
  case Operator::Or:
    return Intrinsic::nvvm_redux_sync_or;
  case Operator::Xor:
    return Intrinsic::nvvm_redux_sync_xor;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// Null where there is no such instruction.
Value *Exchange::reduceByInstruction(Value *V, const Combiner &C) const {
  Type *T = V->getType();
  const Intrinsic::ID Instruction = reductionInstruction(C);
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 32 ||
      Instruction == Intrinsic::not_intrinsic ||
      computeCapability(*B.GetInsertBlock()->getParent()) < 80)
    return nullptr;
  Value *Wide = B.CreateIntCast(V, B.getInt32Ty(), !C.IsUnsigned);
  return B.CreateTrunc(
      B.CreateIntrinsic(Instruction, {}, {Wide, Members}, {}, "warp"), T);
}

Value *Exchange::reduce(Value *V, const Combiner &C, unsigned Lanes) const {
  if (Lanes == WarpLanes)
    if (Value *Result = reduceByInstruction(V, C))
      return Result;
  for (unsigned Distance = Lanes / 2; Distance; Distance /= 2)
    V = C.combine(B, V, butterfly(V, B.getInt32(Distance)));
  return V;
}

} // namespace accx::gpu
