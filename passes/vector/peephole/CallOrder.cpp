//===- CallOrder.cpp - Calls that need not wait go first ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of CallOrder.h.
//
//===----------------------------------------------------------------------===//

#include "vector/peephole/CallOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#define DEBUG_TYPE "simd-calls"

using namespace llvm;

STATISTIC(NumMoved, "Number of calls moved ahead of one that waits");

namespace accx::vector {

/// How many calls one may pass.
static constexpr unsigned MostPassed = 4;

static bool isPureVectorCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm() &&
         Call->getType()->isVectorTy() && Call->doesNotAccessMemory() &&
         Call->doesNotThrow() && Call->willReturn() && !Call->isConvergent() &&
         !Call->isMustTailCall() && !Call->hasOperandBundles();
}

/// What of \p I's block behind \p From computes \p I's operands; false if some
/// of it cannot stand at \p From.
static bool collect(Instruction &I, Instruction &From,
                    SmallSetVector<Instruction *, 16> &Needed) {
  if (!Needed.insert(&I))
    return true;
  for (Value *Operand : I.operands()) {
    auto *Before = dyn_cast<Instruction>(Operand);
    if (!Before || Before->getParent() != From.getParent() ||
        Before->comesBefore(&From))
      continue;
    if (Before->mayHaveSideEffects() ||
        (isa<CallInst>(Before) && !isa<IntrinsicInst>(Before)) ||
        !collect(*Before, From, Needed))
      return false;
  }
  return true;
}

/// Moves \p Call, with what it needs, ahead of \p Place, if that may be.
static bool moveAhead(CallInst &Call, Instruction &Place) {
  SmallSetVector<Instruction *, 16> Needed;
  if (!collect(Call, Place, Needed))
    return false;
  // What is needed and stands there already stays.
  Instruction *From = &Place;
  while (Needed.contains(From) && From != &Call)
    From = From->getNextNode();
  bool Writes = false;
  SmallVector<Instruction *, 16> InOrder;
  for (Instruction &I : make_range(From->getIterator(), Call.getIterator())) {
    if (Needed.contains(&I)) {
      if (Writes && I.mayReadFromMemory())
        return false;
      InOrder.push_back(&I);
    } else if (!isGuaranteedToTransferExecutionToSuccessor(&I)) {
      return false;
    }
    Writes |= I.mayWriteToMemory();
  }
  InOrder.push_back(&Call);
  for (Instruction *I : InOrder)
    I->moveBefore(From);
  return true;
}

/// Whether \p I waits for \p For, an earlier one of its block.
static bool waits(const Instruction &I, const Instruction &For) {
  SmallVector<const Instruction *, 16> Work{&I};
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Work.empty()) {
    const Instruction *Now = Work.pop_back_val();
    if (Now == &For)
      return true;
    if (isa<PHINode>(Now) || !Seen.insert(Now).second)
      continue;
    for (const Value *Operand : Now->operands())
      if (const auto *Before = dyn_cast<Instruction>(Operand);
          Before && Before->getParent() == For.getParent() &&
          !Before->comesBefore(&For))
        Work.push_back(Before);
  }
  return false;
}

/// Where between \p First and \p Second fewest vectors live: they are lost in a
/// call. What only \p Call needs is not among them. The last such place: its
/// result lives from there.
static Instruction &placeFor(CallInst &Call, CallInst &First,
                             CallInst &Second) {
  BasicBlock &Block = *First.getParent();
  SmallSetVector<Instruction *, 16> Needed;
  Instruction *Best = First.getNextNode();
  if (!collect(Call, *Best, Needed))
    return *Best;
  auto LivesAt = [&](Instruction &Vector, Instruction &Place) {
    return any_of(Vector.users(), [&](User *U) {
      auto *By = cast<Instruction>(U);
      return !Needed.contains(By) &&
             (By->getParent() != &Block || isa<PHINode>(By) ||
              !By->comesBefore(&Place));
    });
  };
  unsigned Fewest = ~0u;
  for (Instruction &Place : make_range(std::next(First.getIterator()),
                                       std::next(Second.getIterator()))) {
    unsigned Live = 0;
    for (Instruction &I : make_range(Block.begin(), Place.getIterator()))
      Live += I.getType()->isVectorTy() && LivesAt(I, Place);
    if (Live <= Fewest) {
      Fewest = Live;
      Best = &Place;
    }
  }
  return *Best;
}

static unsigned reorder(BasicBlock &Block) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : Block)
    if (isPureVectorCall(I))
      Calls.push_back(cast<CallInst>(&I));
  unsigned Moved = 0;
  for (unsigned Next = 1; Next + 1 < Calls.size(); ++Next) {
    if (!waits(*Calls[Next], *Calls[Next - 1]))
      continue;
    unsigned End = std::min<size_t>(Calls.size(), Next + 1 + MostPassed);
    for (unsigned Later = Next + 1; Later < End; ++Later) {
      CallInst *Call = Calls[Later];
      if (waits(*Call, *Calls[Next - 1]) ||
          !moveAhead(*Call, placeFor(*Call, *Calls[Next - 1], *Calls[Next])))
        continue;
      Calls.erase(Calls.begin() + Later);
      Calls.insert(Calls.begin() + Next, Call);
      ++Moved;
      break;
    }
  }
  NumMoved += Moved;
  return Moved;
}

PreservedAnalyses CallOrderPass::run(Function &F, FunctionAnalysisManager &) {
  if (!Triple(F.getParent()->getTargetTriple()).isX86() || F.hasOptNone())
    return PreservedAnalyses::all();
  unsigned Moved = 0;
  for (BasicBlock &Block : F) {
    unsigned Here = reorder(Block);
    Moved += Here;
    if (Here) {
      OptimizationRemarkEmitter ORE(&F);
      ORE.emit([&] {
        return OptimizationRemark(DEBUG_TYPE, "Moved",
                                  Block.getTerminator()->getDebugLoc(), &Block)
               << "calls that need not wait go first: "
               << ore::NV("Calls", Here);
      });
    }
  }
  if (!Moved)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::vector
