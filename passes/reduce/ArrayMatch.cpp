//===- ArrayMatch.cpp - Looks for arrays that blocks may share ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of KernelArrays that recognizes: it cleans code up until Clang's
// loops show, and matches one array's loops and uses. Choosing and emitting are
// in KernelArrays.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/KernelArrays.h"

#include "offload/DeviceCalls.h"
#include "offload/PointerList.h"
#include "reduce/Pieces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::reduce {

/// The store that puts variable \p Index into \p Plan's list.
static StoreInst *listStore(const ReductionPlan &Plan, unsigned Index) {
  const DataLayout &Layout = Plan.Call->getModule()->getDataLayout();
  StoreInst *Found = nullptr;
  const auto Look = [&](Value *Pointer, auto &&Again) -> void {
    for (User *U : Pointer->users()) {
      if (isa<GetElementPtrInst>(U))
        Again(U, Again);
      auto *Store = dyn_cast<StoreInst>(U);
      if (Store && Store->getPointerOperand() == Pointer &&
          slotOf(Pointer, Plan.List, Layout) == Index)
        Found = Store;
    }
  };
  Look(Plan.List, Look);
  return Found;
}

static Type *elementOf(Type *T, uint64_t &Count) {
  Count = 1;
  while (auto *Array = dyn_cast<ArrayType>(T)) {
    Count *= Array->getNumElements();
    T = Array->getElementType();
  }
  return T;
}

void KernelArrays::clean(Function &F) {
  FunctionPassManager FPM;
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// Makes stores to arrays volatile, or no longer so: passes must not take a
/// stored value for that of a later load.
void KernelArrays::keepStores(bool Kept) {
  for (unsigned I = 0; I < InTeam.Variables.size(); ++I) {
    StoreInst *List = listStore(InTeam, I);
    if (!List || !InTeam.Variables[I]->isArrayTy())
      continue;
    forEachAccess(*getUnderlyingObject(List->getValueOperand()),
                  [&](Instruction &I) {
                    auto *Store = dyn_cast<StoreInst>(&I);
                    if (Store && Store != List)
                      Store->setVolatile(Kept);
                  });
  }
}

/// Inlines small functions that get an array's address into the region.
bool KernelArrays::inlineUsers() {
  constexpr unsigned Small = 200;
  SmallSetVector<CallInst *, 4> Calls;
  for (unsigned I = 0; I < InTeam.Variables.size(); ++I) {
    StoreInst *List = listStore(InTeam, I);
    if (!List || !InTeam.Variables[I]->isArrayTy())
      continue;
    forEachAccess(
        *getUnderlyingObject(List->getValueOperand()), [&](Instruction &User) {
          auto *Call = dyn_cast<CallInst>(&User);
          const Function *F = Call ? Call->getCalledFunction() : nullptr;
          if (F && !F->isDeclaration() && F != &Body &&
              !F->hasFnAttribute(Attribute::NoInline) && !F->hasOptNone() &&
              F->getInstructionCount() <= Small)
            Calls.insert(Call);
        });
  }
  bool Any = false;
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    Any |= InlineFunction(*Call, Info).isSuccess();
  }
  return Any;
}

void KernelArrays::cleanUp() {
  // The depth to which such functions call each other.
  constexpr unsigned Levels = 4;
  for (unsigned Level = 0;; ++Level) {
    SROAPass(SROAOptions::ModifyCFG).run(Body, FAM);
    FAM.invalidate(Body, PreservedAnalyses::none());
    if (Level == Levels || !inlineUsers())
      break;
  }
  keepStores(true);
  clean(Body);
  keepStores(false);
  if (!Over.Call)
    return;
  SROAPass(SROAOptions::ModifyCFG).run(*Kernel.Kernel, FAM);
  FAM.invalidate(*Kernel.Kernel, PreservedAnalyses::none());
  clean(*Kernel.Kernel);
}

static bool sets(const ElementLoop &L, const Value *Array,
                 AtomicRMWInst::BinOp Op) {
  const Constant *To = L.constant();
  // -0.0, but Clang's is 0.0.
  return L.Into == Array && !L.From && To &&
         (To == neutralOf(Op, L.Element) ||
          (Op == AtomicRMWInst::FAdd && To->isZeroValue()));
}

/// The loops of \p F that set \p Array and that combine it into something.
static bool findLoops(Function &F, Value *Array, ElementLoop &Init,
                      ElementLoop &Fold) {
  unsigned Inits = 0, Folds = 0;
  for (BasicBlock &Block : F) {
    const auto L = ElementLoop::match(Block);
    if (!L)
      continue;
    if (L->Into == Array) {
      Init = *L;
      ++Inits;
    } else if (L->From == Array) {
      Fold = *L;
      ++Folds;
    }
  }
  return Inits == 1 && Folds == 1 && Init.Count == Fold.Count &&
         Init.Element == Fold.Element;
}

