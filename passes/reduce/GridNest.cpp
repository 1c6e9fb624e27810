//===- GridNest.cpp - Gangs and workers share the whole grid --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches nests, chooses which groups a nest may have, and reports. What is
// chosen is written by NestWriter.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/GridNest.h"

#include "gridloop/GridLoop.h"
#include "ir/Remark.h"
#include "offload/TeamNest.h"
#include "reduce/GroupFold.h"
#include "reduce/NestWriter.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
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

static cl::opt<bool>
    TeamCode("accx-team-code", cl::init(true), cl::Hidden,
             cl::desc("Let all threads of a block run the code of teams that "
                      "have no distributed loop"));

namespace accx::reduce {

/// What the nest's reductions combine. False: some cannot be written here.
static bool matchReductions(const TeamNest &N, NestReductions &R) {
  const auto Match = [](const Reduction &From, ReductionPlan &Into) {
    return ReductionPlan::match(From, Into) == Refusal::None;
  };
  for (const NestRegion &Each : N.Regions) {
    auto &Into = R.InRegions.emplace_back();
    for (const Reduction &From : Each.Region->Reductions)
      if (!Match(From, Into.emplace_back()))
        return false;
  }
  const Reduction *Teams = nullptr;
  for (const Reduction &Each : N.Part->Reductions)
    if (Each.AcrossTeams) {
      if (Teams)
        return false;
      Teams = &Each;
    }
  return !N.OverTeams || (Teams && Match(*Teams, R.OverTeams.emplace()));
}

/// Whether warps of a block may each have what their threads share.
static bool mayBeWarps(const TeamNest &N) {
  constexpr uint64_t MaxBytes = 256;
  if (!N.IsTogether)
    return true;
  if (N.isOfBlocks())
    return false;
  uint64_t Bytes = 0;
  for (const NestShared &Variable : N.Shared)
    Bytes += Variable.Bytes;
  return Bytes <= MaxBytes && !N.SharesOutside && !N.OverTeams;
}

/// Whether loops of \p F are dealt out to the grid.
static bool hasGridLoops(const Function *F) {
  return F && any_of(instructions(*F), [](const Instruction &I) {
           const MDNode *Loop = I.getMetadata(LLVMContext::MD_loop);
           return Loop && findOptionMDForLoopID(const_cast<MDNode *>(Loop),
                                                gridloop::GridLoopMetadata);
         });
}

static bool rewrite(const KernelPlan &Kernel, FunctionAnalysisManager &FAM,
                    gridloop::TeamCalls &Calls) {
  if (Kernel.Mode != ExecMode::Generic && !Kernel.isSpmd())
    return false;
  // What remarks are about.
  const CallInst *Where = nullptr;
  bool HasRegion = false;
  bool IsDistributed = false;
  bool IsDone = false;
  for (const TeamsPart &P : Kernel.Parts) {
    if (!P.Loops.empty())
      Where = P.Loops.front().Init;
    else if (!P.Regions.empty() && !Where)
      Where = P.Regions.front().Call;
    IsDistributed |= !P.Loops.empty();
    HasRegion |= !P.Regions.empty();
    IsDone |= any_of(P.Regions, [](const ParallelRegion &Region) {
      return hasGridLoops(Region.Body);
    });
  }
  // Other passes have what SPMD kernels do with distributed loops.
  if (!HasRegion || !(IsDistributed ? !Kernel.isSpmd() : TeamCode) || IsDone)
    return false;
  const char *What = IsDistributed ? "nest of " : "code of teams of ";
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
  if (R == NestRefusal::Form && Kernel.isSpmd())
    return false;
  if (R != NestRefusal::None) {
    ++NumRefused;
    ir::remarkRefused(DEBUG_TYPE, R, *Where, What,
                      ore::NV("Kernel", Kernel.Kernel->getName()),
                      Kernel.isSpmd() ? " stays with the device runtime"
                                      : " is left to one thread a team");
    return false;
  }
  const auto &First = Reductions.InRegions.front();
  const bool MayJoin = !N.joins() || First.empty() || fitsRecord(First.front());
  const bool MayDivide = isPowerOf2_32(Parts) && Parts > 1 && Parts < 32 &&
                         hasIndependentThreads(*Kernel.Kernel);
  const NestChoices Choices = {Shares && N.mayShare() && MayJoin,
                               Warps && mayBeWarps(N),
                               MayDivide && !N.IsTogether ? Parts : 0U};
  ir::remarkPassed(DEBUG_TYPE, "GridNest", *Where, What,
                   ore::NV("Kernel", Kernel.Kernel->getName()),
                   !N.Gangs ? " runs on all threads of their blocks"
                            : " runs on all threads of the grid",
                   Choices.MayShare ? ", blocks may share an iteration"
                   : N.IsTogether && N.Gangs
                       ? ", whose groups run the outer loop together"
                       : "");
  writeNest(N, Reductions, Choices, Calls);
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
  gridloop::TeamCalls Calls;
  // The facts of kernels go stale with each kernel that is rewritten.
  for (unsigned Next = 0;; ++Next) {
    const auto Plans = findKernels(M, FAM);
    if (Next >= Plans.size())
      return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (rewrite(Plans[Next], FAM, Calls)) {
      Changed = true;
      FAM.clear();
    }
  }
}

} // namespace accx::reduce
