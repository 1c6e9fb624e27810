//===- SmcTile.cpp - Arrays in shared memory by directive -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps on each kernel, reports what is cached and what is refused,
// and tells the kernel's descriptor and annotations how many threads a block
// has. How many blocks are to fit on a multiprocessor is chosen here, too.
//
//===----------------------------------------------------------------------===//

#include "smc/SmcTile.h"

#include "accx/kernel_desc.h"
#include "blocks/Notes.h"
#include "gpu/LaunchGrid.h"
#include "ir/Remark.h"
#include "offload/Annotations.h"
#include "offload/Kernel.h"
#include "smc/Emit.h"
#include "smc/Plan.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "smc-tile"

using namespace llvm;
using namespace accx::blocks;

STATISTIC(NumCached, "Number of arrays kept in shared memory");
STATISTIC(NumRefused, "Number of arrays left where they are");

static cl::opt<bool>
    CheckRanges("accx-smc-check", cl::init(false), cl::Hidden,
                cl::desc("Report reads outside of the range that an fcw "
                         "directive declares"));

static cl::opt<unsigned>
    Resident("accx-smc-threads", cl::init(0), cl::Hidden,
             cl::desc("Threads that are to fit on a multiprocessor beside each "
                      "other, which limits their registers; 0: by loops"));

/// The most blocks that a multiprocessor holds.
static constexpr unsigned MaxBlocks = 32;

static cl::opt<cl::boolOrDefault> OneWave(
    "accx-smc-one-wave", cl::Hidden,
    cl::desc("Launch as many blocks as fit on the device at once, which go on "
             "to others; by default those with channel types"));

namespace accx::smc {

namespace {

class Tiler {
  Module &M;
  FunctionAnalysisManager &FAM;

public:
  Tiler(Module &M, ModuleAnalysisManager &MAM)
      : M(M),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {
  }

