//===- StructArguments.cpp - Structs by value on GPUs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/StructArguments.h"

#include "offload/Kernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace accx::offload {

/// Copies argument \p I of \p Call ahead of it, if nothing else than Clang
/// knows how it is aligned.
static bool copyAhead(CallBase &Call, unsigned I) {
  const DataLayout &DL = Call.getModule()->getDataLayout();
  Value *Struct = Call.getArgOperand(I);
  const MaybeAlign Aligned = Call.getParamAlign(I);
  if (!Aligned || getKnownAlignment(Struct, DL) >= *Aligned)
    return false;
  Type *Ty = Call.getParamByValType(I);
  IRBuilder<> Builder(&*Call.getFunction()->getEntryBlock().begin());
  AllocaInst *Copy =
      Builder.CreateAlloca(Ty, DL.getAllocaAddrSpace(), nullptr, "by.value");
  Copy->setAlignment(*Aligned);
  Builder.SetInsertPoint(&Call);
  Builder.CreateMemCpy(Copy, Aligned, Struct, Aligned, DL.getTypeAllocSize(Ty));
  Call.setArgOperand(I, Copy);
  return true;
}

PreservedAnalyses StructArgumentsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  SmallVector<std::pair<CallBase *, unsigned>, 16> Structs;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        for (unsigned A = 0; A < Call->arg_size(); ++A)
          if (Call->isByValArgument(A))
            Structs.emplace_back(Call, A);
  bool Changed = false;
  for (auto [Call, A] : Structs)
    Changed |= copyAhead(*Call, A);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::offload
