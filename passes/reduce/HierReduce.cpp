//===- HierReduce.cpp - Reductions by lanes, warps, blocks, grid ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks kernels and their reductions, replaces each call or notes why it stays,
// and reports both. The functions that are called instead are written
// elsewhere.
//
//===----------------------------------------------------------------------===//

#include "reduce/HierReduce.h"

#include "gpu/ThreadPlace.h"
#include "gridloop/DirectCall.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"
#include "offload/PointerList.h"
#include "reduce/BlockFold.h"
#include "reduce/NestWriter.h"
#include "reduce/OverTeams.h"
#include "reduce/ReductionPlan.h"
#include "reduce/SharedArrays.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#define DEBUG_TYPE "hier-reduce"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumInTeams, "Number of reductions over a team's threads rewritten");
STATISTIC(NumOverTeams, "Number of reductions over teams rewritten");
STATISTIC(NumDirect, "Number of parallel regions called directly");
STATISTIC(NumRefused, "Number of reductions left to the device runtime");

// All code that the pass writes keeps this, asked for or not: what combines
// depends on nothing but the grid. New code must keep it where it is asked for.
static cl::opt<bool>
    Deterministic("accx-deterministic-reductions", cl::init(false), cl::Hidden,
                  cl::desc("Reductions on GPUs are the same to the bit from "
                           "run to run"));

namespace accx::reduce {

namespace {

class ReductionRewriter {
  Module &M;
  FunctionAnalysisManager &FAM;
  Slots Shared;
  SharedArrays Arrays;
  /// Why calls that are still there were left.
  DenseMap<const CallInst *, Refusal> Left;
  bool Changed = false;

public:
  ReductionRewriter(Module &M, FunctionAnalysisManager &FAM)
      : M(M), FAM(FAM), Shared(M), Arrays(M, FAM, !Deterministic) {}

  bool run();

private:
  void inlineTeams(const KernelPlan &Kernel);
  void rewrite(const KernelPlan &Kernel);
  bool rewriteInTeam(const KernelPlan &Kernel, const ParallelRegion &Region);
  CallInst *rewriteOverTeams(const KernelPlan &Kernel,
                             const offload::Reduction &R);
  bool isLongInLoop(const ReductionPlan &Plan, const ParallelRegion &Region);
  void report(const ReductionPlan &Plan);
  void reportLeft();
};

} // namespace

/// Where the reduction over teams of \p Kernel is, if there is one.
static const Reduction *findOverTeams(const KernelPlan &Kernel, Refusal &Why) {
  const Reduction *Found = nullptr;
  for (const TeamsPart &Part : Kernel.Parts)
    for (const Reduction &R : Part.Reductions) {
      if (!R.AcrossTeams)
        continue;
      if (Found)
        Why = Refusal::SeveralAcrossTeams;
      Found = &R;
    }
  return Found;
}

static Refusal checkKernel(const KernelPlan &Kernel) {
  if (Kernel.Kernel->hasOptNone())
    return Refusal::NoOptimization;
  return Kernel.isSpmd() ? Refusal::None : Refusal::NotSpmd;
}

/// Only the kernel has the launch's environment.
void ReductionRewriter::inlineTeams(const KernelPlan &Kernel) {
  Refusal Why = checkKernel(Kernel);
  const Reduction *R = findOverTeams(Kernel, Why);
  if (!R)
    return;
  ReductionPlan Plan;
  if (Why == Refusal::None)
    Why = ReductionPlan::match(*R, Plan);
  if (Why == Refusal::None && !launchEnvironment(*Kernel.Kernel))
    Why = Refusal::NoLaunchEnvironment;
  Function *Part = R->Call->getFunction();
  if (Why == Refusal::None &&
      FAM.getResult<LoopAnalysis>(*Part).getLoopFor(R->Call->getParent()))
    Why = Refusal::SeveralAcrossTeams;
  if (Why != Refusal::None) {
    Left[R->Call] = Why;
    return;
  }
  while (Part != Kernel.Kernel) {
    auto *Call = cast<CallInst>(Part->user_back());
    Function *Caller = Call->getFunction();
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info).isSuccess())
      return;
    FAM.invalidate(*Caller, PreservedAnalyses::none());
    FAM.clear(*Part, Part->getName());
    Part->eraseFromParent();
    Part = Caller;
    Changed = true;
  }
}

