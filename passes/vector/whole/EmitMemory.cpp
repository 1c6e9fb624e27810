//===- EmitMemory.cpp - Loads and stores of all lanes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory accesses of Emit.h.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Emit.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::vector {

/// Whether a vector in memory is its elements one after the other.
bool Widener::hasPlainElements(Type *Ty) const {
  const DataLayout &Layout = Entry->getParent()->getParent()->getDataLayout();
  return Layout.getTypeSizeInBits(Ty) == Layout.getTypeAllocSizeInBits(Ty);
}

Value *Widener::wholeAddress(Value *Address, Type *Ty, bool &Reversed) {
  const LaneShape Shape = Shapes.of(Address);
  if (!Shape.isStrided())
    return nullptr;
  const DataLayout &Layout = Entry->getParent()->getParent()->getDataLayout();
  const int64_t Size = int64_t(Layout.getTypeAllocSize(Ty).getFixedValue());
  if (Shape.stride() != Size && Shape.stride() != -Size)
    return nullptr;
  Value *Lowest = scalar(Address);
  Reversed = Shape.stride() < 0;
  if (Reversed)
    Lowest = Builder.CreateGEP(Builder.getInt8Ty(), Lowest,
                               Builder.getInt64(-Size * (Lanes - 1)));
  return Lowest;
}

void Widener::emitLoad(Instruction &I) {
  auto &Load = cast<LoadInst>(I);
  Type *Ty = Load.getType();
  if (!hasPlainElements(Ty))
    return emitLanes(I);
  Value *Mask = maskOf(I);
  bool Reversed = false;
  Value *Result = nullptr;
  Instruction *Access = nullptr;
  if (Value *Address = wholeAddress(Load.getPointerOperand(), Ty, Reversed)) {
    if (Mask)
      Access = Builder.CreateMaskedLoad(
          widened(Ty), Address, Load.getAlign(),
          Reversed ? Builder.CreateVectorReverse(Mask) : Mask);
    else
      Access = Builder.CreateAlignedLoad(widened(Ty), Address, Load.getAlign());
    Result = Reversed ? Builder.CreateVectorReverse(Access) : Access;
  } else {
    Access = Builder.CreateMaskedGather(widened(Ty),
                                        vector(Load.getPointerOperand()),
                                        Load.getAlign(), explicitMask(Mask));
    Result = Access;
  }
  Access->copyMetadata(I, {LLVMContext::MD_tbaa});
  define(I, Result);
}

void Widener::emitStore(Instruction &I) {
  auto &Store = cast<StoreInst>(I);
  Value *Address = Store.getPointerOperand();
  Value *Stored = Store.getValueOperand();
  const bool OneAddress = Shapes.isUniform(Address);
  if (OneAddress && Shapes.isUniform(Stored))
    return emitScalar(I);
  if (!hasPlainElements(Stored->getType()))
    return emitLanes(I);
  Value *Mask = maskOf(I);
  Instruction *Access = nullptr;
  bool Reversed = false;
  if (OneAddress && !Mask) {
    // The last lane's value is what a loop would leave.
    Access =
        Builder.CreateAlignedStore(laneOf(Stored, Builder.getInt64(Lanes - 1)),
                                   scalar(Address), Store.getAlign());
  } else if (Value *Whole =
                 wholeAddress(Address, Stored->getType(), Reversed)) {
    Value *Vector = vector(Stored);
    if (Reversed)
      Vector = Builder.CreateVectorReverse(Vector);
    if (Mask)
      Access = Builder.CreateMaskedStore(
          Vector, Whole, Store.getAlign(),
          Reversed ? Builder.CreateVectorReverse(Mask) : Mask);
    else
      Access = Builder.CreateAlignedStore(Vector, Whole, Store.getAlign());
  } else {
    // Scatters store in the order of lanes.
    Access = Builder.CreateMaskedScatter(vector(Stored), vector(Address),
                                         Store.getAlign(), explicitMask(Mask));
  }
  Access->copyMetadata(I, {LLVMContext::MD_tbaa});
}

} // namespace accx::vector
