//===- PureCalls.cpp - Functions that only compute ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/PureCalls.h"

#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::offload {

static bool onlyComputes(const Function &F, unsigned Depth) {
  constexpr unsigned MaxDepth = 3;
  if (F.doesNotAccessMemory() && F.willReturn() && !F.isConvergent())
    return true;
  if (any_of(F.args(),
             [](const Argument &A) { return A.getType()->isPointerTy(); }))
    return false;
  if (F.getName().starts_with("__nv_"))
    return true;
  if (F.isDeclaration() || Depth > MaxDepth || !F.hasExactDefinition())
    return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Backward;
  FindFunctionBackedges(F, Backward);
  if (!Backward.empty() && !F.mustProgress())
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Known = dyn_cast<IntrinsicInst>(&I))
      return saysOnly(*Known) ||
             (Known->doesNotAccessMemory() && !Known->isConvergent());
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && onlyComputes(*Callee, Depth + 1);
    }
    if (!I.mayReadOrWriteMemory())
      return true;
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && !I.isVolatile() && !I.isAtomic() &&
           isa<AllocaInst>(getUnderlyingObject(Pointer, 0));
  });
}

bool onlyComputes(const Function &F) { return onlyComputes(F, 0); }

/// Tells it to LLVM, at the calls, too, which are convergent as all of device
/// code is. \p Callers may only compute now.
static void markPure(Function &F, SetVector<Function *> &Callers) {
  F.setDoesNotAccessMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  F.setNotConvergent();
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledFunction() == &F) {
      Call->setNotConvergent();
      Callers.insert(Call->getFunction());
    }
}

PreservedAnalyses PureCallsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  // What nobody calls may be a kernel, and says nothing to anybody.
  SetVector<Function *> Open;
  for (Function &F : M)
    if (!F.use_empty() && !F.isIntrinsic())
      Open.insert(&F);
  while (!Open.empty()) {
    Function *F = Open.pop_back_val();
    const bool IsMarked = F->doesNotAccessMemory() && F->doesNotThrow() &&
                          F->willReturn() && !F->isConvergent();
    if (!IsMarked && onlyComputes(*F))
      markPure(*F, Open);
  }
  return PreservedAnalyses::none();
}

} // namespace accx::offload
