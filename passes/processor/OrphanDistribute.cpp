//===- OrphanDistribute.cpp - distribute outside of teams -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a test in front of loops of `distribute` that no league of this module
// runs. What the loop becomes on either side of the test is written by
// StaticShares.cpp.
//
//===----------------------------------------------------------------------===//

#include "processor/OrphanDistribute.h"

#include "offload/DeviceCalls.h"
#include "processor/DirectBody.h"
#include "processor/Gangs.h"
#include "processor/Runtime.h"
#include "processor/StaticShares.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace accx;
using namespace accx::processor;

static bool isDistribute(const CallInst &Init) {
  const auto Schedule =
      offload::constantArgument(Init, offload::staticinit::Schedule);
  return Schedule == offload::schedule::Distribute ||
         Schedule == offload::schedule::DistributeChunked;
}

/// A copy of \p Init for where \p Condition is true.
static CallInst &copyFor(Value *Condition, CallInst &Init) {
  Instruction *Copy = Init.clone();
  Copy->insertBefore(insteadOf(Init, Condition));
  return *cast<CallInst>(Copy);
}

/// Where a team runs gangs that are counted, the loop is shared among those.
static void shareAmongGangs(CallInst &Init) {
  IRBuilder<> B(&Init);
  const CurrentGang Gang = readGang(B, *Init.getModule());
  Value *AreCounted = B.CreateICmpUGT(Gang.Count, B.getInt32(0));
  takeShareOf(copyFor(AreCounted, Init), Gang.Number, Gang.Count);
}

static void guard(CallInst &Init) {
  if (isHostDevice(*Init.getModule()) && isDistributeLoop(Init))
    shareAmongGangs(Init);
  IRBuilder<> B(&Init);
  Value *Teams = B.CreateCall(
      Init.getModule()->getOrInsertFunction(NumTeams, B.getInt32Ty()));
  takeWholeLoop(copyFor(B.CreateICmpSLE(Teams, B.getInt32(1)), Init));
}

PreservedAnalyses
processor::OrphanDistributePass::run(Module &M, ModuleAnalysisManager &) {
  const Triple Target(M.getTargetTriple());
  if (Target.isNVPTX() || Target.isAMDGPU())
    return PreservedAnalyses::all();
  SmallPtrSet<const Function *, 16> Leagues;
  if (const Function *ForkFn = M.getFunction(ForkTeams))
    for (const User *U : ForkFn->users())
      if (const auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == ForkFn)
        Leagues.insert(dyn_cast<Function>(
            Call->getArgOperand(fork::Body)->stripPointerCasts()));
  bool Changed = false;
  for (Function &F : M)
    if (!Leagues.contains(&F))
      offload::forEachCall(F, offload::ForInit, [&](CallInst &Init) {
        if (!isDistribute(Init))
          return;
        guard(Init);
        Changed = true;
      });
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
