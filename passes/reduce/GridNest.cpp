//===- GridNest.cpp - Gangs and workers share the whole grid --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches nests, chooses which groups a nest may have, and reports. What is
// chosen is written by NestWriter.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/GridNest.h"

#include "ir/Remark.h"
#include "offload/TeamNest.h"
#include "reduce/GroupFold.h"
#include "reduce/NestWriter.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/CommandLine.h"

#define DEBUG_TYPE "grid-nest"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumNests, "Number of nests that run on the whole grid");
STATISTIC(NumRefused, "Number of distributed loops left to one thread a team");

static cl::opt<bool>
    Shares("accx-grid-nest-share", cl::init(true), cl::Hidden,
           cl::desc("Let several blocks work on one iteration of the outer "
                    "loop"));
static cl::opt<bool>
    Warps("accx-grid-nest-warps", cl::init(true), cl::Hidden,
          cl::desc("Let warps work on iterations of the outer loop"));
static cl::opt<unsigned>
    Parts("accx-grid-nest-parts", cl::init(8), cl::Hidden,
          cl::desc("Threads of the parts of warps that may work on iterations "
                   "of the outer loop: 2, 4, 8 or 16; 0: no parts"));

namespace accx::reduce {

/// What the nest's reductions combine. False: some cannot be written here.
static bool matchReductions(const TeamNest &N, NestReductions &R) {
  const auto Match = [](const Reduction &From, auto &Into) {
    Into.emplace();
    return ReductionPlan::match(From, *Into) == Refusal::None;
  };
  for (const NestRegion &Each : N.Regions) {
    auto &Into = R.InRegions.emplace_back();
    if (Each.Reduces && !Match(Each.Region->Reductions.front(), Into))
      return false;
  }
  const Reduction *Teams = nullptr;
  for (const Reduction &Each : N.Part->Reductions)
    if (Each.AcrossTeams) {
      if (Teams)
        return false;
      Teams = &Each;
    }
  return !N.OverTeams || (Teams && Match(*Teams, R.OverTeams));
}

/// Whether warps of a block may each have what their threads share.
static bool mayBeWarps(const TeamNest &N) {
  constexpr uint64_t MaxBytes = 256;
  if (!N.IsTogether)
    return true;
  uint64_t Bytes = 0;
  for (const NestShared &Variable : N.Shared)
    Bytes += Variable.Bytes;
  return Bytes <= MaxBytes && !N.SharesOutside && !N.OverTeams;
}

static bool rewrite(const KernelPlan &Kernel, FunctionAnalysisManager &FAM) {
  if (Kernel.Mode != ExecMode::Generic)
    return false;
  const WorkLoop *Distributed = nullptr;
  bool HasRegion = false;
  for (const TeamsPart &P : Kernel.Parts) {
    if (!P.Loops.empty())
      Distributed = &P.Loops.front();
    HasRegion |= !P.Regions.empty();
  }
  if (!Distributed || !HasRegion)
    return false;
  TeamNest N;
  NestReductions Reductions;
  NestRefusal R = TeamNest::match(
      Kernel,
      [&](Function &F) -> const DominatorTree & {
        return FAM.getResult<DominatorTreeAnalysis>(F);
      },
      N);
  if (R == NestRefusal::None && !matchReductions(N, Reductions))
    R = NestRefusal::RegionCode;
  if (R != NestRefusal::None) {
    ++NumRefused;
    ir::remarkRefused(DEBUG_TYPE, R, *Distributed->Init, "nest of ",
                      ore::NV("Kernel", Kernel.Kernel->getName()),
                      " is left to one thread a team");
    return false;
  }
  const auto &First = Reductions.InRegions.front();
  const bool MayJoin = !N.joins() || !First || fitsRecord(*First);
  const bool MayDivide = isPowerOf2_32(Parts) && Parts > 1 && Parts < 32 &&
                         hasIndependentThreads(*Kernel.Kernel);
  const NestChoices Choices = {Shares && N.mayShare() && MayJoin,
                               Warps && mayBeWarps(N),
                               MayDivide && !N.IsTogether ? Parts : 0U};
  ir::remarkPassed(DEBUG_TYPE, "GridNest", *Distributed->Init, "nest of ",
                   ore::NV("Kernel", Kernel.Kernel->getName()),
                   " runs on all threads of the grid",
                   Choices.MayShare ? ", blocks may share an iteration"
                   : N.IsTogether ? ", whose groups run the outer loop together"
                                  : "");
  writeNest(N, Reductions, Choices);
  ++NumNests;
  return true;
}

/// For vector loops below those of threads.
static void markVariables(Module &M, FunctionAnalysisManager &FAM) {
  for (const KernelPlan &Kernel : findKernels(M, FAM))
    for (const TeamsPart &Part : Kernel.Parts)
      for (const ParallelRegion &Region : Part.Regions)
        for (const Reduction &Each : Region.Reductions)
          if (ReductionPlan Plan;
              ReductionPlan::match(Each, Plan) == Refusal::None)
            Plan.markVariables();
}

PreservedAnalyses GridNestPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  markVariables(M, FAM);
  bool Changed = false;
  // The facts of kernels go stale with each kernel that is rewritten.
  for (unsigned Next = 0;; ++Next) {
    const auto Plans = findKernels(M, FAM);
    if (Next >= Plans.size())
      return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (rewrite(Plans[Next], FAM)) {
      Changed = true;
      FAM.clear();
    }
  }
}

} // namespace accx::reduce