  bool run() {
    if (!offload::isGpuCode(M) || !any_of(M, hasNotes))
      return false;
    inlineNotes(M, FAM);
    for (const offload::KernelPlan &K : offload::findKernels(M, FAM))
      if (hasNotes(*K.Kernel) && K.isSpmd())
        tile(K);
    for (Function &F : M) {
      if (!hasNotes(F))
        continue;
      for (Instruction &I : instructions(F))
        if (noteOf(I) == NoteKind::Begin)
          refuse(cast<CallInst>(I), Refusal::NotGridLoop, "");
      removeNotes(F);
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    // Notes were calls of these declarations.
    for (Function &F : make_early_inc_range(M))
      if (F.getIntrinsicID() == Intrinsic::experimental_stackmap &&
          F.use_empty())
        F.eraseFromParent();
    return true;
  }

private:
  void refuse(CallInst &Begin, Refusal R, const Twine &Detail) {
    ++NumRefused;
    if (isChannel(Begin)) {
      const StringRef Advice = describe(R).Advice;
      M.getContext().emitError(whereOf(Begin) +
                               " cannot be cached: " + textOf(R) + Detail +
                               (Advice.empty() ? "" : "; ") + Advice);
      return;
    }
    ir::remarkMissed(DEBUG_TYPE, describe(R).Name, Begin, whereOf(Begin),
                     " is not cached: ", ore::NV("Reason", textOf(R)),
                     Detail.str());
  }

  void report(const ArrayPlan &A, const NestPlan &P) {
    ++NumCached;
    ir::remarkPassed(
        DEBUG_TYPE, "SmcTile", *A.Begin, whereOf(*A.Begin),
        " cached: ", ir::Counted(A.elements(), "element", "Elements"), ", ",
        ir::Counted(A.bytes(), "byte", "Bytes"), " for blocks of ",
        ir::Counted(threadsOf(P.Shape), "thread", "Threads"));
  }

  void tile(const offload::KernelPlan &K) {
    Function &Kernel = *K.Kernel;
    makeValues(Kernel, FAM);
    const auto Refuse = [&](CallInst &Begin, Refusal R, const Twine &Detail) {
      refuse(Begin, R, Detail);
    };
    std::vector<NestPlan> Plans;
    if (hasTeam(Kernel) ? shareTeamObjects(Kernel, Refuse)
                        : hoistWrites(Kernel, FAM, Refuse))
      Plans = planKernel(Kernel, FAM, Refuse);
    if (raw_ostream *Print = ir::plansGoTo()) {
      *Print << Kernel.getName() << "\n";
      for (const NestPlan &P : Plans)
        P.print(*Print);
    }
    for (const NestPlan &P : Plans)
      for (const GroupPlan &G : P.Groups)
        for (const ArrayPlan &A : G.Arrays)
          report(A, P);
    const unsigned Threads =
        Plans.empty() ? 0 : Plans.front().Nest.threadsFor(Plans.front().Shape);
    for (const NestPlan &P : Plans) {
      for (Loop *L : P.ShortLoops)
        addStringMetadataToLoop(L, "llvm.loop.unroll.full");
      for (Loop *L : P.LongLoops)
        addStringMetadataToLoop(L, "llvm.loop.unroll.count", 16);
    }
    // Statements with barriers are short, and wait for each other.
    const bool HasChannels = any_of(Plans, [](const NestPlan &P) {
      return any_of(P.Groups, [](const GroupPlan &G) {
        return any_of(G.Arrays,
                      [](const ArrayPlan &A) { return A.isChannel(); });
      });
    });
    // Sums over short tiles wait for shared memory, as blocks do that go from
    // one barrier of their own to another; what is unrolled needs registers.
    // Blocks that load, wait and are done leave the device to others.
    unsigned Together = Resident;
    if (!Together && (HasChannels || any_of(Plans, [](const NestPlan &P) {
                        return P.Team && P.IsStraight;
                      })))
      Together = 2048;
    if (!Together)
      Together = any_of(Plans,
                        [](const NestPlan &P) {
                          return P.Team ||
                                 (!P.ShortLoops.empty() && P.LongLoops.empty());
                        })
                     ? 1536
                     : 1024;
    // Where blocks stay, many tiles share what a block begins with.
    const bool Stays =
        OneWave == cl::BOU_UNSET ? HasChannels : OneWave == cl::BOU_TRUE;
    for (NestPlan &P : Plans)
      emitNest(P, CheckRanges, Stays);
    if (Threads && hasTeam(Kernel))
      checkTeamBarriers(Kernel, FAM, Refuse);
    removeNotes(Kernel);
    FAM.invalidate(Kernel, PreservedAnalyses::none());
    if (!Threads)
      return;
    const BlockShape &Shape = Plans.front().Shape;
    // The last blocks of each dimension are short. Where all fit on the device
    // at once, none is to wait for a second one: some more are launched, of
    // which the last find nothing to do.
    const unsigned Iterations = threadsOf(Shape);
    gpu::describeLaunch(
        Kernel, Threads,
        Stays && Shape.size() > 1 ? divideCeil(Iterations * 3, 4) : Iterations,
        Plans.front().Grid);
    offload::configure(*K.Environment, offload::configuration::MaxThreads,
                       Threads);
    // Code counts on that number: the driver refuses launches with another.
    offload::dropAnnotation(Kernel, "maxntidx");
    offload::annotate(Kernel, "reqntidx", Threads);
    // Without it the back end's assembler takes registers until few blocks fit.
    if (Together >= Threads)
      offload::annotate(Kernel, "minctasm",
                        std::min(Together / Threads, MaxBlocks));
    if (Stays)
      offload::configure(*K.Environment, offload::configuration::MinTeams,
                         ACCX_TEAMS_OF_A_WAVE);
    offload::renew(Kernel);
    FAM.clear(Kernel, Kernel.getName());
  }
};

} // namespace

PreservedAnalyses SmcTilePass::run(Module &M, ModuleAnalysisManager &MAM) {
  return Tiler(M, MAM).run() ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
}

} // namespace accx::smc
