//===- Function.cpp - Bodies for the variants of declare simd -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of Function.h.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Function.h"

#include "vector/Width.h"
#include "vector/functions/Forms.h"
#include "vector/functions/Loop.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace accx::vector {

/// On functions that were kept, and on those that may be inlined again.
static constexpr char KeptAttribute[] = "accx-simd-kept";
static constexpr char NotInlinedAttribute[] = "accx-simd-not-inlined";

static bool isSupported(const Module &M) {
  const Triple Target(M.getTargetTriple());
  return Target.getArch() == Triple::x86_64 && !Target.isOSWindows();
}

static bool hasLoop(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> BackEdges;
  FindFunctionBackedges(F, BackEdges);
  return !BackEdges.empty();
}

PreservedAnalyses SimdFunctionKeepPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  if (!isSupported(M))
    return PreservedAnalyses::all();
  SmallVector<GlobalValue *, 8> Local;
  for (Function &F : M) {
    if (F.isDeclaration() || !hasVariants(F) || F.hasOptNone() ||
        F.hasFnAttribute(KeptAttribute))
      continue;
    F.addFnAttr(KeptAttribute);
    if (F.hasLocalLinkage())
      Local.push_back(&F);
    if (!F.hasFnAttribute(Attribute::AlwaysInline) &&
        !F.hasFnAttribute(Attribute::NoInline) && hasLoop(F)) {
      F.addFnAttr(NotInlinedAttribute);
      F.addFnAttr(Attribute::NoInline);
    }
  }
  // One use that nobody understands keeps a function's parameters.
  if (!Local.empty())
    appendToCompilerUsed(M, Local);
  return PreservedAnalyses::all();
}

static void release(Module &M) {
  SmallPtrSet<Constant *, 8> Local;
  for (Function &F : M) {
    if (!F.hasFnAttribute(KeptAttribute))
      continue;
    F.removeFnAttr(KeptAttribute);
    if (F.hasLocalLinkage())
      Local.insert(&F);
    if (F.hasFnAttribute(NotInlinedAttribute)) {
      F.removeFnAttr(NotInlinedAttribute);
      F.removeFnAttr(Attribute::NoInline);
    }
  }
  if (!Local.empty())
    removeFromUsedLists(M, [&](Constant *C) { return Local.contains(C); });
}

PreservedAnalyses SimdFunctionPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isSupported(M))
    return PreservedAnalyses::all();
  release(M);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  FunctionForms Forms(M, FAM);
  Forms.declare();
  Forms.define();
  // What is left of calls in them goes to LoopVectorize.
  const bool Changed = widenOuterLoops(M, FAM, Forms);
  Forms.attach();
  if (Function *Any = M.getFunction(AnyLane))
    Any->eraseFromParent();
  return Forms.empty() && !Changed ? PreservedAnalyses::all()
                                   : PreservedAnalyses::none();
}

/// Bits of the widest register that a call of \p Callee passes a vector in.
static unsigned widestRegister(const Function &Callee) {
  unsigned Widest = 0;
  auto See = [&](const Type *Ty) {
    if (Ty->isVectorTy())
      Widest = std::max(Widest, unsigned(Ty->getPrimitiveSizeInBits()));
  };
  See(Callee.getReturnType());
  for (const Argument &A : Callee.args())
    See(A.getType());
  return std::min(Widest, 512U);
}

/// All vector registers are lost in a call, and LLVM aligns the stack for its
/// spills only if it knows that it has some when it decides about the frame
/// pointer. Else every one of them may lie in two cache lines, which makes
/// calls up to one and a half times as long, as the caller's stack falls.
static bool alignSpills(Function &Caller, unsigned Widest) {
  const Align Wanted(std::max(Widest / 8, 16U));
  if (Wanted <= Align(16) || Caller.hasFnAttribute(Attribute::Naked) ||
      Caller.hasFnAttribute("no-realign-stack") ||
      Caller.getFnStackAlign().valueOrOne() >= Wanted)
    return false;
  Caller.removeFnAttr(Attribute::StackAlignment);
  Caller.addFnAttr(
      Attribute::getWithStackAlignment(Caller.getContext(), Wanted));
  return true;
}

PreservedAnalyses SimdFunctionFinishPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!F.hasFnAttribute(WrapperAttribute))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == &F) {
        InlineFunctionInfo Info;
        InlineFunction(*Call, Info);
      }
    F.removeFnAttr(WrapperAttribute);
    if (F.use_empty())
      F.eraseFromParent();
    Changed = true;
  }
  const bool Aligns = isSupported(M);
  for (Function &F : M)
    if (F.getName().starts_with("_ZGV"))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && Call->getCalledFunction() == &F) {
          const unsigned Widest = widestRegister(F);
          Changed |= widenLegalVectors(*Call->getFunction(), Widest);
          Changed |= Aligns && alignSpills(*Call->getFunction(), Widest);
        }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::vector
