//===- SharedArrays.cpp - Arrays that a block's threads reduce ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedArrays.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/SharedArrays.h"

#include "kernels/DeviceCalls.h"
#include "reduce/BlockCopies.h"
#include "reduce/BlockFold.h"
#include "reduce/NarrowPlan.h"
#include "reduce/Pieces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#define DEBUG_TYPE "hier-reduce"

using namespace llvm;
using namespace accx::kernels;

STATISTIC(NumShared, "Number of arrays that blocks reduce in shared memory");

static cl::opt<bool> Enable("accx-reduce-arrays", cl::init(true), cl::Hidden,
                            cl::desc("Reduce arrays in shared memory"));
static cl::opt<unsigned>
    CopyBytes("accx-reduce-copies", cl::init(16 << 10), cl::Hidden,
              cl::desc("Bytes of shared memory for more than one copy of the "
                       "arrays that a block reduces"));

namespace accx::reduce {

SharedArrays::SharedArrays(Module &M, FunctionAnalysisManager &FAM,
                           bool MayRound)
    : FAM(FAM), MayRound(MayRound), Available(sharedBytesLeft(M)) {}

namespace {

/// An array of the reduction; see the picture in SharedArrays.h.
struct Candidate {
  unsigned InTeam = 0;
  unsigned OverTeams = 0;
  AllocaInst *Own = nullptr;
  ElementLoop Init, Fold, TeamInit, TeamFold;
  StoreInst *List = nullptr;
  ArrayUses Uses;
  AtomicRMWInst::BinOp Op = AtomicRMWInst::BAD_BINOP;
};

class KernelArrays {
  const KernelPlan &Kernel;
  const ParallelRegion &Region;
  FunctionAnalysisManager &FAM;
  const bool MayRound;
  const uint64_t Available;
  Function &Body;
  ReductionPlan InTeam, Over;
  SmallVector<Candidate, 2> Chosen;

public:
  KernelArrays(const KernelPlan &Kernel, const ParallelRegion &Region,
               FunctionAnalysisManager &FAM, bool MayRound, uint64_t Available)
      : Kernel(Kernel), Region(Region), FAM(FAM), MayRound(MayRound),
        Available(Available), Body(*Region.Body) {}

