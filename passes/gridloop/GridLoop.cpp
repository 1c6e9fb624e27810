//===- GridLoop.cpp - Loops over teams and threads become one -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches pairs of loops in each kernel, runs the rewriting of both, and
// reports it. The parts of the rewriting have sources of their own.
//
//===----------------------------------------------------------------------===//

#include "gridloop/GridLoop.h"

#include "accx/kernel_desc.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/BlockBounds.h"
#include "gridloop/DealOut.h"
#include "gridloop/DirectCall.h"
#include "gridloop/ExactExtents.h"
#include "gridloop/FinalValues.h"
#include "gridloop/WideCounters.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "grid-loop"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumRewritten, "Number of loops made grid-stride loops");
STATISTIC(NumRefused, "Number of distributed loops left as they are");
STATISTIC(NumDirect, "Number of parallel regions called directly");
STATISTIC(NumWidened, "Number of counters used as wide as they are computed");
STATISTIC(NumExact, "Number of divisors of counters made exact products");
STATISTIC(NumUnbounded, "Number of kernels for blocks of any size");

static cl::opt<bool>
    DirectCalls("accx-grid-loop-direct", cl::init(true), cl::Hidden,
                cl::desc("Call parallel regions directly where possible"));

namespace accx::gridloop {

namespace {

class PairRewriter {
  const KernelPlan &Plan;
  const TeamsPart &Part;

public:
  PairRewriter(const KernelPlan &Plan, const TeamsPart &Part)
      : Plan(Plan), Part(Part) {}

  bool rewrite(const WorkLoop &Teams);
  void refuse(Refusal R, const Instruction &Where);

private:
  static void rewriteTeams(const WorkLoop &Teams, CallInst &Region);
  static void rewriteThreads(const WorkLoop &Threads, bool MayInterleave);
  void callDirectly(const ParallelRegion &Region);
};

} // namespace

void PairRewriter::refuse(Refusal R, const Instruction &Where) {
  ++NumRefused;
  ir::remarkRefused(DEBUG_TYPE, R, Where, "loop of ",
                    ore::NV("Kernel", Plan.Kernel->getName()),
                    " is not made a grid-stride loop");
}

void PairRewriter::rewriteTeams(const WorkLoop &Teams, CallInst &Region) {
  if (Teams.readsLast()) {
    IRBuilder<> B(Teams.Init);
    const gpu::GridShape Grid = gpu::GridShape::read(B);
    storeLast(B, Teams, Grid, lastIteration(B, Teams));
  }
  // Without the call the bounds remain those of the whole loop, and all teams
  // enter its body once.
  jumpAfter(Region, Teams.Exit);
  Teams.Init->eraseFromParent();
}

void PairRewriter::rewriteThreads(const WorkLoop &Threads, bool MayInterleave) {
  NumWidened += widenCounters(Threads);
  IRBuilder<> B(Threads.Init);
  dealOut(Threads, gpu::GridShape::read(B), MayInterleave);
}

void PairRewriter::callDirectly(const ParallelRegion &Region) {
  const DirectCallRefusal R =
      replaceByDirectCall(Region, *Part.F, *Plan.Kernel);
  if (R == DirectCallRefusal::None) {
    ++NumDirect;
    return;
  }
  ir::remark<OptimizationRemarkAnalysis>(
      DEBUG_TYPE, "ParallelRegionKept", *Region.Call, "parallel region of ",
      ore::NV("Kernel", Plan.Kernel->getName()),
      " is kept: ", ore::NV("Reason", textOf(R)));
}

bool PairRewriter::rewrite(const WorkLoop &Teams) {
  LoopPair Pair;
  if (Refusal R = LoopPair::match(Plan, Part, Teams, Pair);
      R != Refusal::None) {
    refuse(R, *Teams.Init);
    return false;
  }
  const bool Moves = !Teams.isCyclic() || !Pair.Threads->isCyclic();
  ir::remarkPassed(DEBUG_TYPE, "GridLoop", *Teams.Init, "loop of ",
                   ore::NV("Kernel", Plan.Kernel->getName()),
                   " made a grid-stride loop",
                   Moves ? "; its iterations move to other threads" : "");
  // A match goes stale at once: each side is one function, rewritten once.
  NumExact += makeExtentsExact(Teams, *Pair.Threads);
  rewriteThreads(*Pair.Threads, !(Pair.Region->Observes & ObservesIdentity));
  rewriteTeams(Teams, *Pair.Region->Call);
  // No thread may be left out any more: each has iterations of its own.
  CallInst &Call = *Pair.Region->Call;
  Call.setArgOperand(parallel::NumThreads,
                     Constant::getAllOnesValue(
                         Call.getArgOperand(parallel::NumThreads)->getType()));
  if (DirectCalls)
    callDirectly(*Pair.Region);
  removeUnreachableBlocks(*Part.F);
  ++NumRewritten;
  return true;
}

/// Whether anything in the kernel shows how many teams there are.
static bool tellsTeams(const KernelPlan &Plan) {
  const auto Tells = [](const ParallelRegion &Region) {
    return (Region.Observes & ObservesIdentity) != 0;
  };
  const auto Around = [](Function &F) {
    return (observationsAround(F) & ObservesIdentity) != 0;
  };
  return Around(*Plan.Kernel) || any_of(Plan.Parts, [&](const TeamsPart &Part) {
           return any_of(Part.Regions, Tells) ||
                  (Part.F != Plan.Kernel && Around(*Part.F));
         });
}

PreservedAnalyses GridLoopPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  if (isGpuCode(M))
    for (Function &F : M)
      if (!F.hasOptNone()) {
        // Loops that have no iterations, by constants, are no loops.
        if (!F.isDeclaration() && removeUnreachableBlocks(F)) {
          FAM.invalidate(F, PreservedAnalyses::none());
          Changed = true;
        }
        Changed |= dropFinalValues(F) > 0;
      }
  for (const KernelPlan &Plan : findKernels(M, FAM)) {
    const bool TellsTeams = tellsTeams(Plan);
    bool AllRewritten = true;
    size_t NumRegions = 0, NumLoops = 0;
    for (const TeamsPart &Part : Plan.Parts) {
      NumRegions += Part.Regions.size();
      NumLoops += Part.Loops.size();
      PairRewriter Work(Plan, Part);
      if (Plan.Kernel->hasOptNone() || Part.F->hasOptNone()) {
        for (const WorkLoop &Teams : Part.Loops)
          Work.refuse(Refusal::NoOptimization, *Teams.Init);
        AllRewritten = false;
        continue;
      }
      for (Refusal R : Part.UnknownLoops)
        Work.refuse(R, Part.F->getEntryBlock().front());
      AllRewritten &= Part.UnknownLoops.empty();
      // Two loops in one function would need the second to be matched anew.
      for (const WorkLoop &Teams : Part.Loops) {
        const bool Rewritten = Work.rewrite(Teams);
        AllRewritten &= Rewritten;
        Changed |= Rewritten;
      }
    }
    AllRewritten &= NumLoops > 0 && NumRegions == NumLoops;
    if (AllRewritten && !TellsTeams && Plan.MinTeams > 0) {
      configure(*Plan.Environment, configuration::MinTeams,
                ACCX_TEAMS_UP_TO_NEED);
      Changed = true;
    }
    // Regions outside of these loops may count on Clang's number of threads.
    if (AllRewritten && liftDefaultBound(Plan)) {
      ++NumUnbounded;
      Changed = true;
      FAM.clear(*Plan.Kernel, Plan.Kernel->getName());
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::gridloop
