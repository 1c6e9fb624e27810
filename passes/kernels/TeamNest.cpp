//===- TeamNest.cpp - Gangs whose work a parallel region does -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TeamNest.h.
//
//===----------------------------------------------------------------------===//

#include "kernels/TeamNest.h"

#include "kernels/DeviceCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::kernels {

static constexpr char FixedBuffer[] = "__kmpc_reduction_get_fixed_buffer";

StringRef tagOf(NestRefusal R) {
  static constexpr StringRef Tags[] = {
      "None",    "Form",         "NoOptimization", "Schedule", "LastPrivate",
      "Region",  "Observed",     "Conditional",    "Before",   "After",
      "Outside", "GangVariable", "RegionCode"};
  return Tags[static_cast<unsigned>(R)];
}

StringRef textOf(NestRefusal R) {
  static constexpr StringRef Texts[] = {
      "nothing",
      "it is not one distributed loop around one parallel region",
      "optimization is off for it",
      "its schedule is not static",
      "a value of the last iteration is used",
      "its parallel region is not one loop that is known",
      "it may ask which thread or team it runs on",
      "its parallel region is conditional",
      "code before the parallel region does more than compute",
      "code after the parallel region ends it, or is not once an iteration",
      "code outside of its loops does more than compute",
      "threads share a variable of the team",
      "its parallel region does more than its loop"};
  return Texts[static_cast<unsigned>(R)];
}

namespace {

/// A variable of the team, or of the thread.
bool isOwn(Value *Pointer) {
  Value *Object = originOf(getUnderlyingObject(Pointer, 0));
  Object = getUnderlyingObject(Object, 0);
  if (isa<AllocaInst>(Object))
    return true;
  if (auto *Number = dyn_cast<Argument>(Object))
    return Number->getArgNo() < parallel::FirstCaptured &&
           !Number->getParent()->hasFnAttribute("kernel");
  const auto *Call = dyn_cast<Instruction>(Object);
  return Call && calledName(*Call) == AllocShared;
}

/// What all threads may do as one would, and without which nothing is lost.
enum class Effect : uint8_t { None, LoadsForeign, Other };

bool isPureCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isConvergent() && Callee->doesNotAccessMemory() &&
         Callee->willReturn();
}

Effect effectOf(Instruction &I) {
  if (!I.mayReadOrWriteMemory() && !isa<CallBase>(I))
    return Effect::None;
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I)) {
    if (const auto *Copy = dyn_cast<MemIntrinsic>(Known)) {
      if (Copy->isVolatile() || !isOwn(Copy->getRawDest()))
        return Effect::Other;
      const auto *Transfer = dyn_cast<MemTransferInst>(Copy);
      return Transfer && !isOwn(Transfer->getRawSource()) ? Effect::LoadsForeign
                                                          : Effect::None;
    }
    if (Known->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Known) ||
        isa<AssumeInst, NoAliasScopeDeclInst>(Known))
      return Effect::None;
    return Known->doesNotAccessMemory() && !Known->isConvergent()
               ? Effect::None
               : Effect::Other;
  }
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const StringRef Name = calledName(I);
    if (Name == AllocShared || Name == FreeShared ||
        Name.starts_with(DistributeInit) || Name == DistributeFini ||
        Name == "__kmpc_global_thread_num")
      return Effect::None;
    return isPureCall(*Call) ? Effect::None : Effect::Other;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple()                  ? Effect::Other
           : isOwn(Load->getPointerOperand()) ? Effect::None
                                              : Effect::LoadsForeign;
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple() && isOwn(Store->getPointerOperand())
             ? Effect::None
             : Effect::Other;
}

class Matcher {
  TeamNest &N;
  const DominatorTree &DT;
  Function &F;
  CallInst &Call;
  SmallPtrSet<const Value *, 8> WrittenByRegion;
  CallInst *OverTeams = nullptr;

public:
  Matcher(TeamNest &N, const DominatorTree &DT)
      : N(N), DT(DT), F(*N.Part->F), Call(*N.Region->Call) {}

  NestRefusal checkRegion(const DominatorTree &Body);
  NestRefusal checkPart();
  NestRefusal checkVariables();
  static bool checkKernel(Function &Kernel, const Function &Part);

private:
  bool isAfter(const Instruction &I) const {
    return &I != &Call && N.Gangs->Nest->contains(&I) &&
           DT.dominates(&Call, &I) && I.getParent() != N.Gangs->Latch;
  }
  NestRefusal checkVariable(Value &Variable);
};

} // namespace

