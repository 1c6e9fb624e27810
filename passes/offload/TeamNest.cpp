//===- TeamNest.cpp - Gangs whose work a parallel region does -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches nests with one region, whose threads can have copies of the gang's
// variables. What it refuses is left to TeamRegions.cpp, which matches the
// general form.
//
//===----------------------------------------------------------------------===//

#include "offload/TeamNest.h"

#include "offload/DeviceCalls.h"
#include "offload/RegionVariables.h"
#include "offload/TeamEffects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

namespace {

class AloneMatcher {
  TeamNest &N;
  NestRegion &R;
  const DominatorTree &DT;
  Function &F;
  CallInst &Call;
  SmallPtrSet<const Value *, 8> WrittenByRegion;

public:
  AloneMatcher(TeamNest &N, const DominatorTree &DT)
      : N(N), R(N.Regions.front()), DT(DT), F(*N.Part->F),
        Call(*R.Region->Call) {}

  NestRefusal checkRegion(const DominatorTree &Body);
  NestRefusal checkPart();
  NestRefusal checkVariable(Value &Variable);

private:
  bool isAfter(const Instruction &I) const {
    return &I != &Call && N.Gangs->Nest->contains(&I) &&
           DT.dominates(&Call, &I) && I.getParent() != N.Gangs->Latch;
  }
};

} // namespace

NestRefusal AloneMatcher::checkRegion(const DominatorTree &Body) {
  RegionVariables Variables;
  if (NestRefusal Why = Variables.read(R, Body); Why != NestRefusal::None)
    return Why;
  N.Reduces = R.Reduces;
  N.RegionWrites = Variables.WritesOther;
  for (const auto &[V, Use] : Variables.Uses) {
    if (Use.IsWritten || Use.Escapes)
      return NestRefusal::GangVariable;
    if (Use.any())
      WrittenByRegion.insert(V);
  }
  return NestRefusal::None;
}

NestRefusal AloneMatcher::checkPart() {
  const Loop &Nest = *N.Gangs->Nest;
  if (!DT.dominates(&Call, N.Gangs->Latch->getTerminator()) ||
      Call.getParent() == N.Gangs->Latch ||
      isa<PHINode>(N.Gangs->Latch->front()))
    return NestRefusal::After;
  // One iteration, one region.
  for (const Loop *Inner : Nest)
    if (Inner->contains(&Call))
      return NestRefusal::After;
  for (Instruction &I : instructions(F)) {
    if (&I == &Call || &I == N.OverTeams)
      continue;
    const Effect E = effectOf(I);
    if (isAfter(I)) {
      if (const auto *Branch = dyn_cast<BranchInst>(&I);
          Branch && Branch->isUnconditional())
        continue;
      // A thread that leaves it out must not use its values.
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
      if (!isMarker(I))
        N.HasAfter = true;
      continue;
    }
    if (Nest.contains(&I)) {
      if (E == Effect::Other)
        return NestRefusal::Before;
      N.LoadsBefore |= E == Effect::LoadsForeign;
      continue;
    }
    if (N.OverTeams &&
        (DT.dominates(N.OverTeams, &I) || calledName(I) == FixedBuffer))
      continue;
    if (E == Effect::Other)
      return NestRefusal::Outside;
  }
  return NestRefusal::None;
}

NestRefusal AloneMatcher::checkVariable(Value &Variable) {
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
          return NestRefusal::GangVariable;
        if (Into == Call.getArgOperand(parallel::Args)) {
          Loads.push_back(&Call);
        } else if (N.OverTeams && DT.dominates(Store, N.OverTeams) &&
                   is_contained(N.OverTeams->args(), Into)) {
          IsListed = true;
        } else {
          return NestRefusal::GangVariable;
        }
        continue;
      }
      if (isa<MemIntrinsic>(I)) {
        (U.getOperandNo() == 0 ? Stores : Loads).push_back(I);
        continue;
      }
      if (isMarker(*I) || Name == FreeShared ||
          Name.starts_with(DistributeInit) || I == &Call || I == N.OverTeams ||
          (N.OverTeams && DT.dominates(N.OverTeams, I)))
        continue;
      return NestRefusal::GangVariable;
    }
  }
  const Loop &Nest = *N.Gangs->Nest;
  if (IsListed && any_of(Stores, [&](const Instruction *I) {
        return Nest.contains(I) && !isAfter(*I);
      }))
    return NestRefusal::GangVariable;
  const bool ByFirst =
      WrittenByRegion.count(&Variable) ||
      any_of(Stores, [&](const Instruction *I) { return isAfter(*I); });
  if (!ByFirst)
    return NestRefusal::None;
  // Every reader has written it in this iteration.
  const auto IsFresh = [&](const Instruction *Load) {
    if (isAfter(*Load) || (Load == &Call && IsListed))
      return true;
    if (!Nest.contains(Load))
      return N.OverTeams && DT.dominates(N.OverTeams, Load);
    return any_of(Whole, [&](const StoreInst *Store) {
      return Nest.contains(Store) && !isAfter(*Store) &&
             DT.dominates(Store, Load);
    });
  };
  return all_of(Loads, IsFresh) ? NestRefusal::None : NestRefusal::GangVariable;
}

