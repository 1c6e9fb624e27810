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
  StoreInst *Found = nullptr;
  forEachSlot(*Plan.Call->getFunction(), Plan.List,
              [&](StoreInst &Store, uint64_t Slot) {
                if (Slot == Index)
                  Found = &Store;
              });
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

/// Visits what uses a thread's copies of arrays, with the store that lists
/// each.
void KernelArrays::forEachUse(
    function_ref<void(Instruction &, StoreInst &)> Visit) const {
  for (unsigned I = 0; I < InTeam.Variables.size(); ++I)
    if (StoreInst *List = listStore(InTeam, I);
        List && InTeam.Variables[I]->isArrayTy())
      forEachAccess(*getUnderlyingObject(List->getValueOperand()),
                    [&](Instruction &I) { Visit(I, *List); });
}

/// Makes stores to arrays volatile, or no longer so: passes must not take a
/// stored value for that of a later load.
void KernelArrays::keepStores(bool Kept) {
  forEachUse([&](Instruction &I, const StoreInst &List) {
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store != &List)
      Store->setVolatile(Kept);
  });
}

/// Inlines small functions that get an array's address into the region.
bool KernelArrays::inlineUsers() {
  constexpr unsigned Small = 200;
  SmallSetVector<CallInst *, 4> Calls;
  forEachUse([&](Instruction &I, const StoreInst &) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (F && !F->isDeclaration() && F != &Body &&
        !F->hasFnAttribute(Attribute::NoInline) && !F->hasOptNone() &&
        F->getInstructionCount() <= Small)
      Calls.insert(Call);
  });
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

/// What the region captured as the parameter that \p Pointer is of; null if it
/// is none.
Value *KernelArrays::capturedAt(Value *Pointer) const {
  const auto *Parameter = dyn_cast<Argument>(getUnderlyingObject(Pointer));
  return Parameter && Parameter->getArgNo() >= parallel::FirstCaptured
             ? capturedValue(*Region.Call,
                             Parameter->getArgNo() - parallel::FirstCaptured)
             : nullptr;
}

ArrayRefusal KernelArrays::matchTeam(Candidate &C) {
  Value *Captured = capturedAt(C.Fold.Into);
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
  forEachAccess(*getUnderlyingObject(C.Fold.Into), [&](Instruction &I) {
    Others |= I.getParent() != C.Fold.Block;
  });
  return Others ? ArrayRefusal::Form : ArrayRefusal::None;
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
  } else {
    // What the kernel got from outside.
    Value *Captured = capturedAt(C.Fold.Into);
    const auto *Given =
        Captured ? dyn_cast<Argument>(originOf(getUnderlyingObject(Captured)))
                 : nullptr;
    if (!DT.dominates(C.Fold.Into, InTeam.Call) || !Given ||
        Given->getParent() != Kernel.Kernel)
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
