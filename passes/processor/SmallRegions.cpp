//===- SmallRegions.cpp - What is soon done takes one thread --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a parallel region's body for one thread, has its work estimated, and
// writes the test that chooses between copy and fork. The estimate is in
// Work.cpp.
//
//===----------------------------------------------------------------------===//

#include "processor/SmallRegions.h"

#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "processor/DirectBody.h"
#include "processor/Runtime.h"
#include "processor/StaticShares.h"
#include "processor/Work.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#define DEBUG_TYPE "small-regions"

using namespace llvm;
using namespace accx;
using namespace accx::processor;
using offload::calledName;

STATISTIC(NumRegions, "Number of regions that may run on one thread");

/// Work, about cycles, that one thread does sooner than two.
static constexpr uint64_t Small = 4000;
/// Code that is not worth a second time.
static constexpr unsigned MostCode = 4000;

/// On calls that were looked at: pipelines may have the pass twice.
static constexpr char Mark[] = "accx.region";
static constexpr char Told[] = "accx.iterations";

namespace {

class Region {
  CallInst &Fork;
  FunctionAnalysisManager &FAM;
  /// The body as one thread runs it.
  Function *Alone = nullptr;

  void tellIterations();
  bool makeAlone();
  Value *copy(Value *V, ValueToValueMapTy &Map, IRBuilder<> &B);
  Value *isSmall(IRBuilder<> &B);
  void replace(Value *Condition);
  Refusal check();

public:
  Region(CallInst &Fork, FunctionAnalysisManager &FAM) : Fork(Fork), FAM(FAM) {}
  Function *body() const { return bodyToCall(Fork); }
  /// Checks, and chooses at run time where that may be.
  Refusal split();
};

} // namespace

/// Whether \p F asks for a number of threads, or for places.
static bool asksForThreads(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    return calledName(I).starts_with("__kmpc_push_") &&
           !calledName(I).starts_with(PushTeams);
  });
}

/// Whether calls of the body are what the fork would do with one thread.
Refusal Region::check() {
  Function *Body = body();
  if (asksForThreads(*Fork.getFunction()))
    return Refusal::Threads;
  if (!Body)
    return Refusal::Body;
  if (Body->getInstructionCount() > MostCode)
    return Refusal::TooLarge;
  // Regions inside, and what only ends with the region.
  for (Instruction &I : instructions(*Body)) {
    const StringRef Name = calledName(I);
    if (Name == processor::Fork || Name.contains("task") ||
        Name.contains("cancel"))
      return Refusal::Inner;
  }
  return mayObserve(*Body, FAM) ? Refusal::Observed : Refusal::None;
}

/// Calls a function that is given the iterations of the worksharing loop, if
/// there is only one, while they are looked for.
void Region::tellIterations() {
  SmallVector<CallInst *, 2> Inits;
  offload::forEachCall(*Alone, offload::ForInit,
                       [&](CallInst &Init) { Inits.push_back(&Init); });
  if (Inits.size() != 1)
    return;
  IRBuilder<> B(Inits.front());
  Value *Count = iterationsOf(*Inits.front());
  B.CreateCall(Alone->getParent()->getOrInsertFunction(Told, B.getVoidTy(),
                                                       B.getInt64Ty()),
               Count);
}

bool Region::makeAlone() {
  Alone = copyBody(*body(), ".alone", SmallWork);
  tellIterations();
  if (!takeWholeLoops(*Alone, offload::schedule::Static))
    return false;
  // Bounds were in memory for libomp.
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(ADCEPass());
  Passes.addPass(LoopSimplifyPass());
  FAM.invalidate(*Alone, Passes.run(*Alone, FAM));
  return true;
}

/// \p V, which is computed of Alone's arguments, of the fork's.
Value *Region::copy(Value *V, ValueToValueMapTy &Map, IRBuilder<> &B) {
  if (auto *Arg = dyn_cast<Argument>(V))
    return Fork.getArgOperand(fork::Args + Arg->getArgNo() - 2);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (Value *Known = Map.lookup(I))
    return Known;
  Instruction *New =
      ir::copyWith(*I, [&](Value &Operand) { return copy(&Operand, Map, B); });
  New->dropPoisonGeneratingFlags();
  New->setDebugLoc(Fork.getDebugLoc());
  B.Insert(New);
  return Map[I] = New;
}

/// Null if it never is, or nobody knows.
Value *Region::isSmall(IRBuilder<> &B) {
  // Optimization may have left the call out.
  Value *Iterations = nullptr;
  offload::forEachCall(*Alone, Told, [&](CallInst &Call) {
    Iterations = Call.getArgOperand(0);
    Call.eraseFromParent();
  });
  Work Of(*Alone, FAM, Iterations);
  const SCEV *Amount = Of.estimate();
  ScalarEvolution &SE = Of.evolution();
  if (SE.getUnsignedRangeMin(Amount).uge(Small))
    return nullptr;
  SCEVExpander Expander(SE, Alone->getDataLayout(), "work");
  Instruction *End = Alone->getEntryBlock().getTerminator();
  if (!Expander.isSafeToExpandAt(Amount, End))
    return nullptr;
  Value *There = Expander.expandCodeFor(Amount, B.getInt64Ty(), End);
  ValueToValueMapTy Map;
  Value *Here = copy(There, Map, B);
  Expander.clear();
  RecursivelyDeleteTriviallyDeadInstructions(There);
  return B.CreateICmpULT(Here, B.getInt64(Small));
}

void Region::replace(Value *Condition) {
  Instruction *Then = insteadOf(Fork, Condition);
  callDirectly(*Alone, Fork, *Then, /*DropsUnused=*/true);
  ++NumRegions;
}

Refusal Region::split() {
  if (const Refusal R = check(); R != Refusal::None)
    return R;
  if (!makeAlone()) {
    Alone->eraseFromParent();
    return Refusal::Schedule;
  }
  IRBuilder<> B(&Fork);
  Value *Condition = isSmall(B);
  if (!Condition) {
    FAM.clear(*Alone, Alone->getName());
    Alone->eraseFromParent();
    return Refusal::Work;
  }
  replace(Condition);
  return Refusal::None;
}

/// Whether no region is around \p F: it is a kernel, or a function that a
/// kernel calls for leagues of one team.
static bool startsRegions(Function &F) {
  const bool IsKernel =
      F.getName().starts_with("__omp_offloading_") && !F.hasLocalLinkage();
  return !F.isDeclaration() && (IsKernel || F.hasFnAttribute(OutsideRegions));
}

PreservedAnalyses processor::SmallRegionsPass::run(Module &M,
                                                   ModuleAnalysisManager &MAM) {
  if (!M.getFunction(Fork) || !isHostDevice(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<CallInst *, 8> Forks;
  for (Function &F : M)
    if (startsRegions(F))
      for (Instruction &I : instructions(F))
        if (calledName(I) == Fork && isa<CallInst>(I) && !I.hasMetadata(Mark))
          Forks.push_back(cast<CallInst>(&I));
  bool Changed = false;
  for (CallInst *Fork : Forks) {
    const Refusal R = Region(*Fork, FAM).split();
    Fork->setMetadata(Mark, MDNode::get(M.getContext(), {}));
    if (R != Refusal::None) {
      ir::remarkRefused(DEBUG_TYPE, R, *Fork, "the region starts threads");
      continue;
    }
    ir::remarkPassed(DEBUG_TYPE, "SmallRegion", *Fork,
                     "the region runs on one thread where its work is small");
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
