//===- ReadOnlyArguments.cpp - What kernels only read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/ReadOnlyArguments.h"

#include "offload/Kernel.h"
#include "offload/Origins.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::offload {

static bool isOnlyRead(const Argument &A) {
  SmallSetVector<const Value *, 16> Open;
  Open.insert(&A);
  for (unsigned I = 0; I < Open.size(); ++I)
    for (const User *U : Open[I]->users()) {
      if (const auto *Load = dyn_cast<LoadInst>(U)) {
        if (Load->isVolatile() || Load->isAtomic())
          return false;
      } else if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(U)) {
        if (U->getType()->isPtrOrPtrVectorTy())
          Open.insert(U);
        else
          return false;
      } else if (!isa<ICmpInst>(U)) {
        return false;
      }
    }
  return true;
}

PreservedAnalyses ReadOnlyArgumentsPass::run(Module &M,
                                             ModuleAnalysisManager &) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  for (Function &F : M)
    if (isKernelEntry(F))
      for (Argument &A : F.args())
        if (A.hasNoAliasAttr() && !A.onlyReadsMemory() && isOnlyRead(A))
          A.addAttr(Attribute::ReadOnly);
  return PreservedAnalyses::none();
}

} // namespace accx::offload
