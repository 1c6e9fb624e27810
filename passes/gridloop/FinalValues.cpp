//===- FinalValues.cpp - Counters' last values that nobody reads ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the code behind a loop that gives a counter its last value, where no
// code reads it. It runs first, since such code would keep loops from being
// rewritten.
//
//===----------------------------------------------------------------------===//

#include "gridloop/FinalValues.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace accx::offload;
using namespace llvm::PatternMatch;

namespace accx::gridloop {

/// Whether no code can read what \p Store writes.
static bool isLost(const StoreInst &Store) {
  const auto *Variable =
      dyn_cast<AllocaInst>(Store.getPointerOperand()->stripPointerCasts());
  if (!Variable || !Store.isSimple())
    return false;
  return all_of(Variable->users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    if (const auto *Other = dyn_cast<StoreInst>(I))
      return Other->getValueOperand() != Variable;
    if (I->isLifetimeStartOrEnd())
      return true;
    return isa<LoadInst>(I) && !isPotentiallyReachable(&Store, I);
  });
}

/// Whether \p Guarded, a block in front of \p After, does nothing.
static bool doesNothing(const BasicBlock &Guarded, const BasicBlock &After) {
  return Guarded.getSinglePredecessor() &&
         Guarded.getSingleSuccessor() == &After && After.phis().empty() &&
         all_of(Guarded, [](const Instruction &I) {
           const auto *Store = dyn_cast<StoreInst>(&I);
           return I.isTerminator() || isa<DbgInfoIntrinsic>(I) ||
                  (Store ? isLost(*Store) : !I.mayHaveSideEffects());
         });
}

/// Makes \p Branch, on \p Test of whether the last iteration ran, go past what
/// does nothing.
static bool pass(BranchInst &Branch, const ICmpInst &Test) {
  const bool IfEqual = Test.getPredicate() == CmpInst::ICMP_EQ;
  if (!Branch.isConditional() || !doesNothing(*Branch.getSuccessor(IfEqual),
                                              *Branch.getSuccessor(!IfEqual)))
    return false;
  Branch.setCondition(ConstantInt::getBool(Branch.getContext(), IfEqual));
  return true;
}

unsigned dropFinalValues(Function &F) {
  SmallSetVector<ICmpInst *, 4> Tests;
  const auto Find = [&](CallInst &Init) {
    auto *Last = dyn_cast<AllocaInst>(Init.getArgOperand(staticinit::Last));
    if (!Last)
      return;
    for (User *Load : Last->users())
      if (isa<LoadInst>(Load))
        for (User *U : Load->users())
          if (auto *Test = dyn_cast<ICmpInst>(U);
              Test && Test->isEquality() &&
              match(Test->getOperand(1), m_Zero()))
            Tests.insert(Test);
  };
  forEachCall(F, ForInit, Find);
  forEachCall(F, DistributeInit, Find);

  unsigned Dropped = 0;
  for (ICmpInst *Test : Tests) {
    for (User *U : make_early_inc_range(Test->users()))
      if (auto *Branch = dyn_cast<BranchInst>(U))
        Dropped += pass(*Branch, *Test);
    RecursivelyDeleteTriviallyDeadInstructions(Test);
  }
  return Dropped;
}

} // namespace accx::gridloop