void ReductionRewriter::report(const ReductionPlan &Plan) {
  std::string Text;
  raw_string_ostream OS(Text);
  Plan.print(OS);
  ir::remarkPassed(DEBUG_TYPE, "Reduced", *Plan.Call, "reduction ",
                   ore::NV("What", Text), " written as shuffles",
                   Deterministic ? ", in the same order in each run" : "");
}

/// Whether \p Region runs for each chunk, and the slots would take long for an
/// array: Clang's exchange of one word at a time takes less of each thread.
bool ReductionRewriter::isLongInLoop(const ReductionPlan &Plan,
                                     const ParallelRegion &Region) {
  const bool IsLong =
      any_of(splitIntoPieces(Plan.Variables, M.getDataLayout(), 8),
             [](const Piece &P) { return P.Count > 1; });
  return IsLong && FAM.getResult<LoopAnalysis>(*Region.Call->getFunction())
                       .getLoopFor(Region.Call->getParent());
}

bool ReductionRewriter::rewriteInTeam(const KernelPlan &Kernel,
                                      const ParallelRegion &Region) {
  Refusal Why = checkKernel(Kernel);
  if (Why == Refusal::None &&
      (Region.IsConditional || !Kernel.hasAllThreads(Region)))
    Why = Refusal::NotAllThreads;
  if (Why == Refusal::None && Region.Body && Region.Body->hasOptNone())
    Why = Refusal::NoOptimization;
  bool Any = false;
  for (const Reduction &R : Region.Reductions) {
    ReductionPlan Plan;
    Refusal Here = Why == Refusal::None ? ReductionPlan::match(R, Plan) : Why;
    if (Here == Refusal::None && !Arrays.hasTaken(*R.Call) &&
        isLongInLoop(Plan, Region))
      Here = Refusal::LongInLoop;
    if (Here != Refusal::None) {
      Left[R.Call] = Here;
      continue;
    }
    Any = true;
    if (!Arrays.narrow(Plan)) {
      R.Call->replaceAllUsesWith(ConstantInt::get(R.Call->getType(), 0));
      R.Call->eraseFromParent();
      continue;
    }
    report(Plan);
    Function *Fold = writeBlockFold(Plan, Shared);
    ir::CodeWriter B(*R.Call);
    const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
    B.callTogether(*Fold, {Plan.List, At.Thread, At.Threads});
    R.Call->replaceAllUsesWith(B.CreateZExt(
        B.CreateICmpEQ(At.Thread, B.getInt32(0)), R.Call->getType()));
    R.Call->eraseFromParent();
    ++NumInTeams;
  }
  return Any;
}

CallInst *ReductionRewriter::rewriteOverTeams(const KernelPlan &Kernel,
                                              const Reduction &R) {
  ReductionPlan Plan;
  // A reduction that inlineTeams did not accept is in another function, or is
  // known.
  if (Left.contains(R.Call) || R.Call->getFunction() != Kernel.Kernel ||
      ReductionPlan::match(R, Plan) != Refusal::None)
    return nullptr;
  const bool HadArrays = Arrays.hasTaken(*Plan.Call);
  if (!Arrays.narrow(Plan)) {
    CallInst *End = Arrays.endOf(*Plan.Call);
    eraseOverTeams(*Plan.Call, ConstantInt::get(Plan.Call->getType(), 0));
    return End;
  }
  if (HadArrays)
    configure(*Kernel.Environment, configuration::ReductionBytes,
              int64_t(Plan.BufferedBytes));
  report(Plan);
  CallInst *Done = replaceOverTeams(Kernel, Plan, Shared, /*FoldsBlock=*/false);
  ++NumOverTeams;
  return Done;
}

