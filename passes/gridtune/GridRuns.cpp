//===- GridRuns.cpp - Blocks with neighbouring iterations -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GridRuns.h.
//
//===----------------------------------------------------------------------===//

#include "gridtune/GridRuns.h"

#include "accx/kernel_desc.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/GridIv.h"
#include "gridloop/GridLoop.h"
#include "gridtune/FunctionLoops.h"
#include "gridtune/SingleTurn.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "offload/Annotations.h"
#include "offload/Kernel.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "grid-runs"

using namespace llvm;

STATISTIC(NumRuns, "Number of grid-stride loops that may be dealt out in runs");
STATISTIC(NumSingle, "Number of kernels with a copy for an iteration a thread");

static cl::opt<bool> SingleTurn("accx-grid-single", cl::init(true), cl::Hidden,
                                cl::desc("Copy kernels for grids of a thread "
                                         "for each iteration"));

namespace accx::gridtune {

namespace {

class RunDealer : FunctionLoops {
  std::optional<gridloop::GridIv> Grid;
  std::optional<gridloop::BoundTest> Test;
  /// Where the kernel asks whether the thread has an iteration at all.
  SmallVector<ICmpInst *, 1> Guards;

public:
  RunDealer(Function &F, FunctionAnalysisManager &FAM)
      : FunctionLoops(F, FAM) {}