bool isListed(const TeamNest &N, const AllocaInst &Local) {
  return any_of(N.Regions,
                [&](const NestRegion &R) {
                  return R.Region->Call->getArgOperand(parallel::Args) ==
                         &Local;
                }) ||
         (N.OverTeams && is_contained(N.OverTeams->args(), &Local));
}

NestRefusal
checkVariables(TeamNest &N,
               function_ref<NestRefusal(Instruction &, CallInst *)> Check) {
  for (Instruction &I : instructions(*N.Part->F)) {
    const StringRef Name = calledName(I);
    if (Name == FreeShared)
      N.Frees.push_back(cast<CallInst>(&I));
    auto *Allocation = Name == AllocShared ? cast<CallInst>(&I) : nullptr;
    const auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Allocation && (!Local || isListed(N, *Local)))
      continue;
    if (Allocation && constantArgument(*Allocation, 0).value_or(0) <= 0)
      return NestRefusal::GangVariable;
    if (NestRefusal R = Check(I, Allocation); R != NestRefusal::None)
      return R;
  }
  return NestRefusal::None;
}

/// Whether \p Kernel does nothing but call \p Part.
static bool onlyCalls(Function &Kernel, const Function &Part) {
  return all_of(instructions(Kernel), [&](Instruction &I) {
    const StringRef Name = calledName(I);
    const auto *Called = dyn_cast<CallInst>(&I);
    return Name == TargetInit || Name == TargetDeinit ||
           (Called && Called->getCalledFunction() == &Part) ||
           effectOf(I) != Effect::Other;
  });
}

static bool beginsAtZero(const WorkLoop &Loop) {
  const auto *First = dyn_cast<ConstantInt>(Loop.First);
  return First && First->isZero();
}

static NestRefusal checkGangs(const WorkLoop &Gangs) {
  if (Gangs.readsLast())
    return NestRefusal::LastPrivate;
  return beginsAtZero(Gangs) && (Gangs.Schedule == schedule::Distribute ||
                                 Gangs.Schedule == schedule::DistributeChunked)
             ? NestRefusal::None
             : NestRefusal::Schedule;
}

/// Whether \p Region is one loop of workers.
static NestRefusal checkLoop(const ParallelRegion &Region) {
  if (!Region.Body || !Region.UnknownLoops.empty() || Region.Loops.size() != 1)
    return NestRefusal::Region;
  const WorkLoop &Workers = Region.Loops.front();
  if (Region.IsConditional)
    return NestRefusal::Conditional;
  if (Workers.readsLast())
    return NestRefusal::LastPrivate;
  if (!beginsAtZero(Workers) || (Workers.Schedule != schedule::Static &&
                                 Workers.Schedule != schedule::StaticChunked))
    return NestRefusal::Schedule;
  // A body that asks for no number cannot tell how many threads there are.
  return Region.Observes & ObservesIdentity ? NestRefusal::Observed
                                            : NestRefusal::None;
}

/// Makes \p R any code, if all threads of a block may run it.
static NestRefusal matchCode(NestRegion &R) {
  const ParallelRegion &Region = *R.Region;
  if (!Region.Body)
    return NestRefusal::Region;
  if (Region.Body->hasOptNone())
    return NestRefusal::NoOptimization;
  if (Region.IsConditional)
    return NestRefusal::Conditional;
  R.Workers = nullptr;
  R.Loops.clear();
  // Code around a loop may see who runs an iteration. The others ask for their
  // bounds, as in the program.
  for (const WorkLoop &Loop :
       concat<const WorkLoop>(Region.Loops, Region.RepeatedLoops))
    if (beginsAtZero(Loop) && Loop.Schedule == schedule::StaticChunked &&
        Loop.isCyclic() && !Loop.readsLast())
      R.Loops.push_back(&Loop);
  return isAnswerable(*Region.Body) ? NestRefusal::None : NestRefusal::Asks;
}

