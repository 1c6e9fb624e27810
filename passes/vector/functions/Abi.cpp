//===- Abi.cpp - Variants as the vector ABI passes them -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ABI form of Variants.h, as GCC has it:
//  - registers have 128 (SSE), 256 (AVX2; AVX for floating point, else 128) or
//    512 bits; a vector of more lanes than fit comes in several pieces;
//  - pointers are integers, bool is a byte;
//  - masks are, for AVX-512, an integer for each register of lanes of the
//    characteristic type, 64 bits wide if that is a byte, else 32; otherwise
//    vectors of integers as wide as that type, not zero for lanes that are
//    there. The characteristic type is the result's, else that of the first
//    parameter that varies, else int;
//  - a result of several pieces is written where a hidden first argument says.
//
//===----------------------------------------------------------------------===//

#include "vector/Lanes.h"
#include "vector/functions/Variants.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::vector {

unsigned Variant::registerBits(const Type *Element) const {
  switch (Info.ISA) {
  case VFISAKind::AVX512:
    return 512;
  case VFISAKind::AVX2:
    return 256;
  case VFISAKind::AVX:
    return Element->isFloatingPointTy() ? 256 : 128;
  default:
    return 128;
  }
}

static unsigned abiBits(const Type *Element) {
  if (Element->isPointerTy())
    return 64;
  return std::max(8U, unsigned(Element->getPrimitiveSizeInBits()));
}

std::pair<FixedVectorType *, unsigned> Variant::pieces(Type *Element) const {
  const unsigned Bits = abiBits(Element);
  const unsigned Count = std::min(Lanes, registerBits(Element) / Bits);
  Type *Ty = Element->isFloatingPointTy()
                 ? Element
                 : Type::getIntNTy(Element->getContext(), Bits);
  return {FixedVectorType::get(Ty, Count), Lanes / Count};
}

Type *Variant::characteristic() const {
  if (!Scalar->getReturnType()->isVoidTy())
    return Scalar->getReturnType();
  for (unsigned I = 0; I != Scalar->arg_size(); ++I)
    if (!isScalar(I))
      return Scalar->getArg(I)->getType();
  return Type::getInt32Ty(Scalar->getContext());
}

std::pair<Type *, unsigned> Variant::masks() const {
  Type *Ty = characteristic();
  const unsigned Bits = abiBits(Ty);
  LLVMContext &Context = Scalar->getContext();
  auto [Piece, Count] = pieces(Ty);
  if (Info.ISA == VFISAKind::AVX512)
    return {Type::getIntNTy(Context, Bits == 8 ? 64 : 32), Count};
  return {FixedVectorType::get(Type::getIntNTy(Context, Bits),
                               Piece->getNumElements()),
          Count};
}

bool Variant::returnsInMemory() const {
  Type *Ty = Scalar->getReturnType();
  return !Ty->isVoidTy() && pieces(Ty).second > 1;
}

Attribute Variant::memoryAttribute() const {
  auto [Piece, Count] = pieces(Scalar->getReturnType());
  return Attribute::getWithStructRetType(Scalar->getContext(),
                                         ArrayType::get(Piece, Count));
}

AttributeList Variant::abiAttributes() const {
  const AttributeList Own = attributes();
  return returnsInMemory()
             ? Own.addParamAttribute(Scalar->getContext(), 0, memoryAttribute())
             : Own;
}

FunctionType *Variant::abiType() const {
  LLVMContext &Context = Scalar->getContext();
  Type *Result = Scalar->getReturnType();
  SmallVector<Type *, 8> Types;
  if (returnsInMemory()) {
    Types.push_back(PointerType::getUnqual(Context));
    Result = Type::getVoidTy(Context);
  } else if (!Result->isVoidTy()) {
    Result = pieces(Result).first;
  }
  for (auto [I, Ty] : enumerate(Scalar->getFunctionType()->params())) {
    if (isScalar(I)) {
      Types.push_back(Ty);
      continue;
    }
    auto [Piece, Count] = pieces(Ty);
    Types.append(Count, Piece);
  }
  if (Masked) {
    auto [Mask, Count] = masks();
    Types.append(Count, Mask);
  }
  return FunctionType::get(Result, Types, false);
}

//--- Pieces ------------------------------------------------------------------

/// The vector that the pieces are, one after the other.
static Value *join(IRBuilder<> &Builder, ArrayRef<Value *> Pieces) {
  return Pieces.size() == 1 ? Pieces.front()
                            : concatenateVectors(Builder, Pieces);
}

static Value *piece(IRBuilder<> &Builder, Value *Vector, unsigned Index,
                    unsigned Count) {
  if (cast<FixedVectorType>(Vector->getType())->getNumElements() == Count)
    return Vector;
  return Builder.CreateShuffleVector(
      Vector, createSequentialMask(Index * Count, Count, 0));
}

/// Between elements as the ABI has them and as LLVM does.
static Value *convert(IRBuilder<> &Builder, Value *Vector, Type *Element) {
  Type *To = VectorType::get(Element, cast<VectorType>(Vector->getType()));
  Type *From = Vector->getType()->getScalarType();
  if (From == Element)
    return Vector;
  if (Element->isPointerTy())
    return Builder.CreateIntToPtr(Vector, To);
  if (From->isPointerTy())
    return Builder.CreatePtrToInt(Vector, To);
  return Builder.CreateZExtOrTrunc(Vector, To);
}

