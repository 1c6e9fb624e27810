//===- Ptx.cpp - Assembly of NVIDIA GPUs ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpu/Ptx.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace accx::gpu {

char ptxRegisterOf(const Type &T) {
  return T.isFloatTy()       ? 'f'
         : T.isDoubleTy()    ? 'd'
         : T.isIntegerTy(32) ? 'r'
         : T.isIntegerTy(64) ? 'l'
                             : 0;
}

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

bool isPtxReduction(const AtomicRMWInst &I) {
  return I.use_empty() && I.getOperation() != AtomicRMWInst::Xchg;
}

void emitPtxAtomic(AtomicRMWInst &I, StringRef Where, Value *Pointer) {
  IRBuilder<> B(&I);
  Value *Operand = I.getValOperand();
  if (I.getOperation() == AtomicRMWInst::Sub)
    Operand = B.CreateNeg(Operand);
  Type *T = I.getType();
  const std::string C(1, ptxRegisterOf(*T));
  const std::string Operation = (Where + "." + ptxOperationOf(I)).str();
  const bool IsReduction = isPtxReduction(I);
  FunctionType *Ty =
      FunctionType::get(IsReduction ? B.getVoidTy() : T,
                        {Pointer->getType(), T}, /*isVarArg=*/false);
  InlineAsm *Asm =
      IsReduction ? InlineAsm::get(Ty, "red" + Operation + " [$0], $1;",
                                   "l," + C + ",~{memory}", true)
                  : InlineAsm::get(Ty, "atom" + Operation + " $0, [$1], $2;",
                                   "=" + C + ",l," + C + ",~{memory}", true);
  CallInst *New = B.CreateCall(Asm, {Pointer, Operand});
  New->setDoesNotThrow();
  if (!I.use_empty())
    I.replaceAllUsesWith(New);
  I.eraseFromParent();
}

} // namespace accx::gpu
