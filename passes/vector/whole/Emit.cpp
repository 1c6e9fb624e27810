//===- Emit.cpp - Linearized code, for all lanes at once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits values, masks, phis and branches. Memory is in EmitMemory.cpp, calls
// are in EmitCalls.cpp.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Emit.h"

#include "vector/Lanes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::vector {

Widener::Widener(const LaneShapes &Shapes, const BlockMasks &Masks,
                 unsigned Lanes, const TargetLibraryInfo *Library,
                 VariantCaller *Variants)
    : Shapes(Shapes), Masks(Masks), Lanes(Lanes), Library(Library),
      Variants(Variants), Builder(Masks.begin()->first->getContext()) {}

StringRef Widener::run(Function &From, BasicBlock *Prologue,
                       ArrayRef<Value *> Arguments) {
  Entry = Prologue;
  for (auto [Argument, Value] : zip_equal(From.args(), Arguments))
    (Shapes.of(&Argument).isStrided() ? Scalars : Vectors)[&Argument] = Value;

  Function &To = *Entry->getParent();
  const ReversePostOrderTraversal<Function *> Order(&From);
  for (BasicBlock *B : Order)
    Begin[B] = BasicBlock::Create(To.getContext(), B->getName(), &To);
  Builder.SetInsertPoint(Entry);
  Builder.CreateBr(Begin[&From.getEntryBlock()]);
  for (BasicBlock *B : Order) {
    Builder.SetInsertPoint(Begin[B]);
    for (Instruction &I : *B) {
      if (Failure.empty())
        emit(I);
      if (!Failure.empty())
        return Failure;
    }
    End[B] = Builder.GetInsertBlock();
  }
  fillPhis(From);
  return {};
}

//--- Values ------------------------------------------------------------------

FixedVectorType *Widener::widened(Type *Ty) const {
  return FixedVectorType::get(Ty, Lanes);
}

Value *Widener::scalar(Value *V) {
  if (isa<Instruction>(V) || isa<Argument>(V))
    return Scalars.lookup(V);
  return V;
}

Value *Widener::vector(Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return ConstantVector::getSplat(ElementCount::getFixed(Lanes), C);
  Value *&Vector = Vectors[V];
  if (!Vector)
    Vector = broadcast(V, Scalars.lookup(V));
  return Vector;
}

/// Stands right behind the scalar, so that every use may have it.
Value *Widener::broadcast(Value *V, Value *Scalar) {
  const IRBuilder<>::InsertPointGuard Guard(Builder);
  auto *Definition = dyn_cast<Instruction>(Scalar);
  if (!Definition)
    Builder.SetInsertPoint(Entry->getTerminator());
  else if (isa<PHINode>(Definition))
    Builder.SetInsertPoint(Definition->getParent(),
                           Definition->getParent()->getFirstInsertionPt());
  else
    Builder.SetInsertPoint(Definition->getParent(),
                           std::next(Definition->getIterator()));
  const int64_t Stride = Shapes.of(V).stride();
  if (Stride == 0)
    return Builder.CreateVectorSplat(Lanes, Scalar);
  if (Scalar->getType()->isPointerTy())
    return Builder.CreateGEP(Builder.getInt8Ty(), Scalar,
                             laneNumbers(Builder.getInt64Ty(), Lanes, Stride));
  return Builder.CreateAdd(Builder.CreateVectorSplat(Lanes, Scalar),
                           laneNumbers(Scalar->getType(), Lanes, Stride));
}

Value *Widener::laneOf(Value *V, Value *Lane) {
  if (Shapes.isUniform(V))
    return scalar(V);
  return Builder.CreateExtractElement(vector(V), Lane);
}

void Widener::define(Instruction &I, Value *Vector) {
  Vectors[&I] = Vector;
  if (!Vector->hasName())
    Vector->takeName(&I);
}

//--- Masks -------------------------------------------------------------------

Value *Widener::maskOf(const Instruction &I) {
  auto It = Masks.find(const_cast<BasicBlock *>(I.getParent()));
  Value *Mask = It == Masks.end() ? nullptr : (Value *)It->second;
  if (!Mask) {
    Failure = "its control flow cannot be linearized";
    return nullptr;
  }
  if (const auto *C = dyn_cast<ConstantInt>(Mask); C && C->isOne())
    return nullptr;
  return vector(Mask);
}

Value *Widener::explicitMask(Value *Mask) {
  return Mask ? Mask
              : ConstantVector::getSplat(ElementCount::getFixed(Lanes),
                                         Builder.getTrue());
}

Value *Widener::bitsOf(Value *Mask) {
  return Builder.CreateBitCast(Mask, Builder.getIntNTy(Lanes));
}

//--- Instructions ------------------------------------------------------------

void Widener::emit(Instruction &I) {
  if (I.isTerminator())
    return emitTerminator(I);
  if (isa<PHINode>(I))
    return emitPhi(I);
  if (isa<AllocaInst>(I))
    return emitAlloca(I);
  if (isa<CallBase>(I))
    return emitCall(I);
  if (I.isAtomic() || I.isVolatile())
    return emitLanes(I);
  if (isa<StoreInst>(I))
    return emitStore(I);
  if (Shapes.of(&I).isStrided())
    return emitScalar(I);
  if (isa<LoadInst>(I))
    return emitLoad(I);
  if (isa<GetElementPtrInst>(I))
    return emitAddress(I);
  emitVector(I);
}

