//===- EmitCalls.cpp - Calls, and what goes lane by lane ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of Emit.h.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Emit.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::vector {

/// Intrinsics that only tell the optimizer something.
static bool isHint(const CallBase &Call) {
  const auto *Known = dyn_cast<IntrinsicInst>(&Call);
  return Known && Known->getType()->isVoidTy() &&
         (Known->isAssumeLikeIntrinsic() ||
          Known->getIntrinsicID() == Intrinsic::prefetch);
}

StringRef unwidenable(const Instruction &I, LaneShape Shape,
                      const LaneShapes &Shapes) {
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (!isa<CallInst>(I))
      return "it catches exceptions";
    if (isHint(*Call))
      return {};
    if (Call->isInlineAsm())
      return "it has inline assembly";
    if (Call->isMustTailCall())
      return "it has a call that must be a tail call";
    if (Call->hasFnAttr(Attribute::ReturnsTwice))
      return "it calls a function that returns twice";
    if (Call->isConvergent())
      return "it calls a convergent function";
    if (Call->hasOperandBundles())
      return "it has a call with operand bundles";
    if (Call->getFunctionType()->getReturnType()->isTokenTy())
      return "it has a token";
  }
  if (const auto *Slot = dyn_cast<AllocaInst>(&I);
      Slot && (!Slot->isStaticAlloca() || Slot->isUsedWithInAlloca() ||
               Shape.isVarying()))
    return "it has an array of variable length";
  auto HasVectors = [](const Type *Ty) {
    if (Ty->isVoidTy() || Ty->isPointerTy() || Ty->isFloatTy() ||
        Ty->isDoubleTy() || Ty->isHalfTy())
      return true;
    return Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64;
  };
  constexpr StringLiteral NoVectors =
      "a type that varies between lanes has no vectors";
  if (!I.isTerminator() && Shape.isVarying() && !HasVectors(I.getType()))
    return NoVectors;
  if (isa<StoreInst>(I) && !Shapes.isUniform(I.getOperand(0)) &&
      !HasVectors(I.getOperand(0)->getType()))
    return NoVectors;
  if (isa<FenceInst>(I))
    return "it has a fence";
  if (Shape.isVarying() &&
      (isa<ExtractValueInst>(I) || isa<InsertValueInst>(I) ||
       isa<ExtractElementInst>(I) || isa<InsertElementInst>(I) ||
       isa<ShuffleVectorInst>(I) || isa<VAArgInst>(I)))
    return "it computes with aggregates that vary between lanes";
  return {};
}

void Widener::emitCall(Instruction &I) {
  auto &Call = cast<CallBase>(I);
  if (const Function *Callee = Call.getCalledFunction();
      Callee && Callee->getName() == AnyLane) {
    Value *Operand = Call.getArgOperand(0);
    Scalars[&I] =
        Shapes.isUniform(Operand)
            ? scalar(Operand)
            : Builder.CreateICmpNE(bitsOf(vector(Operand)),
                                   Builder.getIntN(Lanes, 0), I.getName());
    return;
  }
  if (isHint(Call))
    return;
  if (Shapes.of(&I).isUniform() && !I.getType()->isVoidTy())
    return emitScalar(I);
  if (emitIntrinsic(Call))
    return;
  // Writes of the same to the same place: once is enough.
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&I);
      Memory && !Memory->isVolatile() &&
      all_of(Call.args(), [&](Value *V) { return Shapes.isUniform(V); }))
    return emitScalar(I);
  if (Variants) {
    Value *Mask = maskOf(I);
    if (Value *Result = Variants->call(*this, Call, Mask)) {
      if (!I.getType()->isVoidTy())
        define(I, Result);
      return;
    }
  }
  emitLanes(I);
}