ArrayRefusal KernelArrays::matchTeam(Candidate &C) {
  const auto *Parameter = dyn_cast<Argument>(getUnderlyingObject(C.Fold.Into));
  Value *Captured =
      Parameter && Parameter->getArgNo() >= parallel::FirstCaptured
          ? capturedValue(*Region.Call,
                          Parameter->getArgNo() - parallel::FirstCaptured)
          : nullptr;
  auto *Team =
      Captured ? dyn_cast<AllocaInst>(getUnderlyingObject(Captured)) : nullptr;
  if (!Team || !findLoops(*Kernel.Kernel, Team, C.TeamInit, C.TeamFold))
    return ArrayRefusal::Form;
  StoreInst *List = nullptr;
  for (unsigned I = 0; I < Over.Variables.size() && !List; ++I) {
    List = listStore(Over, I);
    if (List && List->getValueOperand() == Team)
      C.OverTeams = I;
    else
      List = nullptr;
  }
  const DominatorTree DT(*Kernel.Kernel);
  if (!List || !sets(C.TeamInit, Team, C.Op) || C.TeamFold.combiner() != C.Op ||
      C.TeamFold.Count != C.Fold.Count ||
      !DT.dominates(C.TeamInit.Block, Region.Call->getParent()) ||
      !DT.dominates(C.TeamInit.Block, Over.Call->getParent()) ||
      !DT.dominates(C.TeamFold.Into, Over.Call))
    return ArrayRefusal::Form;
  // No other code may use the team's copy.
  bool Others = false;
  forEachAccess(*Team, [&](Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    Others |= I.getParent() != C.TeamInit.Block &&
              I.getParent() != C.TeamFold.Block && !I.isLifetimeStartOrEnd() &&
              &I != List &&
              !(Store && Store->getValueOperand() == Captured &&
                Store->getParent() == Region.Call->getParent());
  });
  forEachAccess(*const_cast<Argument *>(Parameter), [&](Instruction &I) {
    Others |= I.getParent() != C.Fold.Block;
  });
  return Others ? ArrayRefusal::Form : ArrayRefusal::None;
}

/// Whether \p Into, in the region, is what the kernel got from outside.
bool KernelArrays::isGlobal(Value *Into) const {
  const auto *Parameter = dyn_cast<Argument>(getUnderlyingObject(Into));
  Value *Captured =
      Parameter && Parameter->getArgNo() >= parallel::FirstCaptured
          ? capturedValue(*Region.Call,
                          Parameter->getArgNo() - parallel::FirstCaptured)
          : nullptr;
  Value *From = Captured ? originOf(getUnderlyingObject(Captured)) : nullptr;
  const auto *Given = From ? dyn_cast<Argument>(From) : nullptr;
  return Given && Given->getParent() == Kernel.Kernel;
}

ArrayRefusal KernelArrays::match(unsigned Index, Candidate &C) {
  C.InTeam = Index;
  uint64_t Count = 0;
  Type *Element = elementOf(InTeam.Variables[Index], Count);
  if (!Element->isIntegerTy(32) && !Element->isIntegerTy(64) &&
      !Element->isFloatTy() && !Element->isDoubleTy())
    return ArrayRefusal::Elements;
  C.List = listStore(InTeam, Index);
  C.Own = C.List ? dyn_cast<AllocaInst>(C.List->getValueOperand()) : nullptr;
  if (!C.Own || !findLoops(Body, C.Own, C.Init, C.Fold) ||
      C.Init.Element != Element || C.Init.Count != Count)
    return ArrayRefusal::Form;
  C.Op = C.Fold.combiner();
  if (C.Op == AtomicRMWInst::BAD_BINOP)
    return ArrayRefusal::Operator;
  if (C.Op == AtomicRMWInst::FAdd && !MayRound)
    return ArrayRefusal::Rounding;
  const DominatorTree DT(Body);
  if (!sets(C.Init, C.Own, C.Op) ||
      !DT.dominates(C.Init.Block, InTeam.Call->getParent()))
    return ArrayRefusal::Form;
  if (Over.Call) {
    if (const ArrayRefusal R = matchTeam(C); R != ArrayRefusal::None)
      return R;
  } else if (!DT.dominates(C.Fold.Into, InTeam.Call) ||
             !isGlobal(C.Fold.Into)) {
    return ArrayRefusal::Form;
  }
  const ArrayRefusal Why = C.Uses.match(*C.Own, Element, C.Op,
                                        {C.Init.Block, C.Fold.Block}, *C.List);
  if (Why != ArrayRefusal::None)
    return Why;
  return Count <= MaxSplitElements &&
                 C.Uses.areKnown(FAM.getResult<ScalarEvolutionAnalysis>(Body))
             ? ArrayRefusal::Known
             : ArrayRefusal::None;
}

} // namespace accx::reduce
