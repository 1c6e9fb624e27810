//===- FunctionLoops.h - What passes know of a function's loops -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses that passes on marked loops keep up to date while they work.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_FUNCTIONLOOPS_H
#define ACCX_GRIDTUNE_FUNCTIONLOOPS_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace accx::gridtune {

/// A base of what works on one function.
class FunctionLoops {
protected:
  llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;

  FunctionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM)
      : F(F), DT(FAM.getResult<llvm::DominatorTreeAnalysis>(F)),
        Loops(FAM.getResult<llvm::LoopAnalysis>(F)),
        SE(FAM.getResult<llvm::ScalarEvolutionAnalysis>(F)),
        AC(FAM.getResult<llvm::AssumptionAnalysis>(F)) {}

  void simplify(llvm::Loop &L) {
    llvm::simplifyLoop(&L, &DT, &Loops, &SE, &AC, nullptr, false);
  }

  /// Blocks have changed.
  void forgetLoops() {
    SE.forgetAllLoops();
    DT.recalculate(F);
    Loops.releaseMemory();
    Loops.analyze(DT);
  }
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_FUNCTIONLOOPS_H
