//===- Loops.cpp - Loops in the form that passes need ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk and the form of Loops.h.
//
//===----------------------------------------------------------------------===//

#include "vector/Loops.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::vector {

bool takeLoops(Function &F, FunctionAnalysisManager &FAM,
               function_ref<bool(Loop &)> Take) {
  auto TakeOne = [&] {
    return any_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
                  [&](Loop *L) { return Take(*L); });
  };
  bool Changed = false;
  while (TakeOne())
    Changed = true;
  return Changed;
}

bool bringIntoForm(Loop &L, Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed =
      simplifyLoop(&L, &DT, &LI, &SE, &FAM.getResult<AssumptionAnalysis>(F),
                   nullptr, /*PreserveLCSSA=*/false);
  Changed |= formLCSSARecursively(L, DT, &LI, &SE);
  return Changed;
}

bool endsAtLatch(const Loop &L) {
  return L.isLoopSimplifyForm() && L.getExitBlock() &&
         L.getExitingBlock() == L.getLoopLatch();
}

} // namespace accx::vector
