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
#include "processor/Gangs.h"
#include "processor/Runtime.h"
#include "processor/StaticShares.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace accx;

static bool isDistribute(const CallInst &Init) {
  namespace args = offload::staticinit;
  const auto *Schedule =
      dyn_cast<ConstantInt>(Init.getArgOperand(args::Schedule));
  return Schedule &&
         (Schedule->getSExtValue() == offload::schedule::Distribute ||
          Schedule->getSExtValue() == offload::schedule::DistributeChunked);
}

static SmallVector<CallInst *, 4> distributeLoops(Function &F) {
  SmallVector<CallInst *, 4> Inits;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && offload::calledName(I).starts_with(offload::ForInit) &&
        isDistribute(*Call))
      Inits.push_back(Call);
  return Inits;
}

/// Where a team runs gangs that are counted, the loop is shared among those.
static void shareAmongGangs(CallInst &Init) {
  IRBuilder<> B(&Init);
  B.SetCurrentDebugLocation(Init.getDebugLoc());
  const processor::CurrentGang Gang = processor::readGang(B, *Init.getModule());
  Value *AreCounted = B.CreateICmpUGT(Gang.Count, B.getInt32(0));
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(AreCounted, &Init, &Then, &Else);
  auto *Share = cast<CallInst>(Init.clone());
  Share->insertBefore(Then);
  Init.moveBefore(Else);
  processor::takeShareOf(*Share, Gang.Number, Gang.Count);
}

static void guard(CallInst &Init) {
  if (processor::isHostDevice(*Init.getModule()) &&
      processor::isDistributeLoop(Init))
    shareAmongGangs(Init);
  IRBuilder<> B(&Init);
  B.SetCurrentDebugLocation(Init.getDebugLoc());
  Value *Teams = B.CreateCall(Init.getModule()->getOrInsertFunction(
      processor::NumTeams, B.getInt32Ty()));
  Value *IsOne = B.CreateICmpSLE(Teams, B.getInt32(1));
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(IsOne, &Init, &Then, &Else);
  auto *Whole = cast<CallInst>(Init.clone());
  Whole->insertBefore(Then);
  Init.moveBefore(Else);
  processor::takeWholeLoop(*Whole);
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
      for (CallInst *Init : distributeLoops(F)) {
        guard(*Init);
        Changed = true;
      }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