NestRefusal Matcher::checkRegion(const DominatorTree &Body) {
  Function &R = *N.Region->Body;
  Instruction *Reduced = nullptr;
  forEachCall(R, ParallelReduce, [&](CallInst &C) { Reduced = &C; });
  if (N.Region->Reductions.size() > 1)
    return NestRefusal::RegionCode;
  N.Reduces = Reduced;
  if (Reduced && (N.Workers->Nest->contains(Reduced) ||
                  !Body.dominates(N.Workers->Init, Reduced)))
    return NestRefusal::RegionCode;
  const unsigned NumCaptured = R.arg_size() - parallel::FirstCaptured;
  SmallVector<Value *, 8> Captured;
  for (unsigned I = 0; I < NumCaptured; ++I) {
    Value *V = capturedValue(Call, I);
    if (!V || (isa<AllocaInst>(V)))
      return NestRefusal::Variable;
    Captured.push_back(V);
  }
  // Gang variables that the region's code names, by its own arguments.
  const auto GangVariable = [&](Value *Pointer) -> Value * {
    Value *Object = originOf(getUnderlyingObject(Pointer, 0));
    auto *A = dyn_cast<Argument>(getUnderlyingObject(Object, 0));
    if (!A || A->getArgNo() < parallel::FirstCaptured)
      return nullptr;
    auto *From = dyn_cast<Instruction>(
        Captured[A->getArgNo() - parallel::FirstCaptured]);
    return From && calledName(*From) == AllocShared ? From : nullptr;
  };
  for (Instruction &I : instructions(R)) {
    const bool Ends = Reduced && &I != Reduced && Body.dominates(Reduced, &I);
    const bool IsWork = N.Workers->Nest->contains(&I);
    const StringRef Name = calledName(I);
    if (&I == Reduced || Name.starts_with(ForInit) || Name == ForFini)
      continue;
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      // A pointer to a gang variable must not get out of hand, but Clang keeps
      // its arguments in variables.
      if (GangVariable(Store->getValueOperand()) &&
          !isa<AllocaInst>(Store->getPointerOperand()))
        return NestRefusal::Variable;
      if (Value *V = GangVariable(Store->getPointerOperand())) {
        if (!Ends)
          return NestRefusal::Variable;
        WrittenByRegion.insert(V);
        continue;
      }
    } else if (!isa<LoadInst, GetElementPtrInst>(I)) {
      for (Value *Operand : I.operands())
        if (Operand->getType()->isPointerTy() && GangVariable(Operand)) {
          // What ends a reduction of a structure, or copies one.
          auto *Copy = dyn_cast<MemTransferInst>(&I);
          const bool Reads = Copy && Operand == Copy->getRawSource() &&
                             isOwn(Copy->getRawDest());
          if (!Ends && !Reads)
            return NestRefusal::Variable;
          if (!Reads)
            WrittenByRegion.insert(GangVariable(Operand));
        }
    }
    const Effect E = effectOf(I);
    if (Ends)
      continue;
    if (IsWork) {
      N.RegionWrites |= E == Effect::Other;
      continue;
    }
    if (E == Effect::Other)
      return NestRefusal::RegionCode;
  }
  for (unsigned I = 0; I < NumCaptured; ++I) {
    auto *From = dyn_cast<CallInst>(Captured[I]);
    if (From && calledName(*From) == AllocShared &&
        !WrittenByRegion.contains(From))
      N.ReadOnly.emplace_back(
          I + parallel::FirstCaptured,
          static_cast<uint64_t>(constantArgument(*From, 0).value_or(0)));
  }
  return NestRefusal::None;
}