bool Widener::emitIntrinsic(CallBase &Call) {
  const Intrinsic::ID ID =
      getVectorIntrinsicIDForCall(cast<CallInst>(&Call), Library);
  if (ID == Intrinsic::not_intrinsic || !isTriviallyVectorizable(ID))
    return false;
  SmallVector<Type *, 2> Types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(ID, -1))
    Types.push_back(widened(Call.getType()));
  SmallVector<Value *, 4> Arguments;
  for (auto [Index, Argument] : enumerate(Call.args())) {
    const bool Scalar = isVectorIntrinsicWithScalarOpAtArg(ID, Index);
    if (Scalar && !Shapes.isUniform(Argument))
      return false;
    Arguments.push_back(Scalar ? scalar(Argument) : vector(Argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(ID, int(Index)))
      Types.push_back(Arguments.back()->getType());
  }
  Function *Callee =
      Intrinsic::getDeclaration(Entry->getParent()->getParent(), ID, Types);
  CallInst *Result = Builder.CreateCall(Callee, Arguments);
  if (isa<FPMathOperator>(Result))
    Result->copyFastMathFlags(&Call);
  Result->copyMetadata(Call, {LLVMContext::MD_fpmath});
  define(Call, Result);
  return true;
}

//--- Lane by lane ------------------------------------------------------------

Value *Widener::emitLane(Instruction &I, Value *Lane) {
  Instruction *Copy = I.clone();
  for (Use &Operand : Copy->operands())
    if (!isa<MetadataAsValue>(Operand.get()))
      Operand.set(laneOf(Operand.get(), Lane));
  Copy->dropUnknownNonDebugMetadata(
      {LLVMContext::MD_tbaa, LLVMContext::MD_fpmath});
  if (auto *Call = dyn_cast<CallInst>(Copy))
    Call->setTailCallKind(CallInst::TCK_None);
  Builder.Insert(Copy);
  return Copy;
}

///   bits = mask;  while (bits) { lane = cttz(bits); ...; bits &= bits - 1; }
void Widener::emitLanes(Instruction &I) {
  const bool HasResult = !I.getType()->isVoidTy();
  Value *Nothing = HasResult ? PoisonValue::get(widened(I.getType())) : nullptr;
  Value *Mask = maskOf(I);
  if (!Failure.empty())
    return;
  if (!Mask && Lanes <= 16) {
    Value *Result = Nothing;
    for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
      Value *One = emitLane(I, Builder.getInt64(Lane));
      if (HasResult)
        Result = Builder.CreateInsertElement(Result, One, Lane);
    }
    if (HasResult)
      define(I, Result);
    return;
  }

  Value *All = bitsOf(explicitMask(Mask));
  Type *Bits = All->getType();
  // Operands are vectors before the loop, not in it.
  for (Value *Operand : I.operands())
    if (!isa<MetadataAsValue>(Operand) && !Shapes.isUniform(Operand))
      vector(Operand);
  Function *To = Entry->getParent();
  BasicBlock *Before = Builder.GetInsertBlock();
  auto *Body = BasicBlock::Create(To->getContext(), "lanes", To);
  auto *Done = BasicBlock::Create(To->getContext(), "lanes.done", To);
  Constant *None = ConstantInt::get(Bits, 0);
  Builder.CreateCondBr(Builder.CreateICmpEQ(All, None), Done, Body);

  Builder.SetInsertPoint(Body);
  PHINode *Left = Builder.CreatePHI(Bits, 2);
  PHINode *Previous =
      HasResult ? Builder.CreatePHI(Nothing->getType(), 2) : nullptr;
  Value *Lane =
      Builder.CreateBinaryIntrinsic(Intrinsic::cttz, Left, Builder.getTrue());
  Lane = Builder.CreateZExtOrTrunc(Lane, Builder.getInt64Ty());
  Value *One = emitLane(I, Lane);
  Value *Result =
      HasResult ? Builder.CreateInsertElement(Previous, One, Lane) : nullptr;
  Value *Rest = Builder.CreateAnd(
      Left, Builder.CreateSub(Left, ConstantInt::get(Bits, 1)));
  Builder.CreateCondBr(Builder.CreateICmpEQ(Rest, None), Done, Body);
  Left->addIncoming(All, Before);
  Left->addIncoming(Rest, Body);

  Builder.SetInsertPoint(Done);
  if (!HasResult)
    return;
  Previous->addIncoming(Nothing, Before);
  Previous->addIncoming(Result, Body);
  PHINode *Final = Builder.CreatePHI(Nothing->getType(), 2);
  Final->addIncoming(Nothing, Before);
  Final->addIncoming(Result, Body);
  define(I, Final);
}

} // namespace accx::vector
