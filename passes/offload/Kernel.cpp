//===- Kernel.cpp - Finds and describes offload kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kernel.h. A kernel is a function that calls __kmpc_target_init; its parts
// are the local functions that it calls directly and alone.
//
//===----------------------------------------------------------------------===//

#include "offload/Kernel.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

GlobalVariable *environmentOf(const Function &F) {
  return const_cast<Module *>(F.getParent())
      ->getGlobalVariable((F.getName() + EnvironmentSuffix).str(),
                          /*AllowInternal=*/true);
}

std::optional<int64_t> configured(const GlobalVariable &Environment,
                                  unsigned Field) {
  const Constant *All = Environment.getInitializer()->getAggregateElement(0u);
  const auto *Number = dyn_cast_or_null<ConstantInt>(
      All ? All->getAggregateElement(Field) : nullptr);
  if (!Number)
    return std::nullopt;
  return Number->getSExtValue();
}

static int64_t field(const GlobalVariable &Environment, unsigned Index) {
  return configured(Environment, Index).value_or(0);
}

static void findReductions(Function &F, SmallVectorImpl<Reduction> &Into) {
  // The data's size is the argument before the data.
  forEachCall(F, ParallelReduce, [&](CallInst &Call) {
    Into.push_back({&Call, false, constantArgument(Call, 1).value_or(-1)});
  });
  forEachCall(F, TeamsReduce, [&](CallInst &Call) {
    Into.push_back({&Call, true, constantArgument(Call, 3).value_or(-1)});
  });
}

static void findLoops(Function &F, StringRef Prefix, const LoopInfo &Loops,
                      SmallVectorImpl<WorkLoop> &Known,
                      SmallVectorImpl<Refusal> &Unknown,
                      SmallVectorImpl<WorkLoop> *Repeated = nullptr) {
  forEachCall(F, Prefix, [&](CallInst &Init) {
    WorkLoop W;
    if (Refusal R = WorkLoop::match(Init, Loops, W); R != Refusal::None)
      Unknown.push_back(R);
    else
      Known.push_back(W);
    if (W.IsRepeated && Repeated)
      Repeated->push_back(W);
  });
}

/// Variables of \p Region's body that its loops write.
static unsigned countPrivates(const ParallelRegion &Region) {
  SmallPtrSet<const Value *, 8> Found;
  for (const WorkLoop &W : Region.Loops)
    for (const BasicBlock *Block : W.Nest->blocks())
      for (const Instruction &I : *Block)
        if (const auto *Store = dyn_cast<StoreInst>(&I))
          if (isa<AllocaInst>(Store->getPointerOperand()))
            Found.insert(Store->getPointerOperand());
  for (const WorkLoop &W : Region.Loops)
    for (const Value *Control : {W.Counter, W.Lower, W.Upper})
      Found.erase(Control);
  return Found.size();
}

static ParallelRegion describeRegion(CallInst &Call,
                                     FunctionAnalysisManager &FAM) {
  ParallelRegion R;
  R.Call = &Call;
  if (Call.arg_size() <= parallel::Count)
    return R;
  R.IsConditional = constantArgument(Call, parallel::Condition) != 1;
  const int64_t Threads =
      constantArgument(Call, parallel::NumThreads).value_or(INT64_MIN);
  R.NumThreads = Threads == -1 ? 0 : Threads > 0 ? Threads : -1;
  auto *Body = dyn_cast<Function>(
      Call.getArgOperand(parallel::Body)->stripPointerCasts());
  if (!Body || Body->isDeclaration() || !Body->hasLocalLinkage() ||
      !isOnlyBodyOf(*Body, Call))
    return R;
  R.Body = Body;
  R.Observes = observationsOf(*Body);
  findLoops(*Body, ForInit, FAM.getResult<LoopAnalysis>(*Body), R.Loops,
            R.UnknownLoops, &R.RepeatedLoops);
  forEachCall(*Body, DispatchInit,
              [&](CallInst &) { R.UnknownLoops.push_back(Refusal::Dynamic); });
  findReductions(*Body, R.Reductions);
  R.Privates = countPrivates(R);
  return R;
}

/// Adds \p F and the functions that it alone calls.
static void describeParts(Function &F, FunctionAnalysisManager &FAM,
                          KernelPlan &Plan, unsigned Depth = 0) {
  TeamsPart Part;
  Part.F = &F;
  findLoops(F, DistributeInit, FAM.getResult<LoopAnalysis>(F), Part.Loops,
            Part.UnknownLoops);
  forEachCall(F, Parallel, [&](CallInst &Call) {
    Part.Regions.push_back(describeRegion(Call, FAM));
  });
  findReductions(F, Part.Reductions);
  if (!Part.Loops.empty() || !Part.UnknownLoops.empty() ||
      !Part.Regions.empty() || !Part.Reductions.empty())
    Plan.Parts.push_back(std::move(Part));
  if (Depth == 4)
    return;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && !Callee->isDeclaration() && Callee->hasLocalLinkage() &&
        Callee->hasOneUse() && Callee != &F)
      describeParts(*Callee, FAM, Plan, Depth + 1);
  }
}

bool isGpuCode(const Module &M) {
  return StringRef(M.getTargetTriple()).starts_with("nvptx64");
}

bool hasIndependentThreads(const Function &F) {
  StringRef Device = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Device.consume_front("sm_") && !Device.consumeInteger(10, Number) &&
         Number >= 70;
}

/// \p Whole with element \p Index replaced.
static Constant *with(Constant *Whole, unsigned Index, Constant *Element) {
  SmallVector<Constant *, 16> Elements;
  for (unsigned I = 0; Constant *Old = Whole->getAggregateElement(I); ++I)
    Elements.push_back(Old);
  Elements[Index] = Element;
  return ConstantStruct::get(cast<StructType>(Whole->getType()), Elements);
}

