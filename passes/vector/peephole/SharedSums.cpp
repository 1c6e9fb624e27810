//===- SharedSums.cpp - One horizontal sum for several vectors ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of SharedSums.h.
//
//===----------------------------------------------------------------------===//

#include "vector/peephole/SharedSums.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#define DEBUG_TYPE "simd-sums"

using namespace llvm;

STATISTIC(NumShared, "Number of horizontal sums that joined another one");

namespace accx::vector {

static IntrinsicInst *sumOfLanes(Value *V) {
  auto *Sum = dyn_cast<IntrinsicInst>(V);
  return Sum && Sum->getIntrinsicID() == Intrinsic::vector_reduce_fadd &&
                 Sum->hasAllowReassoc()
             ? Sum
             : nullptr;
}

/// Adds the vector of the sum that \p Outer begins with to its own.
static bool join(IntrinsicInst &Outer) {
  IntrinsicInst *Inner = sumOfLanes(Outer.getArgOperand(0));
  if (!Inner || !Inner->hasOneUse() ||
      Inner->getParent() != Outer.getParent() ||
      Inner->getArgOperand(1)->getType() != Outer.getArgOperand(1)->getType())
    return false;
  IRBuilder<> Builder(&Outer);
  Builder.setFastMathFlags(Inner->getFastMathFlags() &
                           Outer.getFastMathFlags());
  Outer.setArgOperand(
      1, Builder.CreateFAdd(Inner->getArgOperand(1), Outer.getArgOperand(1)));
  Outer.setArgOperand(0, Inner->getArgOperand(0));
  Outer.copyFastMathFlags(Builder.getFastMathFlags());
  Inner->eraseFromParent();
  ++NumShared;
  return true;
}

PreservedAnalyses SharedSumsPass::run(Function &F, FunctionAnalysisManager &) {
  if (!Triple(F.getParent()->getTargetTriple()).isX86() || F.hasOptNone())
    return PreservedAnalyses::all();
  unsigned Shared = 0;
  for (BasicBlock &Block : F) {
    // The last of a chain takes in all before it.
    SmallVector<IntrinsicInst *, 4> Sums;
    for (Instruction &I : reverse(Block))
      if (IntrinsicInst *Sum = sumOfLanes(&I))
        Sums.push_back(Sum);
    SmallPtrSet<IntrinsicInst *, 4> Gone;
    for (IntrinsicInst *Sum : Sums) {
      if (Gone.contains(Sum))
        continue;
      while (IntrinsicInst *Inner = sumOfLanes(Sum->getArgOperand(0))) {
        if (!join(*Sum))
          break;
        Gone.insert(Inner);
        ++Shared;
      }
    }
  }
  if (!Shared)
    return PreservedAnalyses::all();
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemark(DEBUG_TYPE, "Shared",
                              F.getEntryBlock().front().getDebugLoc(),
                              &F.getEntryBlock())
           << "vectors are added before their lanes are: "
           << ore::NV("Sums", Shared) << " horizontal sums fewer";
  });
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::vector
