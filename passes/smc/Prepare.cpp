//===- Prepare.cpp - Kernels with regions, as values ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines calls and turns variables into values. Neither InstCombine nor
// SimplifyCFG runs: subscripts and loops stay apart as the program has them.
//
//===----------------------------------------------------------------------===//

#include "smc/Plan.h"

#include "blocks/Notes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

static bool inlineCall(CallBase &Call) {
  InlineFunctionInfo Info;
  return InlineFunction(Call, Info).isSuccess();
}

bool inlineNotes(Module &M, FunctionAnalysisManager &FAM) {
  bool Changed = false, Again = true;
  // Each round moves notes one level up; recursion would go on for ever.
  for (unsigned Round = 0; Again && Round < 8; ++Round) {
    Again = false;
    for (Function &F : make_early_inc_range(M)) {
      if (F.isDeclaration() || !F.hasLocalLinkage() || F.hasOptNone() ||
          F.hasFnAttribute(Attribute::NoInline) || !hasNotes(F))
        continue;
      SmallVector<CallBase *, 4> Calls;
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && Call->getCalledFunction() == &F &&
            Call->getFunction() != &F)
          Calls.push_back(Call);
      if (Calls.size() != F.getNumUses())
        continue;
      for (CallBase *Call : Calls)
        if (Function *Caller = Call->getFunction(); inlineCall(*Call)) {
          FAM.invalidate(*Caller, PreservedAnalyses::none());
          Again = Changed = true;
        }
      if (F.use_empty()) {
        FAM.clear(F, F.getName());
        F.eraseFromParent();
      }
    }
  }
  return Changed;
}

/// Not the device runtime's, whose calls say what code is about.
static bool isProgramCode(const Function &F) {
  const StringRef Name = F.getName();
  return !F.isDeclaration() && !F.hasFnAttribute(Attribute::NoInline) &&
         !Name.starts_with("__kmpc_") && !Name.starts_with("omp_") &&
         !Name.starts_with("accx.") && !Name.contains("omp_reduction") &&
         !Name.contains("ompx");
}

void makeValues(Function &Kernel, FunctionAnalysisManager &FAM) {
  constexpr unsigned MaxInstructions = 20000;
  for (unsigned Round = 0; Round < 8; ++Round) {
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(Kernel))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && Callee != &Kernel && isProgramCode(*Callee))
          Calls.push_back(Call);
    if (Calls.empty())
      break;
    for (CallBase *Call : Calls)
      if (Kernel.getInstructionCount() < MaxInstructions)
        inlineCall(*Call);
  }
  removeUnreachableBlocks(Kernel);
  fenceWrites(Kernel);
  FAM.invalidate(Kernel, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(ADCEPass());
  FAM.invalidate(Kernel, FPM.run(Kernel, FAM));
  // Branches on constants, as calls of the runtime leave them.
  bool Folded = false;
  for (BasicBlock &Block : make_early_inc_range(Kernel))
    Folded |= ConstantFoldTerminator(&Block, /*DeleteDeadConditions=*/true);
  if (Folded)
    removeUnreachableBlocks(Kernel);
  FAM.invalidate(Kernel, PreservedAnalyses::none());
}

void foldConditions(Function &F, FunctionAnalysisManager &FAM) {
  constexpr unsigned MaxExtra = 8;
  for (bool Again = true; Again;) {
    Again = false;
    const LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
    for (BasicBlock &Block : F) {
      auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
      const BasicBlock *From = Block.getSinglePredecessor();
      if (!Branch || !Branch->isConditional() || !From ||
          Loops.getLoopFor(&Block) != Loops.getLoopFor(From) ||
          any_of(Block, [](const Instruction &I) { return noteOf(I); }) ||
          !FoldBranchToCommonDest(Branch, nullptr, nullptr, nullptr, MaxExtra))
        continue;
      removeUnreachableBlocks(F);
      FAM.invalidate(F, PreservedAnalyses::none());
      Again = true;
      break;
    }
  }
}

} // namespace accx::smc
