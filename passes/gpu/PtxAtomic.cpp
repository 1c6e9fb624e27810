//===- PtxAtomic.cpp - Atomics as PTX -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpu/PtxAtomic.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace accx::gpu {

std::string ptxOperationOf(const AtomicRMWInst &I) {
  const Type *T = I.getType();
  const bool Is32 = T->isIntegerTy(32), Is64 = T->isIntegerTy(64);
  const std::string Bits = Is32 ? "32" : "64";
  if (T->isFloatTy() || T->isDoubleTy())
    return I.getOperation() == AtomicRMWInst::FAdd
               ? std::string("add.f") + (T->isFloatTy() ? "32" : "64")
               : "";
  if (!Is32 && !Is64)
    return "";
  switch (I.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return "add.u" + Bits;
  case AtomicRMWInst::And:
    return "and.b" + Bits;
  case AtomicRMWInst::Or:
    return "or.b" + Bits;
  case AtomicRMWInst::Xor:
    return "xor.b" + Bits;
  case AtomicRMWInst::Xchg:
    return "exch.b" + Bits;
  case AtomicRMWInst::Max:
    return "max.s" + Bits;
  case AtomicRMWInst::Min:
    return "min.s" + Bits;
  case AtomicRMWInst::UMax:
    return "max.u" + Bits;
  case AtomicRMWInst::UMin:
    return "min.u" + Bits;
  default:
    return "";
  }
}

char ptxConstraintOf(const Type *T) {
  return T->isFloatTy()       ? 'f'
         : T->isDoubleTy()    ? 'd'
         : T->isIntegerTy(64) ? 'l'
                              : 'r';
}

void emitPtxReduction(AtomicRMWInst &I, StringRef Where, Value *Pointer) {
  IRBuilder<> B(&I);
  Value *Operand = I.getValOperand();
  if (I.getOperation() == AtomicRMWInst::Sub)
    Operand = B.CreateNeg(Operand);
  FunctionType *Ty = FunctionType::get(
      B.getVoidTy(), {Pointer->getType(), Operand->getType()}, false);
  const std::string Text =
      ("red" + Where + "." + ptxOperationOf(I) + " [$0], $1;").str();
  const std::string Constraints =
      std::string("l,") + ptxConstraintOf(Operand->getType()) + ",~{memory}";
  B.CreateCall(InlineAsm::get(Ty, Text, Constraints, /*hasSideEffects=*/true),
               {Pointer, Operand})
      ->setDoesNotThrow();
  I.eraseFromParent();
}

} // namespace accx::gpu
