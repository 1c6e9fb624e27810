//===- AtomicReductions.cpp - Atomics without a result --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/AtomicReductions.h"

#include "gpu/Ptx.h"
#include "offload/Kernel.h"
#include "offload/Origins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "atomic-red"

using namespace llvm;

STATISTIC(NumReductions, "Number of atomics that became reductions");

namespace accx::offload {

/// Whether all that \p Pointer may point to is memory of the device. A kernel's
/// arguments are addresses that the host has.
static bool isGlobalMemory(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [](const Value *Object) {
    if (Object->getType()->getPointerAddressSpace() == gpu::GlobalSpace)
      return true;
    const auto *A = dyn_cast<Argument>(Object);
    return A && isKernelEntry(*A->getParent()) && !A->hasByValAttr() &&
           A->getType()->getPointerAddressSpace() == 0;
  });
}

static bool isReduction(const AtomicRMWInst &I) {
  return gpu::isPtxReduction(I) && !I.isVolatile() &&
         I.getOrdering() == AtomicOrdering::Monotonic &&
         !gpu::ptxOperationOf(I).empty() &&
         isGlobalMemory(I.getPointerOperand());
}

PreservedAnalyses AtomicReductionsPass::run(Function &F,
                                            FunctionAnalysisManager &) {
  if (!isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  SmallVector<AtomicRMWInst *, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
        Update && isReduction(*Update))
      Found.push_back(Update);
  for (AtomicRMWInst *Update : Found) {
    IRBuilder<> B(Update);
    Value *Address = B.CreateAddrSpaceCast(Update->getPointerOperand(),
                                           B.getPtrTy(gpu::GlobalSpace));
    gpu::emitPtxAtomic(*Update, ".global", Address);
  }
  NumReductions += Found.size();
  if (Found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::offload