  /// \p OverTeams may be null.
  bool matchPlans(const Reduction *OverTeams);
  void cleanUp();
  void choose();
  bool emit();
  const ReductionPlan &inTeam() const { return InTeam; }
  const ReductionPlan &overTeams() const { return Over; }
  BitVector takenInTeam() const;
  BitVector takenOverTeams() const;
  CallInst *End = nullptr;

private:
  void clean(Function &F);
  void keepStores(bool Kept);
  bool inlineUsers();
  ArrayRefusal match(unsigned Index, Candidate &C);
  ArrayRefusal matchTeam(Candidate &C);
  bool isGlobal(Value *Into) const;
  void dropWhatMustStay();
  void report(const Candidate *C, unsigned Index, ArrayRefusal Why,
              unsigned Copies = 0);
};

} // namespace

/// The store that puts variable \p Index into \p Plan's list.
static StoreInst *listStore(const ReductionPlan &Plan, unsigned Index) {
  const DataLayout &Layout = Plan.Call->getModule()->getDataLayout();
  StoreInst *Found = nullptr;
  const auto Look = [&](Value *Pointer, auto &&Again) -> void {
    for (User *U : Pointer->users()) {
      if (isa<GetElementPtrInst>(U))
        Again(U, Again);
      auto *Store = dyn_cast<StoreInst>(U);
      APInt Offset(64, 0);
      if (Store && Store->getPointerOperand() == Pointer &&
          Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, true) ==
              Plan.List &&
          Offset == uint64_t(Index) * Layout.getPointerSize())
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

bool KernelArrays::matchPlans(const Reduction *OverTeams) {
  return ReductionPlan::match(Region.Reductions.front(), InTeam) ==
             Refusal::None &&
         any_of(InTeam.Variables, [](Type *T) { return T->isArrayTy(); }) &&
         (!OverTeams ||
          ReductionPlan::match(*OverTeams, Over) == Refusal::None);
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

/// What is stored to an array must not be seen instead of what is loaded from
/// it later.
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

/// Small functions that get an array's address, into the region.
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
  // As deep as such functions call each other.
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
  // Nobody else may miss the team's copy.
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

void KernelArrays::report(const Candidate *C, unsigned Index, ArrayRefusal Why,
                          unsigned Copies) {
  auto &Remarks = FAM.getResult<OptimizationRemarkEmitterAnalysis>(Body);
  std::string Text;
  raw_string_ostream OS(Text);
  InTeam.Variables[Index]->print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  if (C) {
    Remarks.emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "ArrayShared", InTeam.Call)
             << "a block reduces " << ore::NV("Array", Text)
             << " in shared memory, in " << ore::NV("Copies", Copies)
             << (Copies == 1 ? " copy" : " copies");
    });
    return;
  }
  Remarks.emit([&] {
    return OptimizationRemarkMissed(DEBUG_TYPE, "ArrayPrivate", InTeam.Call)
           << "each thread has a copy of " << ore::NV("Array", Text)
           << " of its own: " << ore::NV("Reason", textOf(Why));
  });
}

/// Where something stays, the functions that combine must show where it is.
void KernelArrays::dropWhatMustStay() {
  const bool All = Chosen.size() == InTeam.Variables.size();
  if (Chosen.empty() || All)
    return;
  clean(*InTeam.Combine);
  if (Over.Call)
    clean(*Over.Combine);
  erase_if(Chosen, [&](const Candidate &C) {
    const bool Stays = !loopOf(*InTeam.Combine, C.InTeam) ||
                       (Over.Call && !loopOf(*Over.Combine, C.OverTeams));
    if (Stays)
      report(nullptr, C.InTeam, ArrayRefusal::Form);
    return Stays;
  });
}

void KernelArrays::choose() {
  uint64_t Used = 0;
  for (unsigned I = 0; I < InTeam.Variables.size(); ++I) {
    if (!InTeam.Variables[I]->isArrayTy())
      continue;
    Candidate C;
    const uint64_t Bytes =
        Body.getParent()->getDataLayout().getTypeAllocSize(InTeam.Variables[I]);
    ArrayRefusal Why = match(I, C);
    if (Why == ArrayRefusal::None && Used + Bytes > Available)
      Why = ArrayRefusal::TooLarge;
    if (Why != ArrayRefusal::None) {
      report(nullptr, I, Why);
      continue;
    }
    Used += Bytes;
    Chosen.push_back(std::move(C));
  }
  dropWhatMustStay();
  // The runtime's own way with long arrays in loops takes all variables.
  if (Chosen.size() != InTeam.Variables.size() &&
      FAM.getResult<LoopAnalysis>(*Region.Call->getFunction())
          .getLoopFor(Region.Call->getParent())) {
    for (const Candidate &C : Chosen)
      report(nullptr, C.InTeam, ArrayRefusal::Form);
    Chosen.clear();
  }
}

bool KernelArrays::emit() {
  if (Chosen.empty())
    return false;
  uint64_t Bytes = 0;
  for (const Candidate &C : Chosen)
    Bytes += Body.getParent()->getDataLayout().getTypeAllocSize(
        C.Own->getAllocatedType());
  const uint64_t Room = std::min<uint64_t>(CopyBytes, Available);
  unsigned Copies = BlockCopies::Most;
  while (Copies > 1 && Bytes * Copies > Room)
    Copies /= 2;
  const bool OneTeam = !Over.Call;
  for (Candidate &C : Chosen) {
    report(&C, C.InTeam, ArrayRefusal::None, Copies);
    const BlockCopies Shared(*InTeam.Combine, C.Fold.Element, C.Fold.Count,
                             Copies, C.Op);
    Shared.emitClear(*(OneTeam ? C.Init : C.TeamInit).Before->getTerminator());
    End = Shared.emitFlush(*(OneTeam ? InTeam : Over).Call,
                           OneTeam ? C.Fold.Into : C.TeamFold.Into,
                           /*IsUsedAgain=*/OneTeam);
    Value *Lane = Shared.emitLane(Body);
    C.Uses.rewrite([&](IRBuilderBase &B, Value *Index) {
      return Shared.address(B, Index, Lane);
    });
    C.Init.remove();
    C.Fold.remove();
    if (!OneTeam) {
      C.TeamInit.remove();
      C.TeamFold.remove();
    }
    ++NumShared;
  }
  for (Function *F : {&Body, Kernel.Kernel})
    FAM.invalidate(*F, PreservedAnalyses::none());
  return true;
}

BitVector KernelArrays::takenInTeam() const {
  BitVector Out(InTeam.Variables.size());
  for (const Candidate &C : Chosen)
    Out.set(C.InTeam);
  return Out;
}

BitVector KernelArrays::takenOverTeams() const {
  BitVector Out(Over.Variables.size());
  for (const Candidate &C : Chosen)
    Out.set(C.OverTeams);
  return Out;
}

/// The one region of \p Kernel, all of whose threads run it, with one
/// reduction; and the one over teams, if there is one.
static const ParallelRegion *findRegion(const KernelPlan &Kernel,
                                        const Reduction *&OverTeams) {
  const ParallelRegion *Found = nullptr;
  for (const TeamsPart &Part : Kernel.Parts) {
    for (const Reduction &R : Part.Reductions) {
      if (!R.AcrossTeams || OverTeams || R.Call->getFunction() != Kernel.Kernel)
        return nullptr;
      OverTeams = &R;
    }
    for (const ParallelRegion &Region : Part.Regions) {
      if (Found)
        return nullptr;
      Found = &Region;
    }
  }
  const bool Fits = Found && Found->Body && Found->Reductions.size() == 1 &&
                    !Found->Body->hasOptNone() && !Found->IsConditional &&
                    isOnlyBodyOf(*Found->Body, *Found->Call) &&
                    (!OverTeams || Found->Call->getFunction() == Kernel.Kernel);
  const bool AllThreads =
      Fits &&
      (!Found->NumThreads || (Found->NumThreads > 0 && Kernel.MaxThreads > 0 &&
                              Kernel.MaxThreads <= Found->NumThreads));
  return AllThreads ? Found : nullptr;
}

bool SharedArrays::take(const KernelPlan &Kernel) {
  const Reduction *OverTeams = nullptr;
  const ParallelRegion *Region = findRegion(Kernel, OverTeams);
  if (!Enable || !Region || !Kernel.isSpmd() || Kernel.Kernel->hasOptNone())
    return false;
  KernelArrays Arrays(Kernel, *Region, FAM, MayRound, Available);
  if (!Arrays.matchPlans(OverTeams))
    return false;
  Arrays.cleanUp();
  // Lists may have become others.
  if (Arrays.matchPlans(OverTeams)) {
    Arrays.choose();
    if (Arrays.emit()) {
      Taken[Arrays.inTeam().Call] = Arrays.takenInTeam();
      if (OverTeams) {
        Taken[Arrays.overTeams().Call] = Arrays.takenOverTeams();
        Ends[Arrays.overTeams().Call] = Arrays.End;
      }
    }
  }
  return true;
}

bool SharedArrays::narrow(ReductionPlan &Plan) const {
  const auto Known = Taken.find(Plan.Call);
  if (Known == Taken.end())
    return true;
  if (Known->second.all())
    return false;
  reduce::narrow(Plan, Known->second);
  return true;
}

} // namespace accx::reduce
