//===- OpenFunctions.cpp - Functions that return before their regions -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OpenFunctions.h.
//
//===----------------------------------------------------------------------===//

#include "host/OpenFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace accx;
using namespace accx::host;

bool host::isWatched(const Function &F) {
  return F.hasOptNone() || F.hasFnAttribute(Attribute::SanitizeAddress) ||
         F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
         F.hasFnAttribute(Attribute::SanitizeMemory) ||
         F.hasFnAttribute(Attribute::SanitizeThread);
}

/// Whether \p U is a call of a function that may be changed.
static bool isKnownCall(const Use &U, const FunctionSet &Fixed) {
  const auto *Call = dyn_cast<CallInst>(U.getUser());
  return Call && Call->isCallee(&U) && !Call->isMustTailCall() &&
         Call->getCalledFunction() == U.get() &&
         !Fixed.contains(Call->getFunction());
}

/// Whether \p F could return while regions are under way.
static bool mayReturn(const Function &F, const FunctionSet &Fixed) {
  return !F.isDeclaration() && F.doesNotThrow() && !Fixed.contains(&F);
}

bool host::mayStayOpen(const Function &F, const FunctionSet &Fixed) {
  return F.hasLocalLinkage() && mayReturn(F, Fixed) &&
         all_of(F.uses(), [&](const Use &U) { return isKnownCall(U, Fixed); });
}

Function *OpenCopies::make(Function &F) {
  if (F.isInterposable() || F.isVarArg() ||
      F.hasFnAttribute(Attribute::NoDuplicate) || !mayReturn(F, Fixed))
    return nullptr;
  SmallVector<Use *, 8> Calls;
  for (Use &U : F.uses())
    if (isKnownCall(U, Fixed) &&
        cast<CallInst>(U.getUser())->getFunction() != &F)
      Calls.push_back(&U);
  if (Calls.empty())
    return nullptr;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + ".open");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->setDSOLocal(true);
  Copy->setComdat(nullptr);
  for (Use *U : Calls)
    U->set(Copy);
  CopyOf[&F] = Copy;
  return Copy;
}

bool OpenCopies::isToGo(const Function &F, const FunctionSet &Open) const {
  return !Open.contains(&F) &&
         any_of(CopyOf, [&](const auto &Pair) { return Pair.second == &F; });
}

bool OpenCopies::takeBack(const FunctionSet &Open,
                          FunctionAnalysisManager &FAM) {
  SmallVector<Function *, 4> Gone;
  CopyOf.remove_if([&](const auto &Pair) {
    auto [F, Copy] = Pair;
    if (Open.contains(Copy))
      return false;
    Copy->replaceAllUsesWith(F);
    Gone.push_back(Copy);
    return true;
  });
  for (Function *Copy : Gone) {
    FAM.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
  return !CopyOf.empty();
}