NestRefusal Matcher::checkPart() {
  const Loop &Nest = *N.Gangs->Nest;
  if (!DT.dominates(&Call, N.Gangs->Latch->getTerminator()) ||
      Call.getParent() == N.Gangs->Latch ||
      isa<PHINode>(N.Gangs->Latch->front()))
    return NestRefusal::After;
  // One iteration, one region.
  for (const Loop *Inner : Nest)
    if (Inner->contains(&Call))
      return NestRefusal::After;
  forEachCall(F, TeamsReduce, [&](CallInst &C) { OverTeams = &C; });
  N.ReducesTeams = OverTeams;
  for (Instruction &I : instructions(F)) {
    if (&I == &Call || &I == OverTeams)
      continue;
    const Effect E = effectOf(I);
    if (isAfter(I)) {
      if (const auto *Branch = dyn_cast<BranchInst>(&I);
          Branch && Branch->isUnconditional())
        continue;
      // Values of it must not be used by who leaves it out.
      if (any_of(I.users(), [&](const User *U) {
            return !isAfter(*cast<Instruction>(U));
          }))
        return NestRefusal::After;
      if (const auto *Other = dyn_cast<CallBase>(&I);
          Other && !isa<IntrinsicInst>(Other)) {
        Function *Callee = Other->getCalledFunction();
        const StringRef Name = calledName(I);
        if (Name == AllocShared || Name == FreeShared || !Callee ||
            Name.starts_with("__kmpc_") || Name.starts_with("omp_") ||
            (!Callee->isDeclaration() &&
             observationsOf(*Callee) != ObservesNothing) ||
            (Callee->isDeclaration() && !Callee->doesNotAccessMemory()))
          return NestRefusal::After;
      }
      const auto *Known = dyn_cast<IntrinsicInst>(&I);
      if (Known && Known->isConvergent())
        return NestRefusal::After;
      if (!(Known &&
            (Known->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Known))))
        N.HasAfter = true;
      N.LoadsAfter |= E != Effect::None;
      continue;
    }
    if (Nest.contains(&I)) {
      if (E == Effect::Other)
        return NestRefusal::Before;
      N.LoadsBefore |= E == Effect::LoadsForeign;
      continue;
    }
    if (OverTeams &&
        (DT.dominates(OverTeams, &I) || calledName(I) == FixedBuffer))
      continue;
    if (E == Effect::Other)
      return NestRefusal::Outside;
  }
  return NestRefusal::None;
}

NestRefusal Matcher::checkVariable(Value &Variable) {
  const bool IsShared = isa<CallInst>(Variable);
  SmallVector<Instruction *, 8> Stores;
  SmallVector<Instruction *, 8> Loads;
  SmallVector<StoreInst *, 4> Whole;
  bool IsListed = false;
  SmallVector<Value *, 8> Pointers{&Variable};
  while (!Pointers.empty()) {
    Value *Pointer = Pointers.pop_back_val();
    for (Use &U : Pointer->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      if (isa<LoadInst>(I)) {
        Loads.push_back(I);
        continue;
      }
      const StringRef Name = calledName(*I);
      if (auto *Store = dyn_cast<StoreInst>(I)) {
        if (U.getOperandNo() == Store->getPointerOperandIndex()) {
          Stores.push_back(I);
          if (Pointer == &Variable)
            Whole.push_back(Store);
          continue;
        }
        // Its address: for the region, or for the reduction over teams.
        Value *Into = getUnderlyingObject(Store->getPointerOperand(), 0);
        if (!IsShared || Pointer != &Variable || !isa<AllocaInst>(Into))
          return NestRefusal::Variable;
        if (Into == Call.getArgOperand(parallel::Args)) {
          Loads.push_back(&Call);
        } else if (OverTeams && DT.dominates(Store, OverTeams) &&
                   is_contained(OverTeams->args(), Into)) {
          IsListed = true;
        } else {
          return NestRefusal::Variable;
        }
        continue;
      }
      if (isa<MemIntrinsic>(I)) {
        (U.getOperandNo() == 0 ? Stores : Loads).push_back(I);
        continue;
      }
      const auto *Known = dyn_cast<IntrinsicInst>(I);
      if ((Known &&
           (Known->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Known))) ||
          Name == FreeShared || Name.starts_with(DistributeInit) ||
          I == &Call || I == OverTeams ||
          (OverTeams && DT.dominates(OverTeams, I)))
        continue;
      return NestRefusal::Variable;
    }
  }
  const Loop &Nest = *N.Gangs->Nest;
  if (IsListed && any_of(Stores, [&](const Instruction *I) {
        return Nest.contains(I) && !isAfter(*I);
      }))
    return NestRefusal::Variable;
  const bool ByFirst =
      WrittenByRegion.count(&Variable) ||
      any_of(Stores, [&](const Instruction *I) { return isAfter(*I); });
  if (!ByFirst)
    return NestRefusal::None;
  // Whoever reads it has written it in this iteration.
  const auto IsFresh = [&](const Instruction *Load) {
    if (isAfter(*Load) || (Load == &Call && IsListed))
      return true;
    if (!Nest.contains(Load))
      return OverTeams && DT.dominates(OverTeams, Load);
    return any_of(Whole, [&](const StoreInst *Store) {
      return Nest.contains(Store) && !isAfter(*Store) &&
             DT.dominates(Store, Load);
    });
  };
  return all_of(Loads, IsFresh) ? NestRefusal::None : NestRefusal::Variable;
}