  /// How a launch is to deal out the kernel's loop, which may be dealt out in
  /// runs now; none: as it was, but for the loop's form.
  std::optional<int64_t> run();

private:
  bool matchLoop();
  bool wantsShortRuns() const;
  Instruction *entry() const;
  void splitSingleTurn(Value *Trip, Instruction &Entry);
  bool moveStart(Value *To);
};

} // namespace

bool RunDealer::matchLoop() {
  const auto Marked = gridloop::gridLoopsOf(Loops);
  if (Marked.size() != 1)
    return false;
  Loop &L = *Marked.front();
  if (findStringMetadataForLoop(&L, gridloop::NestLoopMetadata))
    return false;
  simplify(L);
  Grid = gridloop::GridIv::find(L);
  if (!Grid || gridloop::groupOf(L) || !Grid->MayInterleave || Grid->MostTurns)
    return false;
  Test = gridloop::BoundTest::find(L, *L.getLoopLatch(), *Grid->Next);
  if (!Test || isa<Constant>(Grid->Start) || !Grid->dropFollowers(SE))
    return false;
  auto Found = Grid->guards();
  if (Found)
    Guards = std::move(*Found);
  return Found.has_value();
}

/// Whether a body takes long, and not always as long, and a thread finds its
/// place at once. Blocks that stay drift apart then from a few iterations on.
bool RunDealer::wantsShortRuns() const {
  const Loop &Nest = *Grid->Nest;
  const auto TakesApart = [&](const Instruction &I) {
    return I.isIntDivRem() && Nest.isLoopInvariant(I.getOperand(1));
  };
  return !Nest.isInnermost() && none_of(Nest.blocks(), [&](BasicBlock *BB) {
    return Loops.getLoopFor(BB) == &Nest && any_of(*BB, TakesApart);
  });
}

/// What all that uses a thread's start comes after; null if nothing of it has
/// the number of iterations at hand.
Instruction *RunDealer::entry() const {
  Instruction *First = Grid->Nest->getLoopPreheader()->getTerminator();
  for (ICmpInst *Guard : Guards)
    if (DT.dominates(Guard, First))
      First = Guard;
  const bool IsFirst = all_of(Guards, [&](const ICmpInst *Guard) {
    return Guard == First || DT.dominates(First, Guard);
  });
  return IsFirst && DT.dominates(Grid->Step, First) &&
                 DT.dominates(Test->Bound, First)
             ? First
             : nullptr;
}

/// False: it is as it was, as nothing would keep threads without an iteration
/// out of the loop.
bool RunDealer::moveStart(Value *To) {
  for (ICmpInst *Guard : Guards)
    Guard->replaceUsesOfWith(Grid->Start, To);
  SE.forgetAllLoops();
  const auto Goes = Test->IsInclusive ? ICmpInst::ICMP_ULE : ICmpInst::ICMP_ULT;
  if (SE.isLoopEntryGuardedByCond(Grid->Nest, Goes, SE.getSCEV(To),
                                  SE.getSCEV(Test->Bound))) {
    Grid->Iv->setIncomingValueForBlock(Grid->Nest->getLoopPreheader(), To);
    return true;
  }
  for (ICmpInst *Guard : Guards)
    Guard->replaceUsesOfWith(To, Grid->Start);
  SE.forgetAllLoops();
  return false;
}

void RunDealer::splitSingleTurn(Value *Trip, Instruction &Entry) {
  BasicBlock *Header = Grid->Nest->getHeader();
  addSingleTurn(*Grid, Trip, Entry, DT);
  forgetLoops();
  Grid->Nest = Loops.getLoopFor(Header);
  ++NumSingle;
}

std::optional<int64_t> RunDealer::run() {
  if (!matchLoop())
    return std::nullopt;
  Instruction *Entry = entry();
  if (!Entry)
    return std::nullopt;
  const bool IsShort = wantsShortRuns();
  IRBuilder<> B(Entry);
  const auto Widened = [&](Value *V) {
    return B.CreateZExt(V, B.getInt64Ty(), "", true);
  };
  Value *Trip = Test->Bound;
  if (Test->IsInclusive)
    Trip = B.CreateAdd(Trip, B.getInt64(1), "trip", true);
  if (SingleTurn && isWorthSingleTurn(*Grid, *Entry, DT, Loops)) {
    splitSingleTurn(Trip, *Entry);
    B.SetInsertPoint(Entry);
  }
  Value *Threads = Widened(gpu::readThreads(B));
  Value *Length = B.getInt64(IsShort ? ACCX_SHORT_RUN : ACCX_RUN);
  Value *Run = B.CreateMul(Threads, Length, "run", true, true);
  // A grid has less than 2^42 threads.
  Value *All = B.CreateMul(Grid->Step, Length, "in.runs", true, true);
  // Each block has a run, and the last one is not empty.
  Value *IsRuns =
      B.CreateAnd(B.CreateICmpULE(Trip, All),
                  B.CreateICmpULT(B.CreateSub(All, Run), Trip), "is.runs");
  Value *First =
      B.CreateMul(Widened(gpu::readBlock(B)), Run, "first.of.run", true, true);
  Value *Own = B.CreateAdd(First, Widened(gpu::readThread(B)), "", true, true);
  Value *End = B.CreateBinaryIntrinsic(Intrinsic::umin, Trip,
                                       B.CreateAdd(First, Run, "", true, true));
  Value *Start = B.CreateSelect(IsRuns, Own, Grid->Start, "start");
  Value *Step = B.CreateSelect(IsRuns, Threads, Grid->Step, "step");
  if (Test->IsInclusive)
    End = B.CreateSub(End, B.getInt64(1), "", true);
  Value *Bound = B.CreateSelect(IsRuns, End, Test->Bound, "bound");
  if (!moveStart(Start))
    return std::nullopt;
  Test->Compare->replaceUsesOfWith(Test->Bound, Bound);
  Grid->Next->replaceUsesOfWith(Grid->Step, Step);
  ir::renewLoop(*Grid->Nest->getLoopLatch()->getTerminator(), {},
                ir::loopOption(F.getContext(), gridloop::RunLoopMetadata));
  return IsShort ? ACCX_TEAMS_IN_SHORT_RUNS : ACCX_TEAMS_IN_RUNS;
}

/// Whether launches choose the number of \p Kernel's blocks freely.
static bool hasFreeGrid(const GlobalVariable &Environment) {
  const auto Is = [&](unsigned Field) {
    return offload::configured(Environment, Field).value_or(1);
  };
  using namespace offload::configuration;
  return Is(Mode) == int64_t(offload::ExecMode::Spmd) && Is(MinTeams) <= 0 &&
         Is(MaxTeams) <= 0 && Is(ReductionBytes) == 0;
}

PreservedAnalyses GridRunsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!offload::isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone() ||
        offload::annotated(F, "kernel") != 1)
      continue;
    GlobalVariable *Environment = offload::environmentOf(F);
    if (!Environment || !hasFreeGrid(*Environment))
      continue;
    const std::optional<int64_t> Teams = RunDealer(F, FAM).run();
    if (!Teams)
      continue;
    offload::configure(*Environment, offload::configuration::MinTeams, *Teams);
    ++NumRuns;
    ir::remarkPassed(
        DEBUG_TYPE, "Runs",
        *gridloop::gridLoopsOf(FAM.getResult<LoopAnalysis>(F)).front(),
        "blocks get neighbouring iterations of a grid-stride "
        "loop where it is long");
    FAM.clear(F, F.getName());
  }
  // Loops that were looked at in vain may have another form.
  return PreservedAnalyses::none();
}

} // namespace accx::gridtune