void configure(GlobalVariable &Environment, unsigned Field, int64_t Number) {
  Constant *All = Environment.getInitializer();
  Constant *Fields = All->getAggregateElement(0u);
  Type *T = Fields->getAggregateElement(Field)->getType();
  Environment.setInitializer(with(
      All, 0,
      with(Fields, Field, ConstantInt::get(T, Number, /*IsSigned=*/true))));
}

std::vector<KernelPlan> findKernels(Module &M, FunctionAnalysisManager &FAM) {
  std::vector<KernelPlan> Plans;
  if (!isGpuCode(M))
    return Plans;
  for (Function &F : M)
    forEachCall(F, TargetInit, [&](CallInst &Call) {
      auto *Environment =
          dyn_cast<GlobalVariable>(Call.getArgOperand(0)->stripPointerCasts());
      if (!Environment || !Environment->hasInitializer() ||
          !F.hasFnAttribute("kernel"))
        return;
      KernelPlan Plan;
      Plan.Kernel = &F;
      Plan.Environment = Environment;
      Plan.Mode =
          static_cast<ExecMode>(field(*Environment, configuration::Mode));
      Plan.MinThreads = field(*Environment, configuration::MinThreads);
      Plan.MaxThreads = field(*Environment, configuration::MaxThreads);
      Plan.MinTeams = field(*Environment, configuration::MinTeams);
      Plan.MaxTeams = field(*Environment, configuration::MaxTeams);
      describeParts(F, FAM, Plan);
      Plans.push_back(std::move(Plan));
    });
  return Plans;
}

/// Whether code that runs once a chunk, before the region, does nothing that
/// could be noticed.
static bool onlyPreparesCall(const WorkLoop &Teams, const CallInst &Call) {
  if (Call.getParent() != Teams.Body)
    return false;
  for (const Instruction &I : *Teams.Body) {
    if (&I == &Call)
      return true;
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (Store &&
        isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand())))
      continue;
    if (const auto *Copy = dyn_cast<MemIntrinsic>(&I);
        Copy && isa<AllocaInst>(getUnderlyingObject(Copy->getDest())))
      continue;
    if (I.mayWriteToMemory() && !isMarker(I))
      return false;
  }
  return false;
}

/// Whether \p Call hands the value of \p Bound on as captured number \p Index.
static bool passes(const CallInst &Call, unsigned Index,
                   const AllocaInst &Bound) {
  const auto *Cast = dyn_cast_or_null<IntToPtrInst>(capturedValue(Call, Index));
  const auto *Load =
      Cast ? dyn_cast<LoadInst>(stripExtensions(Cast->getOperand(0))) : nullptr;
  return Load && Load->getPointerOperand() == &Bound;
}

Refusal LoopPair::match(const KernelPlan &Plan, const TeamsPart &Part,
                        const WorkLoop &Teams, LoopPair &Pair) {
  Pair = LoopPair();
  Pair.Teams = &Teams;
  if (!Plan.isSpmd())
    return Refusal::NotSpmd;
  for (const ParallelRegion &Region : Part.Regions) {
    if (!Teams.Nest->contains(Region.Call))
      continue;
    if (Pair.Region)
      return Refusal::SeveralRegions;
    Pair.Region = &Region;
  }
  if (!Pair.Region)
    return Refusal::NoParallel;
  const ParallelRegion &Region = *Pair.Region;
  if (!Region.Body)
    return Refusal::UnknownBody;
  if (Region.IsConditional)
    return Refusal::Conditional;
  // All threads of a block take part, whatever a clause says, if it never has
  // more or nobody can tell.
  if (!Plan.hasAllThreads(Region) && (Region.Observes & ObservesIdentity))
    return Refusal::FewerThreads;
  if (!Region.UnknownLoops.empty())
    return Region.UnknownLoops.front();
  if (Region.Loops.size() != 1)
    return Refusal::SeveralLoops;
  const WorkLoop &Threads = Region.Loops.front();
  Pair.Threads = &Threads;
  if (!onlyPreparesCall(Teams, *Region.Call) ||
      !Teams.onlyControl(std::next(Region.Call->getIterator())))
    return Refusal::CodeBetween;
  if (Threads.Is64 != Teams.Is64 || Threads.IsUnsigned != Teams.IsUnsigned)
    return Refusal::BoundsDiffer;
  const auto *First = dyn_cast<ConstantInt>(Teams.First);
  if (!First || !First->isZero())
    return Refusal::BoundsUnknown;
  // The team's bounds are the first two things that the region captures.
  const auto Captures = [&](Value *Bound, unsigned Index) {
    auto *From = dyn_cast<Argument>(originOf(Bound));
    return From && From->getArgNo() == parallel::FirstCaptured + Index;
  };
  if (!Captures(Threads.First, 0) || !Captures(Threads.End, 1) ||
      !passes(*Region.Call, 0, *Teams.Lower) ||
      !passes(*Region.Call, 1, *Teams.Upper))
    return Refusal::BoundsDiffer;
  const bool KnownSchedule = (Teams.Schedule == schedule::Distribute ||
                              Teams.Schedule == schedule::DistributeChunked) &&
                             (Threads.Schedule == schedule::Static ||
                              Threads.Schedule == schedule::StaticChunked);
  if (!KnownSchedule)
    return Refusal::UnknownSchedule;
  if (!(Teams.isCyclic() && Threads.isCyclic()) &&
      (Region.Observes & ObservesIdentity))
    return Refusal::Observed;
  return Refusal::None;
}

} // namespace accx::offload
