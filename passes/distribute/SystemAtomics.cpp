//===- SystemAtomics.cpp - Atomics that all devices see -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces atomics by PTX with a scope. They keep the order of the original,
// which OpenMP has relaxed; fences around stronger ones are there already.
//
//===----------------------------------------------------------------------===//

#include "distribute/SystemAtomics.h"

#include "gpu/Ptx.h"
#include "offload/Kernel.h"
#include "offload/Origins.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;
using namespace accx::gpu;
using namespace accx::offload;

namespace accx::distribute {

namespace {

/// The address in the generic space, as PTX without a space takes it.
Value *generic(IRBuilder<> &B, Value *Pointer) {
  return B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
}

void replace(AtomicRMWInst &I) {
  IRBuilder<> B(&I);
  emitPtxAtomic(I, ".sys", generic(B, I.getPointerOperand()));
}

void replace(AtomicCmpXchgInst &I) {
  Type *T = I.getCompareOperand()->getType();
  IRBuilder<> B(&I);
  const std::string C(1, ptxRegisterOf(*T));
  InlineAsm *Asm = InlineAsm::get(
      FunctionType::get(T, {B.getPtrTy(), T, T}, false),
      "atom.sys.cas.b" + std::to_string(T->getIntegerBitWidth()) +
          " $0, [$1], $2, $3;",
      "=" + C + ",l," + C + "," + C + ",~{memory}", true);
  CallInst *Old =
      B.CreateCall(Asm, {generic(B, I.getPointerOperand()),
                         I.getCompareOperand(), I.getNewValOperand()});
  Old->setDoesNotThrow();
  Value *Both = B.CreateInsertValue(PoisonValue::get(I.getType()), Old, 0);
  Both =
      B.CreateInsertValue(Both, B.CreateICmpEQ(Old, I.getCompareOperand()), 1);
  I.replaceAllUsesWith(Both);
  I.eraseFromParent();
}

/// Whether the memory may be another device's.
bool mayBeShared(Value *Pointer) {
  const PointerOrigins From = originsOf(Pointer);
  return !From.Args.empty() || From.Loaded || From.Unknown;
}

} // namespace

static bool hasScope(const Instruction &I) {
  if (const auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
    return !ptxOperationOf(*Rmw).empty();
  const Type *T = cast<AtomicCmpXchgInst>(I).getCompareOperand()->getType();
  return T->isIntegerTy(32) || T->isIntegerTy(64);
}

static SmallVector<Instruction *, 4>
sharedAtomics(ArrayRef<Function *> Functions) {
  SmallVector<Instruction *, 4> Found;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F)) {
      Value *Pointer = nullptr;
      if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
        Pointer = Rmw->getPointerOperand();
      else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
        Pointer = Exchange->getPointerOperand();
      if (Pointer && isGpuCode(*F->getParent()) && mayBeShared(Pointer))
        Found.push_back(&I);
    }
  return Found;
}

Instruction *findAtomicOfOneDevice(ArrayRef<Function *> Functions) {
  for (Instruction *I : sharedAtomics(Functions))
    if (!hasScope(*I))
      return I;
  return nullptr;
}

void makeAtomicsSystemWide(ArrayRef<Function *> Functions) {
  for (Instruction *I : sharedAtomics(Functions)) {
    if (!hasScope(*I))
      continue;
    if (auto *Rmw = dyn_cast<AtomicRMWInst>(I))
      replace(*Rmw);
    else
      replace(cast<AtomicCmpXchgInst>(*I));
  }
}

} // namespace accx::distribute