/// A mask of `Count` lanes.
static Value *unpackMask(IRBuilder<> &Builder, Value *Mask, unsigned Count) {
  if (Mask->getType()->isVectorTy())
    return Builder.CreateIsNotNull(Mask);
  // What the caller left in the bits above is not known.
  Value *Bits =
      Builder.CreateZExtOrTrunc(Mask, Builder.getIntNTy(std::max(Count, 16u)));
  if (Count < 16)
    Bits = Builder.CreateAnd(Bits, (1u << Count) - 1);
  return createMask(Builder, Bits, Count);
}

static Value *packMask(IRBuilder<> &Builder, Value *Mask, Type *To) {
  if (To->isVectorTy())
    return Builder.CreateSExt(Mask, To);
  const unsigned Count =
      cast<FixedVectorType>(Mask->getType())->getNumElements();
  return Builder.CreateZExt(
      Builder.CreateBitCast(Mask, Builder.getIntNTy(Count)), To);
}

void Variant::wrapLanes(Function &Abi, Function &LanesForm) const {
  IRBuilder<> Builder(BasicBlock::Create(Abi.getContext(), "", &Abi));
  Argument *Next = Abi.arg_begin();
  Argument *Memory = returnsInMemory() ? Next++ : nullptr;
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Scalar->args()) {
    if (isScalar(A.getArgNo())) {
      Arguments.push_back(Next++);
      continue;
    }
    SmallVector<Value *, 8> Parts;
    for (unsigned I = 0; I != pieces(A.getType()).second; ++I)
      Parts.push_back(Next++);
    Arguments.push_back(convert(Builder, join(Builder, Parts), A.getType()));
  }
  if (Masked) {
    const unsigned Count = masks().second;
    SmallVector<Value *, 8> Parts;
    for (unsigned I = 0; I != Count; ++I)
      Parts.push_back(unpackMask(Builder, Next++, Lanes / Count));
    Arguments.push_back(join(Builder, Parts));
  }
  CallInst *Call = Builder.CreateCall(&LanesForm, Arguments);
  Type *Ty = Scalar->getReturnType();
  if (Ty->isVoidTy()) {
    Builder.CreateRetVoid();
    return;
  }
  auto [Piece, Count] = pieces(Ty);
  Value *Result = convert(Builder, Call, Piece->getElementType());
  if (!Memory) {
    Builder.CreateRet(Result);
    return;
  }
  const Align Alignment(Piece->getPrimitiveSizeInBits() / 8);
  for (unsigned I = 0; I != Count; ++I)
    Builder.CreateAlignedStore(
        piece(Builder, Result, I, Piece->getNumElements()),
        Builder.CreateConstGEP1_32(Piece, Memory, I), Alignment);
  Builder.CreateRetVoid();
}

void Variant::wrapAbi(Function &LanesForm, Function &Abi) const {
  IRBuilder<> Builder(
      BasicBlock::Create(LanesForm.getContext(), "", &LanesForm));
  SmallVector<Value *, 8> Arguments;
  AllocaInst *Memory = nullptr;
  Type *Ty = Scalar->getReturnType();
  if (returnsInMemory()) {
    auto [Piece, Count] = pieces(Ty);
    Memory = Builder.CreateAlloca(ArrayType::get(Piece, Count));
    Memory->setAlignment(Align(Piece->getPrimitiveSizeInBits() / 8));
    Arguments.push_back(Memory);
  }
  for (Argument &A : Scalar->args()) {
    Value *Argument = LanesForm.getArg(A.getArgNo());
    if (isScalar(A.getArgNo())) {
      Arguments.push_back(Argument);
      continue;
    }
    auto [Piece, Count] = pieces(A.getType());
    Argument = convert(Builder, Argument, Piece->getElementType());
    for (unsigned I = 0; I != Count; ++I)
      Arguments.push_back(piece(Builder, Argument, I, Piece->getNumElements()));
  }
  if (Masked) {
    Value *Mask = LanesForm.getArg(LanesForm.arg_size() - 1);
    auto [To, Count] = masks();
    for (unsigned I = 0; I != Count; ++I)
      Arguments.push_back(
          packMask(Builder, piece(Builder, Mask, I, Lanes / Count), To));
  }
  CallInst *Call = Builder.CreateCall(&Abi, Arguments);
  if (Memory)
    Call->addParamAttr(0, memoryAttribute());
  if (Ty->isVoidTy()) {
    Builder.CreateRetVoid();
    return;
  }
  if (!Memory) {
    Builder.CreateRet(convert(Builder, Call, Ty));
    return;
  }
  auto [Piece, Count] = pieces(Ty);
  SmallVector<Value *, 8> Parts;
  for (unsigned I = 0; I != Count; ++I)
    Parts.push_back(Builder.CreateAlignedLoad(
        Piece, Builder.CreateConstGEP1_32(Piece, Memory, I),
        Memory->getAlign()));
  Builder.CreateRet(convert(Builder, join(Builder, Parts), Ty));
}

} // namespace accx::vector
