//===- Prepare.cpp - Notes on Clang's own code ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loops to look at and notes where their variables begin, before
// variables become values. Notes on reductions are in ReductionNotes.cpp.
//
//===----------------------------------------------------------------------===//

#include "lanes/Prepare.h"

#include "gridloop/GridIv.h"
#include "lanes/Marks.h"
#include "lanes/ReductionNotes.h"
#include "lanes/Workers.h"
#include "offload/DeviceCalls.h"
#include "offload/WorkLoop.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using accx::offload::WorkLoop;

namespace accx::lanes {

/// The variable that \p L's header tests.
static AllocaInst *counterOf(const Loop &L) {
  const auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  const auto *Compare = Branch && Branch->isConditional()
                            ? dyn_cast<ICmpInst>(Branch->getCondition())
                            : nullptr;
  if (!Compare)
    return nullptr;
  auto *Load =
      dyn_cast<LoadInst>(offload::stripExtensions(Compare->getOperand(0)));
  return Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
}

/// The store that sets \p Counter before \p L.
static StoreInst *firstStore(const Loop &L, const AllocaInst &Counter) {
  BasicBlock *Before = L.getLoopPredecessor();
  if (!Before)
    return nullptr;
  for (Instruction &I : reverse(*Before))
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && Store->getPointerOperand() == &Counter)
      return Store;
  return nullptr;
}

/// Whether a loop of 64-bit iterations can stand for \p W.
static bool isSupported(const WorkLoop &W) {
  return !W.IsDistribute && W.Schedule == offload::schedule::StaticChunked &&
         W.Chunk == 1 && !W.readsLast();
}

namespace {

class Preparer {
  const LoopInfo &Loops;
  const DominatorTree &DT;
  SmallVector<WorkLoop, 2> Works;
  /// The loops over threads with a loop below that may run across lanes.
  SmallVector<const WorkLoop *, 2> Used;
  bool Any = false;
  bool IsKnown = true;

public:
  Preparer(Function &F, FunctionAnalysisManager &FAM)
      : Loops(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)) {
    offload::forEachCall(F, offload::ForInit, [&](CallInst &Init) {
      WorkLoop W;
      if (WorkLoop::match(Init, Loops, W) == offload::Refusal::None)
        Works.push_back(W);
    });
  }

  Prepared run(RefuseAt Refuse) {
    for (Loop *L : Loops.getLoopsInPreorder()) {
      // Simd loops that give no leave to run iterations together: safelen.
      if (!isSimdLoop(*L) ||
          (!vectorLength(*L) &&
           !findStringMetadataForLoop(L, "llvm.loop.parallel_accesses")))
        continue;
      // Before the loop's own form is looked at: it may be a loop over threads
      // itself.
      if (isDealtOut(*L))
        continue;
      const Refusal R = note(*L);
      if (R == Refusal::None)
        Any = true;
      else if (vectorLength(*L))
        Refuse(*L, R);
      // As code of a worker it would be lane 0's alone, and slower than now.
      IsKnown &= R != Refusal::LoopForm;
    }
    if (!Any || !IsKnown)
      return Any ? Prepared::InVain : Prepared::Nothing;
    for (const WorkLoop *W : Used)
      dealOutCyclically(*W);
    return Prepared::Notes;
  }

private:
  const WorkLoop *workLoopOf(const Loop &L) const {
    const auto *Found = find_if(Works, [&](const WorkLoop &W) {
      return W.Nest == &L && isSupported(W);
    });
    return Found == Works.end() ? nullptr : Found;
  }

  bool isDealtOut(const Loop &L) const {
    const MDNode *Id = L.getLoopID();
    return (Id && gridloop::isGridLoop(*Id)) ||
           any_of(Works, [&](const WorkLoop &W) { return W.Nest == &L; });
  }

  Refusal note(Loop &L) {
    const WorkLoop *Work = nullptr;
    bool Below = false;
    for (const Loop *Around = L.getParentLoop(); Around && !Below;
         Around = Around->getParentLoop()) {
      const MDNode *Id = Around->getLoopID();
      Work = workLoopOf(*Around);
      Below = Work || (Id && gridloop::isGridLoop(*Id));
    }
    if (!Below)
      return Refusal::NotBelowWorkers;
    AllocaInst *Counter = counterOf(L);
    StoreInst *First = Counter ? firstStore(L, *Counter) : nullptr;
    BasicBlock *Exit = L.getUniqueExitBlock();
    if (!First || !Exit)
      return Refusal::LoopForm;
    IRBuilder<> B(First);
    CallInst *Enter = emitEnter(B);
    noteReductions(L, *Exit, *Enter, DT);
    if (!vectorLength(L))
      addStringMetadataToLoop(&L, VectorMark, LengthOfPlainSimd);
    if (Work && !is_contained(Used, Work))
      Used.push_back(Work);
    return Refusal::None;
  }
};

} // namespace

Prepared prepare(Function &F, FunctionAnalysisManager &FAM, RefuseAt Refuse) {
  return Preparer(F, FAM).run(Refuse);
}

} // namespace accx::lanes
