//===- Strip.cpp - Removes what is left of markers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of Strip.h.
//
//===----------------------------------------------------------------------===//

#include "markers/Strip.h"

#include "markers/Markers.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "accx-strip-markers"

using namespace llvm;

STATISTIC(NumStripped, "Number of marker calls removed");

namespace accx::markers {

PreservedAnalyses StripPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || !F.getName().starts_with(Prefix))
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledOperand() != &F || Call->isTerminator())
        continue;
      if (!Call->use_empty())
        Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
      Call->eraseFromParent();
      ++NumStripped;
    }
    Changed = true;
    if (!F.use_empty()) {
      M.getContext().emitError("accx: the address of the marker '" +
                               F.getName() + "' is taken");
      continue;
    }
    F.eraseFromParent();
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::markers