NestRefusal Matcher::checkVariables() {
  for (Instruction &I : instructions(F)) {
    const StringRef Name = calledName(I);
    if (Name == FreeShared)
      N.Frees.push_back(cast<CallInst>(&I));
    const bool IsAllocation = Name == AllocShared;
    if (!IsAllocation && !isa<AllocaInst>(I))
      continue;
    if (IsAllocation) {
      auto *Allocation = cast<CallInst>(&I);
      if (constantArgument(*Allocation, 0).value_or(0) <= 0)
        return NestRefusal::Variable;
      N.Allocations.push_back(Allocation);
    }
    // The list of what the region captures, and that of the reduction.
    if (&I == Call.getArgOperand(parallel::Args))
      continue;
    if (OverTeams && is_contained(OverTeams->args(), &I))
      continue;
    if (NestRefusal R = checkVariable(I); R != NestRefusal::None)
      return R;
  }
  return NestRefusal::None;
}

/// Whether \p Kernel does nothing but call \p Part.
bool Matcher::checkKernel(Function &Kernel, const Function &Part) {
  return all_of(instructions(Kernel), [&](Instruction &I) {
    const StringRef Name = calledName(I);
    const auto *Called = dyn_cast<CallInst>(&I);
    return Name == TargetInit || Name == TargetDeinit ||
           (Called && Called->getCalledFunction() == &Part) ||
           effectOf(I) != Effect::Other;
  });
}

NestRefusal TeamNest::match(const KernelPlan &Plan, const DominatorTree &DT,
                            const DominatorTree *Body, TeamNest &N) {
  const TeamsPart *Part = nullptr;
  for (const TeamsPart &P : Plan.Parts)
    if (P.Loops.size() == 1 && P.UnknownLoops.empty() && !Part)
      Part = &P;
    else if (!P.Loops.empty() || !P.UnknownLoops.empty() || !P.Regions.empty())
      return NestRefusal::Form;
  if (!Part || Part->Regions.size() != 1 || Part->F == Plan.Kernel ||
      !Part->F->hasOneUse() || !Part->Loops.front().IsDistribute)
    return NestRefusal::Form;
  N = TeamNest();
  N.Plan = &Plan;
  N.Part = Part;
  N.Gangs = &Part->Loops.front();
  N.Region = &Part->Regions.front();
  const auto *Caller = dyn_cast<CallInst>(Part->F->user_back());
  if (!N.Gangs->Nest->contains(N.Region->Call) || !Caller ||
      Caller->getFunction() != Plan.Kernel)
    return NestRefusal::Form;
  if (Plan.Kernel->hasOptNone() || Part->F->hasOptNone())
    return NestRefusal::Optimization;
  if (N.Gangs->Schedule != schedule::Distribute &&
      N.Gangs->Schedule != schedule::DistributeChunked)
    return NestRefusal::Schedule;
  if (!N.Region->Body || !N.Region->UnknownLoops.empty() || !Body ||
      N.Region->Loops.size() != 1)
    return NestRefusal::Region;
  N.Workers = &N.Region->Loops.front();
  if (N.Region->IsConditional)
    return NestRefusal::Conditional;
  if (N.Gangs->readsLast() || N.Workers->readsLast())
    return NestRefusal::LastPrivate;
  const auto IsZero = [](const Value *V) {
    const auto *C = dyn_cast<ConstantInt>(V);
    return C && C->isZero();
  };
  if (!IsZero(N.Gangs->First) || !IsZero(N.Workers->First) ||
      (N.Workers->Schedule != schedule::Static &&
       N.Workers->Schedule != schedule::StaticChunked))
    return NestRefusal::Schedule;
  if ((N.Region->Observes & ObservesIdentity) || N.Region->NumThreads)
    return NestRefusal::Identity;
  if (!Matcher::checkKernel(*Plan.Kernel, *Part->F))
    return NestRefusal::Outside;
  Matcher M(N, DT);
  if (NestRefusal R = M.checkRegion(*Body); R != NestRefusal::None)
    return R;
  if (NestRefusal R = M.checkPart(); R != NestRefusal::None)
    return R;
  return M.checkVariables();
}

} // namespace accx::kernels
