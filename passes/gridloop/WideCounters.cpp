//===- WideCounters.cpp - Counters of collapsed loops as they are ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the variables that hold truncated counters, and takes extensions of
// them from the number before the truncation. Divisors of counters are the
// business of ExactExtents.cpp.
//
//===----------------------------------------------------------------------===//

#include "gridloop/WideCounters.h"

#include "gridloop/ExactExtents.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::gridloop {

namespace {

/// A variable that holds a counter, and its value before the truncation.
struct Counter {
  AllocaInst *Local = nullptr;
  StoreInst *Set = nullptr;
  Value *Wide = nullptr;
};

} // namespace

static bool matchCounter(StoreInst &Set, const WorkLoop &W,
                         const DominatorTree &DT, Counter &C) {
  auto *Narrow = dyn_cast<TruncInst>(Set.getValueOperand());
  C.Local = dyn_cast<AllocaInst>(Set.getPointerOperand());
  C.Set = &Set;
  if (!Narrow || !C.Local || !Set.isSimple() ||
      !Narrow->getSrcTy()->isIntegerTy(64) ||
      C.Local->getAllocatedType() != Narrow->getDestTy())
    return false;
  C.Wide = Narrow->getOperand(0);
  // Sums of signed numbers: the variable is signed, too.
  auto *Sum = dyn_cast<BinaryOperator>(C.Wide);
  if (!Sum ||
      (Sum->getOpcode() != Instruction::Add &&
       Sum->getOpcode() != Instruction::Sub) ||
      !Sum->hasNoSignedWrap() || !isOfNumber(Sum, *W.Counter))
    return false;
  return all_of(C.Local->users(), [&](const User *U) {
    if (U == &Set)
      return true;
    if (const auto *Load = dyn_cast<LoadInst>(U))
      return Load->isSimple() && Load->getType() == Narrow->getDestTy() &&
             DT.dominates(&Set, Load);
    return cast<Instruction>(U)->isLifetimeStartOrEnd();
  });
}

/// What \p V adds to the counter, if it is that and a constant.
static bool isNeighbour(Value *V, const Counter &C, int64_t &Distance) {
  Distance = 0;
  for (unsigned Steps = 0; Steps < 4; ++Steps) {
    if (auto *Load = dyn_cast<LoadInst>(V))
      return Load->getPointerOperand() == C.Local;
    auto *Op = dyn_cast<BinaryOperator>(V);
    if (!Op ||
        (Op->getOpcode() != Instruction::Add &&
         Op->getOpcode() != Instruction::Sub) ||
        !Op->hasNoSignedWrap())
      return false;
    const auto *By = dyn_cast<ConstantInt>(Op->getOperand(1));
    const bool IsFirst = !By && Op->getOpcode() == Instruction::Add;
    if (IsFirst)
      By = dyn_cast<ConstantInt>(Op->getOperand(0));
    if (!By)
      return false;
    Distance += Op->getOpcode() == Instruction::Sub ? -By->getSExtValue()
                                                    : By->getSExtValue();
    V = Op->getOperand(IsFirst ? 1 : 0);
  }
  return false;
}

unsigned widenCounters(const WorkLoop &W) {
  if (!W.Is64 || W.IsUnsigned)
    return 0;
  Function &F = *W.Init->getFunction();
  const DominatorTree DT(F);
  SmallVector<Counter, 4> Counters;
  SmallVector<SExtInst *, 16> Extensions;
  for (Instruction &I : instructions(F)) {
    Counter C;
    if (auto *Set = dyn_cast<StoreInst>(&I);
        Set && W.Nest->contains(Set) && matchCounter(*Set, W, DT, C))
      Counters.push_back(C);
    else if (auto *Extension = dyn_cast<SExtInst>(&I);
             Extension && I.getType()->isIntegerTy(64))
      Extensions.push_back(Extension);
  }
  unsigned Widened = 0;
  for (SExtInst *Extension : Extensions)
    for (const Counter &C : Counters) {
      int64_t Distance = 0;
      if (!isNeighbour(Extension->getOperand(0), C, Distance))
        continue;
      IRBuilder<> B(Extension);
      Value *Wide =
          Distance ? B.CreateNSWAdd(C.Wide, B.getInt64(Distance)) : C.Wide;
      Extension->replaceAllUsesWith(Wide);
      Extension->eraseFromParent();
      ++Widened;
      break;
    }
  return Widened;
}

} // namespace accx::gridloop
