//===- SerialRegions.cpp - Parallel regions in parallel regions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls parallel regions that stand in parallel regions as functions, and
// answers what they ask the runtime as for one thread. It is a pass of its own:
// no loop is dealt out here.
//
//===----------------------------------------------------------------------===//

#include "gridloop/SerialRegions.h"

#include "gridloop/DirectCall.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#define DEBUG_TYPE "serial-regions"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumSerial, "Number of nested parallel regions called directly");

namespace accx::gridloop {

namespace {

class Serializer {
  FunctionAnalysisManager &FAM;
  SmallPtrSet<Function *, 8> Seen;

  const char *serialize(CallInst &Call, Function &Around);

public:
  explicit Serializer(FunctionAnalysisManager &FAM) : FAM(FAM) {}
  bool Changed = false;

  /// \p Body is that of a parallel region.
  void run(Function &Body);
};

} // namespace

/// Whether \p F, or what it calls, has loops or reductions that a team shares.
static bool sharesWork(Function &F, SmallPtrSetImpl<Function *> &Seen) {
  if (F.isDeclaration() || !Seen.insert(&F).second)
    return false;
  return any_of(instructions(F), [&](const Instruction &I) {
    const StringRef Name = calledName(I);
    const auto *Call = dyn_cast<CallBase>(&I);
    return Name.starts_with(ForInit) || Name.starts_with(DispatchInit) ||
           Name == ParallelReduce ||
           (Call && Call->getCalledFunction() &&
            sharesWork(*Call->getCalledFunction(), Seen));
  });
}

static bool hasKnownSchedule(const CallInst &Init) {
  const auto Schedule = constantArgument(Init, staticinit::Schedule);
  return Schedule == schedule::Static || Schedule == schedule::StaticChunked;
}

/// Gives the loop of \p Init to one thread.
static void keepWhole(CallInst &Init) {
  IRBuilder<> B(&Init);
  Type *Int = Init.getArgOperand(staticinit::Chunk)->getType();
  const auto At = [&](unsigned Index) { return Init.getArgOperand(Index); };
  Value *Trip =
      B.CreateAdd(B.CreateSub(B.CreateLoad(Int, At(staticinit::Upper)),
                              B.CreateLoad(Int, At(staticinit::Lower))),
                  ConstantInt::get(Int, 1));
  B.CreateStore(Trip, At(staticinit::Stride));
  B.CreateStore(B.getInt32(1), At(staticinit::Last));
  Init.eraseFromParent();
}

/// Null, or why the region of \p Call stays.
const char *Serializer::serialize(CallInst &Call, Function &Around) {
  auto *Body =
      Call.arg_size() > parallel::Count
          ? dyn_cast<Function>(
                Call.getArgOperand(parallel::Body)->stripPointerCasts())
          : nullptr;
  if (!Body || Body->isDeclaration() || !isOnlyBodyOf(*Body, Call))
    return "its body is not known";
  if (Body->hasOptNone())
    return "it is not to be optimized";
  run(*Body);
  forEachCall(*Body, "__kmpc_barrier", [&](CallInst &Barrier) {
    Barrier.eraseFromParent();
    Changed = true;
  });
  SmallPtrSet<Function *, 8> Visited{Body};
  for (Instruction &I : instructions(*Body))
    if (const auto *Inner = dyn_cast<CallBase>(&I);
        Inner && Inner->getCalledFunction() &&
        sharesWork(*Inner->getCalledFunction(), Visited))
      return "a function that it calls shares work among threads";
  if (observationsOf(*Body) & ObservesIdentity)
    return "it may ask for the number of its thread or the parallel state";
  bool Known = true;
  forEachCall(*Body, ForInit,
              [&](CallInst &Init) { Known &= hasKnownSchedule(Init); });
  if (!Known)
    return "the schedule of a loop is not known";
  // Nothing that is left in it asks for the number.
  auto *Alone = ConstantInt::get(Type::getInt32Ty(Call.getContext()), 0);
  if (!emitDirectCall(Call, *Body, Around, Alone))
    return "its arguments are not recognized";
  forEachCall(*Body, ForInit, keepWhole);
  forEachCall(*Body, ForFini, [](CallInst &Fini) { Fini.eraseFromParent(); });
  forEachCall(*Body, ParallelReduce, [](CallInst &Reduce) {
    Reduce.replaceAllUsesWith(ConstantInt::get(Reduce.getType(), 1));
    Reduce.eraseFromParent();
  });
  FAM.clear(*Body, Body->getName());
  return nullptr;
}

void Serializer::run(Function &Body) {
  if (!Seen.insert(&Body).second || Body.hasOptNone())
    return;
  forEachCall(Body, Parallel, [&](CallInst &Call) {
    const DebugLoc Where = Call.getDebugLoc();
    const BasicBlock *Block = Call.getParent();
    if (const char *Reason = serialize(Call, Body)) {
      ir::remarkMissed(DEBUG_TYPE, "Kept", {Where, *Block},
                       "nested parallel region stays a call of the runtime, "
                       "which one thread runs: ",
                       ore::NV("Reason", Reason));
      return;
    }
    ir::remarkPassed(
        DEBUG_TYPE, "SerialRegion", {Where, *Block},
        "nested parallel region is code of the thread that runs it");
    ++NumSerial;
    Changed = true;
  });
}

PreservedAnalyses SerialRegionsPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Serializer Work(FAM);
  for (const KernelPlan &Plan : findKernels(M, FAM))
    for (const TeamsPart &Part : Plan.Parts)
      for (const ParallelRegion &Region : Part.Regions)
        if (Region.Body)
          Work.run(*Region.Body);
  return Work.Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::gridloop
