//===- ChunksOfOne.cpp - Loops that lose iterations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds calls of libomp's static init with chunks of one iteration, and stores
// the corrected stride behind them. It mends Clang's code at every level and
// makes nothing faster, unlike the rest of this room.
//
//===----------------------------------------------------------------------===//

#include "processor/ChunksOfOne.h"

#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "chunks-of-one"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumMended, "Number of loops kept from losing iterations");

namespace accx::processor {

/// Whether \p Local is only handed to \p Init, and stored to.
static bool isUnreadAfter(const AllocaInst &Local, const CallInst &Init) {
  return all_of(Local.users(), [&](const User *U) {
    if (U == &Init)
      return true;
    if (const auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == &Local;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
    return Intrinsic && Intrinsic->isLifetimeStartOrEnd();
  });
}

/// The stride as a loop's step: once loaded, where a counter moves on.
static bool isStepAlone(const AllocaInst &Stride) {
  return count_if(Stride.users(),
                  [](const User *U) { return isa<LoadInst>(U); }) == 1;
}

static bool mend(CallInst &Init) {
  if (Init.arg_size() <= staticinit::Chunk ||
      constantArgument(Init, staticinit::Schedule) != schedule::StaticChunked ||
      constantArgument(Init, staticinit::Chunk) != 1 ||
      constantArgument(Init, staticinit::Increment) != 1)
    return false;
  auto *Lower = dyn_cast<AllocaInst>(Init.getArgOperand(staticinit::Lower));
  auto *Upper = dyn_cast<AllocaInst>(Init.getArgOperand(staticinit::Upper));
  auto *Stride = dyn_cast<AllocaInst>(Init.getArgOperand(staticinit::Stride));
  if (!Lower || !Upper || !Stride || !isUnreadAfter(*Upper, Init) ||
      !isStepAlone(*Stride))
    return false;
  Type *Int = Stride->getAllocatedType();
  IRBuilder<> B(Init.getNextNode());
  Value *Several = B.CreateICmpNE(B.CreateLoad(Int, Lower),
                                  B.CreateLoad(Int, Upper), "is.all");
  B.CreateStore(B.CreateSelect(Several, ConstantInt::get(Int, 1),
                               B.CreateLoad(Int, Stride)),
                Stride);
  ++NumMended;
  return true;
}

PreservedAnalyses ChunksOfOnePass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  if (isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  bool Changed = false;
  forEachCall(F, ForInit, [&](CallInst &Init) {
    if (!mend(Init))
      return;
    Changed = true;
    ir::remarkPassed(
        DEBUG_TYPE, "ChunksOfOne", Init,
        "loop in chunks of one iteration made right for teams of one thread");
  });
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::processor
