//===- CalledOnce.cpp - Functions with one call ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/CalledOnce.h"

#include "offload/Kernel.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "called-once"

using namespace llvm;

STATISTIC(NumFunctions, "Number of functions that their one call inlines");

namespace accx::offload {

/// Whether \p F is called at one place, and what else uses it is no call.
static bool hasOneCall(const Function &F) {
  unsigned Calls = 0;
  for (const Use &U : F.uses())
    if (const auto *Call = dyn_cast<CallBase>(U.getUser());
        Call && Call->isCallee(&U) && ++Calls > 1)
      return false;
  return Calls == 1;
}

/// Names of runtimes and of the mathematical library begin so.
static bool isWorthIt(Function &F) {
  constexpr Attribute::AttrKind Marks[] = {
      Attribute::NoInline, Attribute::AlwaysInline, Attribute::OptimizeNone,
      Attribute::Cold, Attribute::OptimizeForSize};
  return !F.isDeclaration() && !F.isInterposable() &&
         !F.getName().starts_with("__") && !F.isVarArg() &&
         none_of(Marks, [&](auto Mark) { return F.hasFnAttribute(Mark); }) &&
         hasOneCall(F) && isInlineViable(F).isSuccess();
}

PreservedAnalyses CalledOncePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  CallGraph &Calls = MAM.getResult<CallGraphAnalysis>(M);
  bool Changed = false;
  for (auto Group = scc_begin(&Calls); !Group.isAtEnd(); ++Group) {
    Function *F = Group->size() == 1 ? Group->front()->getFunction() : nullptr;
    if (!F || Group.hasCycle() || !isWorthIt(*F))
      continue;
    F->addFnAttr(Attribute::AlwaysInline);
    ++NumFunctions;
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::offload
