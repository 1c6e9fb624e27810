//===- InlineBodies.cpp - Calls in vector loops ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the calls in marked vector loops that are small enough, and inlines
// them in a few rounds. It runs ahead of planning, which sees only one
// function.
//
//===----------------------------------------------------------------------===//

#include "lanes/InlineBodies.h"

#include "gridloop/GridIv.h"
#include "lanes/Calls.h"
#include "lanes/Marks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace accx::lanes {

/// Whether the inliner would hardly refuse. Code before any optimization is
/// three times as long as later.
static bool isSmall(const CallBase &Call) {
  constexpr unsigned MaxInstructions = 160;
  const Function *F = Call.getCalledFunction();
  if (!F || F->isDeclaration() || F->isInterposable() || F->isVarArg() ||
      F == Call.getFunction() || F->hasFnAttribute(Attribute::NoInline) ||
      F->hasOptNone() || Call.isNoInline() || !isa<CallInst>(Call) ||
      F->getInstructionCount() > MaxInstructions || !mayRunAlone(Call))
    return false;
  return none_of(instructions(*F), [&](const Instruction &I) {
    const auto *Inner = dyn_cast<CallBase>(&I);
    return Inner && Inner->getCalledFunction() == F;
  });
}

/// Whether \p L may become a loop of lanes. A loop that threads share may not.
static bool isAcrossLanes(const Loop &L) {
  const MDNode *Id = L.getLoopID();
  return vectorLength(L) && !(Id && gridloop::isGridLoop(*Id));
}

void inlineBodies(Function &F, FunctionAnalysisManager &FAM) {
  // Inlining of functions that call each other has to end.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    SmallVector<CallBase *, 8> Calls;
    for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (isAcrossLanes(*L))
        for (BasicBlock *Block : L->blocks())
          for (Instruction &I : *Block)
            if (auto *Call = dyn_cast<CallBase>(&I);
                Call && isSmall(*Call) && !is_contained(Calls, Call))
              Calls.push_back(Call);
    bool Any = false;
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      Any |= InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess();
    }
    if (!Any)
      break;
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

} // namespace accx::lanes