/// Whether \p Pointer is to a variable of the thread.
static bool isOwn(const Value *Pointer) {
  // A loop that initializes an array has phis.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return all_of(Objects, [](const Value *Object) {
    return isa<AllocaInst>(
        getUnderlyingObject(originOf(const_cast<Value *>(Object))));
  });
}

static bool touchesOnlyOwn(Instruction &I) {
  if (!I.mayReadOrWriteMemory())
    return true;
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return isOwn(Pointer);
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&I))
    return isOwn(Memory->getRawDest()) &&
           (!isa<MemTransferInst>(Memory) ||
            isOwn(cast<MemTransferInst>(Memory)->getRawSource()));
  // Calls that work on blocks' arrays have barriers around them.
  return isMarker(I) || isa<AssumeInst, NoAliasScopeDeclInst>(I) ||
         isUnnoticed(calledName(I)) ||
         calledName(I).starts_with(ReductionHelper);
}

/// A region that kept the runtime's parallel state for its reduction alone
/// needs no state once the reduction is straight code. Then it is called as the
/// function it is, on the terms of gridloop/DirectCall.h, with one exception:
/// code behind the reduction \p OverTeams may touch what threads share, since
/// that reduction has barriers that all threads pass. False where the call
/// could be noticed.
static bool callDirectly(const ParallelRegion &Region, Function &Kernel,
                         CallInst &OverTeams) {
  CallInst &Call = *Region.Call;
  Function &Body = *Region.Body;
  if (observationsOf(Body) & ObservesState)
    return false;
  const DominatorTree DT(Kernel);
  if (DT.dominates(&OverTeams, &Call))
    return false;
  for (Instruction &I : instructions(Kernel))
    if (&I != &Call && &I != &OverTeams && !DT.dominates(&OverTeams, &I) &&
        !touchesOnlyOwn(I))
      return false;
  return gridloop::emitDirectCall(Call, Body, Kernel);
}

void ReductionRewriter::rewrite(const KernelPlan &Kernel) {
  SmallVector<const ParallelRegion *, 2> Reduced;
  for (const TeamsPart &Part : Kernel.Parts)
    for (const ParallelRegion &Region : Part.Regions)
      if (rewriteInTeam(Kernel, Region))
        Reduced.push_back(&Region);
  CallInst *OverTeams = nullptr;
  for (const TeamsPart &Part : Kernel.Parts)
    for (const Reduction &R : Part.Reductions)
      if (R.AcrossTeams)
        OverTeams = rewriteOverTeams(Kernel, R);
  Changed |= !Reduced.empty() || OverTeams;
  if (!OverTeams || Reduced.size() != 1 ||
      Reduced.front()->Call->getFunction() != Kernel.Kernel)
    return;
  if (callDirectly(*Reduced.front(), *Kernel.Kernel, *OverTeams))
    ++NumDirect;
}

void ReductionRewriter::reportLeft() {
  for (Function &F : M) {
    const auto Refuse = [&](CallInst &Call) {
      const auto Known = Left.find(&Call);
      const Refusal R =
          Known == Left.end() ? Refusal::Elsewhere : Known->second;
      ++NumRefused;
      ir::remarkRefused(DEBUG_TYPE, R, Call,
                        "reduction is left to the device runtime");
    };
    if (F.isDeclaration())
      continue;
    forEachCall(F, ParallelReduce, Refuse);
    forEachCall(F, TeamsReduce, Refuse);
  }
}

bool ReductionRewriter::run() {
  for (const KernelPlan &Kernel : findKernels(M, FAM))
    inlineTeams(Kernel);
  for (const KernelPlan &Kernel : findKernels(M, FAM))
    Changed |= Arrays.take(Kernel);
  for (const KernelPlan &Kernel : findKernels(M, FAM))
    rewrite(Kernel);
  reportLeft();
  return Changed;
}

PreservedAnalyses HierReducePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = inlineNestRegions(M);
  if (Changed)
    FAM.clear();
  if (!OnlyInlines)
    Changed |= ReductionRewriter(M, FAM).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::reduce
