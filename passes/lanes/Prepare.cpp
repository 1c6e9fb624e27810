//===- Prepare.cpp - Notes on Clang's own code ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loops to look at and notes where their variables begin, before
// variables become values. Follows each accumulator from the loop's exit to the
// one store it ends in, and puts notes on this way:
//
//     loop                     acc = acc op ...
//     exit                     acc = result(acc)
//       x = load orig          x' = original(x)
//       y = load acc
//       z = x op y             any code that branches on nothing else
//       store z, orig          store combined(z), orig
//
//
//===----------------------------------------------------------------------===//

#include "lanes/Prepare.h"

#include "gpu/Exchange.h"
#include "gridloop/GridIv.h"
#include "lanes/Marks.h"
#include "lanes/Workers.h"
#include "offload/DeviceCalls.h"
#include "offload/WorkLoop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using accx::offload::WorkLoop;

namespace accx::lanes {

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

/// Whether \p Local's life begins once the vector loop is entered.
static bool beginsAfter(const AllocaInst &Local, const CallInst &Enter,
                        const DominatorTree &DT) {
  bool Begins = false;
  for (const User *U : Local.users()) {
    const auto *I = dyn_cast<IntrinsicInst>(U);
    if (!I || I->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    if (!DT.dominates(&Enter, I))
      return false;
    Begins = true;
  }
  return Begins;
}

/// The one store that what is made of \p Loads reaches, through arithmetic.
static StoreInst *storeOf(ArrayRef<LoadInst *> Loads) {
  StoreInst *Found = nullptr;
  SmallSetVector<Value *, 16> Worklist;
  Worklist.insert(Loads.begin(), Loads.end());
  for (unsigned I = 0; I < Worklist.size() && I < 64; ++I)
    for (User *U : Worklist[I]->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getValueOperand() != Worklist[I] || !Store->isSimple() ||
            (Found && Found != Store))
          return nullptr;
        Found = Store;
      } else if (isa<CastInst, BinaryOperator, CmpInst, SelectInst, PHINode,
                     UnaryOperator>(U)) {
        Worklist.insert(U);
      } else if (!isa<BranchInst>(U)) {
        return nullptr;
      }
    }
  return Found;
}

/// Whether two values are the same pointer: one value, or the same local
/// variable's.
static bool isSamePointer(const Value *A, const Value *B) {
  const auto *LoadA = dyn_cast<LoadInst>(A);
  const auto *LoadB = dyn_cast<LoadInst>(B);
  return A == B ||
         (LoadA && LoadB && isa<AllocaInst>(LoadA->getPointerOperand()) &&
          LoadA->getPointerOperand() == LoadB->getPointerOperand());
}

/// Loads of the reduction's variable between \p Exit and \p Store.
static SmallVector<LoadInst *, 4> originalsBefore(StoreInst &Store,
                                                  BasicBlock &Exit,
                                                  const Loop &L,
                                                  const DominatorTree &DT) {
  SmallPtrSet<BasicBlock *, 2> Outside;
  if (const Loop *Around = L.getParentLoop())
    Outside.insert(Around->getHeader());
  SmallVector<LoadInst *, 4> Found;
  for (BasicBlock &Block : *Exit.getParent()) {
    if (!DT.dominates(&Exit, &Block) ||
        !isPotentiallyReachable(&Block, Store.getParent(), &Outside, &DT))
      continue;
    for (Instruction &I : Block) {
      if (&I == &Store)
        break;
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->isSimple() &&
          Load->getType() == Store.getValueOperand()->getType() &&
          isSamePointer(Load->getPointerOperand(), Store.getPointerOperand()))
        Found.push_back(Load);
    }
  }
  return Found;
}

static void noteReduction(AllocaInst &Local, const Loop &L, BasicBlock &Exit,
                          const DominatorTree &DT) {
  SmallVector<LoadInst *, 4> After;
  for (User *U : Local.users()) {
    auto *I = cast<Instruction>(U);
    auto *Load = dyn_cast<LoadInst>(I);
    auto *Store = dyn_cast<StoreInst>(I);
    if (I->isLifetimeStartOrEnd())
      continue;
    if (Store ? !Store->isSimple() || Store->getPointerOperand() != &Local
              : !Load || !Load->isSimple() ||
                    Load->getType() != Local.getAllocatedType())
      return;
    if (L.contains(I) || Store)
      continue;
    if (!DT.dominates(&Exit, I->getParent()))
      return;
    After.push_back(Load);
  }
  StoreInst *Store = After.empty() ? nullptr : storeOf(After);
  if (!Store || Store->getValueOperand()->getType() != Local.getAllocatedType())
    return;
  const auto Originals = originalsBefore(*Store, Exit, L, DT);
  if (Originals.empty())
    return;
  auto *const FirstOf = find_if(Originals, [&](LoadInst *Load) {
    return all_of(Originals, [&](LoadInst *Other) {
      return Load == Other || DT.dominates(Load, Other);
    });
  });
  if (FirstOf == Originals.end())
    return;
  LoadInst *First = *FirstOf;

  IRBuilder<> B(&Exit, Exit.getFirstInsertionPt());
  B.CreateStore(
      emitNote(B, ResultName, B.CreateLoad(Local.getAllocatedType(), &Local)),
      &Local);
  B.SetInsertPoint(First->getNextNode());
  CallInst *Original = emitNote(B, OriginalName, First);
  for (LoadInst *Load : Originals)
    Load->replaceUsesWithIf(
        Original, [&](const Use &U) { return U.getUser() != Original; });
  B.SetInsertPoint(Store);
  Store->setOperand(0, emitNote(B, CombinedName, Store->getValueOperand()));
}

/// Notes the accumulators of \p L. What is not found stays without notes, and
/// keeps the loop from running across lanes if it is a reduction.
static void noteReductions(const Loop &L, BasicBlock &Exit,
                           const CallInst &Enter, const DominatorTree &DT) {
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock()) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (Local && gpu::Exchange::supports(Local->getAllocatedType()) &&
        beginsAfter(*Local, Enter, DT))
      noteReduction(*Local, L, Exit, DT);
  }
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
    AllocaInst *Counter = offload::testedVariable(*L.getHeader());
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
