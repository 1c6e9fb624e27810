//===- Shapes.cpp - How values differ between lanes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has a transfer function for each kind of instruction, and propagates shapes
// until nothing changes. Where control flow makes a value differ,
// Divergence.cpp says so.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Shapes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace accx::vector {

LaneShape LaneShape::join(LaneShape Other) const {
  if (isUnknown() || *this == Other)
    return Other;
  if (Other.isUnknown())
    return *this;
  return varying();
}

bool isSharedCall(const CallBase &Call) {
  if (const Function *Callee = Call.getCalledFunction();
      Callee && Callee->getName() == AnyLane)
    return true;
  return Call.onlyReadsMemory() && Call.doesNotThrow() &&
         Call.hasFnAttr(Attribute::WillReturn) &&
         !Call.hasFnAttr(Attribute::ReturnsTwice) && !Call.isInlineAsm();
}

LaneShapes::LaneShapes(Function &F, ArrayRef<LaneShape> Arguments)
    : F(&F), Layout(&F.getParent()->getDataLayout()) {
  for (auto [Argument, Shape] : zip_equal(F.args(), Arguments))
    Shapes[&Argument] = Shape;
}

LaneShape LaneShapes::of(const Value *V) const {
  if (isa<Instruction>(V) || isa<Argument>(V))
    return Shapes.lookup(V);
  return LaneShape::uniform();
}

bool LaneShapes::propagate() {
  bool Any = false;
  ReversePostOrderTraversal<Function *> Order(F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *B : Order)
      for (Instruction &I : *B) {
        // Joining keeps the iteration monotonous.
        const LaneShape Old = Shapes.lookup(&I);
        const LaneShape New = Old.join(transfer(I));
        if (New == Old)
          continue;
        Shapes[&I] = New;
        Changed = Any = true;
      }
  }
  return Any;
}

LaneShape LaneShapes::transferPhi(const PHINode &Phi) const {
  if (Forced.contains(&Phi))
    return Phi.hasConstantValue() && !isa<Instruction>(Phi.hasConstantValue())
               ? of(Phi.hasConstantValue())
               : LaneShape::varying();
  LaneShape Result;
  for (const Value *V : Phi.incoming_values())
    if (!isa<UndefValue>(V))
      Result = Result.join(of(V));
  return Result;
}

LaneShape LaneShapes::transferSelect(const Instruction &I) const {
  const Value *True = I.getOperand(1);
  const Value *False = I.getOperand(2);
  if (isa<PoisonValue>(True))
    return of(False);
  if (True == False || isa<PoisonValue>(False))
    return of(True);
  const LaneShape Condition = of(I.getOperand(0));
  if (Condition.isUniform())
    return of(True).join(of(False));
  return Condition.isUnknown() ? Condition : LaneShape::varying();
}

/// Whether lanes of this strided value may lie on both sides of its type's
/// limit: then a wider type does not have the same stride. A parameter is what
/// the caller's variable is in successive iterations.
bool LaneShapes::mayWrap(const Value *V) const {
  if (isa<Argument>(V))
    return false;
  const auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
  return !Op || !Op->hasNoSignedWrap() ||
         any_of(Op->operands(), [&](const Value *Operand) {
           return !isUniform(Operand) && mayWrap(Operand);
         });
}

LaneShape LaneShapes::transferAddress(const Instruction &I) const {
  const auto &Address = cast<GetElementPtrInst>(I);
  const LaneShape Base = of(Address.getPointerOperand());
  if (!Base.isStrided())
    return Base;
  int64_t Stride = Base.stride();
  const unsigned Width = Layout->getIndexTypeSizeInBits(Address.getType());
  for (auto It = gep_type_begin(Address), End = gep_type_end(Address);
       It != End; ++It) {
    const LaneShape Index = of(It.getOperand());
    if (!Index.isStrided())
      return Index;
    if (Index.isUniform())
      continue;
    const TypeSize Size = It.getSequentialElementStride(*Layout);
    int64_t Part = 0;
    // A narrow index is extended first.
    if (It.getOperand()->getType()->getScalarSizeInBits() != Width ||
        Size.isScalable() ||
        MulOverflow(Index.stride(), int64_t(Size.getFixedValue()), Part) ||
        AddOverflow(Stride, Part, Stride))
      return LaneShape::varying();
  }
  return LaneShape::strided(Stride);
}