/// Lets blocks have as many threads as \p N's regions ask for. Those that are
/// loops run on any number.
static NestRefusal boundBlocks(TeamNest &N) {
  constexpr int64_t MaxThreads = 1024;
  int64_t Asked = 0;
  bool WantsAll = false;
  for (NestRegion &R : N.Regions) {
    const int64_t Threads = R.Region->NumThreads;
    if (!R.isAnyCode())
      continue;
    R.IsBounded = Threads < 0;
    if (R.IsBounded && mayBeLeftOut(*R.Region->Body))
      continue;
    if (R.IsBounded || (Threads && Asked && Threads != Asked))
      return NestRefusal::FewerThreads;
    if (Threads)
      Asked = Threads;
    else
      WantsAll = true;
  }
  if (WantsAll && Asked &&
      (N.Plan->MaxThreads <= 0 || N.Plan->MaxThreads > Asked))
    return NestRefusal::FewerThreads;
  N.BlockThreads = std::min(Asked, MaxThreads);
  return NestRefusal::None;
}

static NestRefusal matchAlone(TeamNest &N, TeamNest::TreesOf Trees) {
  if (N.Regions.size() != 1)
    return NestRefusal::Form;
  AloneMatcher M(N, Trees(*N.Part->F));
  if (NestRefusal R = M.checkRegion(Trees(*N.Regions.front().Region->Body));
      R != NestRefusal::None)
    return R;
  if (NestRefusal R = M.checkPart(); R != NestRefusal::None)
    return R;
  return checkVariables(N, [&](Instruction &Variable, CallInst *Allocation) {
    if (Allocation)
      N.Allocations.push_back(Allocation);
    return M.checkVariable(Variable);
  });
}

NestRefusal TeamNest::match(const KernelPlan &Plan, TreesOf Trees,
                            TeamNest &N) {
  const TeamsPart *Part = nullptr;
  for (const TeamsPart &P : Plan.Parts)
    if (P.Loops.size() <= 1 && P.UnknownLoops.empty() && !Part)
      Part = &P;
    else if (!P.Loops.empty() || !P.UnknownLoops.empty() || !P.Regions.empty())
      return NestRefusal::Form;
  if (!Part || Part->Regions.empty() || Part->F == Plan.Kernel ||
      !Part->F->hasOneUse() ||
      (!Part->Loops.empty() && !Part->Loops.front().IsDistribute))
    return NestRefusal::Form;
  TeamNest Form;
  Form.Plan = &Plan;
  Form.Part = Part;
  Form.Gangs = Part->Loops.empty() ? nullptr : &Part->Loops.front();
  const auto *Caller = dyn_cast<CallInst>(Part->F->user_back());
  if (!Caller || Caller->getFunction() != Plan.Kernel)
    return NestRefusal::Form;
  if (Plan.Kernel->hasOptNone() || Part->F->hasOptNone())
    return NestRefusal::NoOptimization;
  if (Plan.isSpmd() && Form.Gangs)
    return NestRefusal::Form;
  if (Form.Gangs)
    if (NestRefusal R = checkGangs(*Form.Gangs); R != NestRefusal::None)
      return R;
  for (const ParallelRegion &Region : Part->Regions) {
    if (!Form.isInLoop(*Region.Call))
      return NestRefusal::Form;
    NestRegion &R = Form.Regions.emplace_back();
    R.Region = &Region;
    NestRefusal Why = checkLoop(Region);
    if (Why == NestRefusal::None)
      R.Loops.push_back(R.Workers = &Region.Loops.front());
    else
      Why = matchCode(R);
    if (Why != NestRefusal::None)
      return Why;
  }
  forEachCall(*Part->F, TeamsReduce, [&](CallInst &C) { Form.OverTeams = &C; });
  if (!onlyCalls(*Plan.Kernel, *Part->F))
    return NestRefusal::Outside;
  N = Form;
  if (!N.isOfBlocks() && matchAlone(N, Trees) == NestRefusal::None)
    return NestRefusal::None;
  N = Form;
  NestRefusal R = matchTogether(N, Trees);
  if (R == NestRefusal::RegionCode) {
    // There is code around a region's loop.
    for (NestRegion &Each : Form.Regions)
      if (NestRefusal Why = matchCode(Each); Why != NestRefusal::None)
        return Why;
    N = Form;
    R = matchTogether(N, Trees);
  }
  if (R != NestRefusal::None || !N.isOfBlocks())
    return R;
  // Blocks take iterations one by one, and any code may ask for its block.
  if (N.Gangs && N.Gangs->Schedule == schedule::DistributeChunked &&
      N.Gangs->Chunk != 1)
    return NestRefusal::Observed;
  return boundBlocks(N);
}

} // namespace accx::offload