void Widener::emitScalar(Instruction &I) {
  // Active lanes are not negative; lane 0 may be, and lie below them.
  if (isa<ZExtInst>(I) && !Shapes.isUniform(&I)) {
    Scalars[&I] =
        Builder.CreateSExt(scalar(I.getOperand(0)), I.getType(), I.getName());
    return;
  }
  Instruction *Copy = I.clone();
  for (Use &Operand : Copy->operands())
    Operand.set(scalar(Operand.get()));
  // What holds for the lanes that are there need not hold for lane 0.
  if (!Shapes.isUniform(&I))
    Copy->dropPoisonGeneratingFlags();
  Copy->dropUnknownNonDebugMetadata(
      {LLVMContext::MD_tbaa, LLVMContext::MD_fpmath});
  Builder.Insert(Copy, I.getName());
  Scalars[&I] = Copy;
}

void Widener::emitVector(Instruction &I) {
  SmallVector<Value *, 3> Operands;
  for (Use &Operand : I.operands()) {
    const bool Chooses = isa<SelectInst>(I) && Operand.getOperandNo() == 0;
    Operands.push_back(Chooses && Shapes.isUniform(Operand) ? scalar(Operand)
                                                            : vector(Operand));
  }
  if (I.isIntDivRem())
    if (Value *Mask = maskOf(I)) {
      // Lanes that are not there must not trap. Frozen, because what is poison
      // there counts as not zero where the backend undoes the selection.
      Value *&Right = Operands[1];
      Constant *One = ConstantInt::get(Right->getType(), 1);
      Right = Builder.CreateSelect(Mask, Builder.CreateFreeze(Right), One);
    }
  Value *Result = createLike(Builder, I, Operands, widened(I.getType()));
  if (Result)
    define(I, Result);
  else
    Failure = "an instruction has no vector form";
}

/// Scalar parts remain scalar: gathers with one base are cheaper.
void Widener::emitAddress(Instruction &I) {
  auto &Address = cast<GetElementPtrInst>(I);
  auto Part = [&](Value *V) {
    return Shapes.isUniform(V) ? scalar(V) : vector(V);
  };
  SmallVector<Value *, 4> Indices;
  for (Value *Index : Address.indices())
    Indices.push_back(Part(Index));
  Value *Base = Part(Address.getPointerOperand());
  Value *Result =
      Builder.CreateGEP(Address.getSourceElementType(), Base, Indices,
                        Address.getName(), Address.getNoWrapFlags());
  // All parts uniform among the lanes, but not their sum's shape.
  if (!Result->getType()->isVectorTy())
    Result = Builder.CreateVectorSplat(Lanes, Result);
  define(I, Result);
}

void Widener::emitAlloca(Instruction &I) {
  auto &Slot = cast<AllocaInst>(I);
  const IRBuilder<>::InsertPointGuard Guard(Builder);
  Builder.SetInsertPoint(Entry, Entry->begin());
  const uint64_t Size = uint64_t(Shapes.of(&I).stride()) * Lanes;
  AllocaInst *Copy = Builder.CreateAlloca(
      ArrayType::get(Builder.getInt8Ty(), Size), nullptr, I.getName());
  Copy->setAlignment(Slot.getAlign());
  Scalars[&I] = Copy;
}

void Widener::emitPhi(Instruction &I) {
  const unsigned Count = cast<PHINode>(I).getNumIncomingValues();
  if (Shapes.of(&I).isVarying())
    Vectors[&I] = Builder.CreatePHI(widened(I.getType()), Count, I.getName());
  else
    Scalars[&I] = Builder.CreatePHI(I.getType(), Count, I.getName());
}

void Widener::fillPhis(Function &From) {
  for (BasicBlock &B : From)
    for (PHINode &Phi : B.phis()) {
      const bool IsVector = Shapes.of(&Phi).isVarying();
      auto *Copy =
          cast<PHINode>(IsVector ? Vectors.lookup(&Phi) : Scalars.lookup(&Phi));
      for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
        Value *V = Phi.getIncomingValue(I);
        Copy->addIncoming(IsVector ? vector(V) : scalar(V),
                          End[Phi.getIncomingBlock(I)]);
      }
    }
}

void Widener::emitTerminator(Instruction &I) {
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    if (Value *Result = Return->getReturnValue())
      Builder.CreateRet(vector(Result));
    else
      Builder.CreateRetVoid();
    return;
  }
  auto *Branch = dyn_cast<BranchInst>(&I);
  if (!Branch) {
    Failure = "its control flow cannot be linearized";
    return;
  }
  if (!Branch->isConditional()) {
    Builder.CreateBr(Begin[Branch->getSuccessor(0)]);
    return;
  }
  if (!Shapes.isUniform(Branch->getCondition())) {
    Failure = "its control flow cannot be linearized";
    return;
  }
  Builder.CreateCondBr(scalar(Branch->getCondition()),
                       Begin[Branch->getSuccessor(0)],
                       Begin[Branch->getSuccessor(1)]);
}

} // namespace accx::vector
