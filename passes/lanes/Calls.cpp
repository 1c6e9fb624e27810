//===- Calls.cpp - Functions that lanes call ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through called functions to see what they ask and touch. Planning and
// inlining both ask, before attributes of functions are known. Calls in marked
// vector loops that are small enough are inlined in a few rounds, ahead of
// planning, which sees only one function.
//
//===----------------------------------------------------------------------===//

#include "lanes/Calls.h"

#include "gridloop/GridIv.h"
#include "lanes/Marks.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace accx::lanes {

using FunctionSet = SmallPtrSet<const Function *, 8>;

static bool isRegisterRead(const IntrinsicInst &I) {
  return I.getCalledFunction()->getName().starts_with("llvm.nvvm.read.ptx.");
}

static bool mayRunAlone(const CallBase &Call, FunctionSet &Seen) {
  if (const auto *I = dyn_cast<IntrinsicInst>(&Call))
    return !I->isConvergent() &&
           !I->getCalledFunction()->getName().starts_with("llvm.nvvm.barrier");
  if (Call.isInlineAsm())
    return false;
  const Function *F = Call.getCalledFunction();
  // OpenMP forbids a team's barrier in a worksharing loop, so functions that
  // cannot be seen have none.
  if (!F)
    return true;
  const StringRef Name = F->getName();
  if (Name == offload::AllocShared || Name == offload::FreeShared ||
      Name.starts_with("omp_get_"))
    return true;
  if (Name.starts_with("__kmpc_") || Name.starts_with("omp_") ||
      Name.starts_with("ompx_") || Name.starts_with("_ZN4ompx") ||
      Name.contains("captured_stmt"))
    return false;
  if (F->isDeclaration() || !Seen.insert(F).second)
    return true;
  return all_of(instructions(*F), [&](const Instruction &I) {
    const auto *Inner = dyn_cast<CallBase>(&I);
    return !Inner || mayRunAlone(*Inner, Seen);
  });
}

bool mayRunAlone(const CallBase &Call) {
  FunctionSet Seen;
  return mayRunAlone(Call, Seen);
}

static bool isRepeatable(const CallBase &Call, FunctionSet &Seen) {
  if (const auto *I = dyn_cast<IntrinsicInst>(&Call))
    return !I->isConvergent() && !isRegisterRead(*I) &&
           (I->isAssumeLikeIntrinsic() || I->onlyReadsMemory());
  const Function *F = Call.getCalledFunction();
  if (!F || !isa<CallInst>(Call))
    return false;
  if (F->isDeclaration())
    return F->doesNotAccessMemory() && F->willReturn();
  if (!Seen.insert(F).second)
    return false;
  const auto IsOwn = [](const Value *Pointer) {
    return isa<AllocaInst>(getUnderlyingObject(Pointer, 0));
  };
  return all_of(instructions(*F), [&](const Instruction &I) {
    if (const auto *Inner = dyn_cast<CallBase>(&I)) {
      if (const auto *Copy = dyn_cast<MemIntrinsic>(Inner))
        return !Copy->isVolatile() && IsOwn(Copy->getDest());
      const bool Fine = isRepeatable(*Inner, Seen);
      // Several calls of one function are no recursion.
      if (const Function *Callee = Inner->getCalledFunction())
        Seen.erase(Callee);
      return Fine;
    }
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple() && IsOwn(Store->getPointerOperand());
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple();
    return !I.mayWriteToMemory() && !I.isAtomic();
  });
}

bool isRepeatable(const CallBase &Call) {
  FunctionSet Seen;
  return isRepeatable(Call, Seen);
}

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