LaneShape LaneShapes::transferArithmetic(const Instruction &I) const {
  const LaneShape A = of(I.getOperand(0));
  const LaneShape B =
      I.getNumOperands() > 1 ? of(I.getOperand(1)) : LaneShape::uniform();
  if (!I.getType()->isIntOrPtrTy())
    return LaneShape::varying();
  int64_t Stride = 0;
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return LaneShape::varying();
    [[fallthrough]];
  case Instruction::Add:
    return AddOverflow(A.stride(), B.stride(), Stride)
               ? LaneShape::varying()
               : LaneShape::strided(Stride);
  case Instruction::Sub:
    return SubOverflow(A.stride(), B.stride(), Stride)
               ? LaneShape::varying()
               : LaneShape::strided(Stride);
  case Instruction::Mul:
  case Instruction::Shl: {
    const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!C || C->getBitWidth() > 64)
      return LaneShape::varying();
    int64_t Factor = C->getSExtValue();
    if (I.getOpcode() == Instruction::Shl) {
      if (C->uge(32))
        return LaneShape::varying();
      Factor = int64_t(1) << C->getZExtValue();
    }
    return MulOverflow(A.stride(), Factor, Stride) ? LaneShape::varying()
                                                   : LaneShape::strided(Stride);
  }
  case Instruction::ZExt:
    if (!cast<PossiblyNonNegInst>(I).hasNonNeg())
      return LaneShape::varying();
    [[fallthrough]];
  case Instruction::SExt:
    return mayWrap(I.getOperand(0)) ? LaneShape::varying() : A;
  case Instruction::Trunc:
  case Instruction::Freeze:
    return A;
  case Instruction::BitCast:
    return I.getType() == I.getOperand(0)->getType() ? A : LaneShape::varying();
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return I.getType()->isPtrOrPtrVectorTy() ||
                   I.getType()->getScalarSizeInBits() == 64
               ? A
               : LaneShape::varying();
  default:
    return LaneShape::varying();
  }
}

LaneShape LaneShapes::transfer(const Instruction &I) const {
  if (I.getType()->isVoidTy() && !I.isTerminator())
    return LaneShape::uniform();
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return transferPhi(*Phi);
  if (const auto *Slot = dyn_cast<AllocaInst>(&I)) {
    const auto Size = Slot->getAllocationSize(*Layout);
    return Size && !Size->isScalable()
               ? LaneShape::strided(
                     int64_t(alignTo(Size->getFixedValue(), Slot->getAlign())))
               : LaneShape::varying();
  }
  if (isa<SelectInst>(I))
    return transferSelect(I);
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (Call->getCalledFunction() &&
        Call->getCalledFunction()->getName() == AnyLane)
      return LaneShape::uniform();
    if (!isSharedCall(*Call))
      return LaneShape::varying();
  }
  // The lanes of an atomic operation see one another.
  if (I.isAtomic() || I.isVolatile())
    return LaneShape::varying();

  bool AllUniform = true;
  for (const Value *Operand : I.operands()) {
    const LaneShape Shape = of(Operand);
    if (Shape.isUnknown())
      return Shape;
    if (Shape.isVarying())
      return Shape;
    AllUniform &= Shape.isUniform();
  }
  if (AllUniform)
    return LaneShape::uniform();
  if (isa<GetElementPtrInst>(I))
    return transferAddress(I);
  if (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<FreezeInst>(I))
    return transferArithmetic(I);
  return LaneShape::varying();
}

} // namespace accx::vector
