//===- LateSteps.cpp - Steps for threads of several turns -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the instructions of LateSteps.h and gives them a block.
//
//===----------------------------------------------------------------------===//

#include "gridtune/LateSteps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::gridtune {

namespace {

class LateSteps {
  const Loop &Nest;
  BasicBlock *const Before;
  /// Instructions of the block ahead of the loop, the last one first.
  SmallVector<Instruction *, 16> Late;
  SmallPtrSet<const Instruction *, 16> IsLate;
  /// Instructions of the loop: whether only a further turn needs them.
  DenseMap<const Instruction *, bool> Advances;

public:
  explicit LateSteps(const gridloop::GridIv &Grid)
      : Nest(*Grid.Nest), Before(Grid.Nest->getLoopPreheader()) {}

  bool find();
  void move(Value *HasSecond);

private:
  bool isForNextTurn(const Use &U);
  bool advances(const Instruction &I);
};

} // namespace

static bool isPure(const Instruction &I) {
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory() &&
         !I.isTerminator() && !isa<PHINode>(I) && !isa<CallBase>(I) &&
         !isa<AllocaInst>(I);
}

bool LateSteps::isForNextTurn(const Use &U) {
  const auto *User = cast<Instruction>(U.getUser());
  if (IsLate.contains(User))
    return true;
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Phi->getParent() == Nest.getHeader() &&
           Phi->getIncomingBlock(U) == Nest.getLoopLatch();
  return advances(*User);
}

/// Uses end at phis, so that this does.
bool LateSteps::advances(const Instruction &I) {
  if (!Nest.contains(&I) || !isPure(I))
    return false;
  if (const auto Known = Advances.find(&I); Known != Advances.end())
    return Known->second;
  const bool Found =
      all_of(I.uses(), [&](const Use &U) { return isForNextTurn(U); });
  return Advances[&I] = Found;
}

bool LateSteps::find() {
  bool Divides = false;
  for (Instruction &I : reverse(*Before)) {
    if (!isPure(I) || I.use_empty() ||
        !all_of(I.uses(), [&](const Use &U) { return isForNextTurn(U); }))
      continue;
    Late.push_back(&I);
    IsLate.insert(&I);
    Divides |= I.isIntDivRem();
  }
  return Divides;
}

void LateSteps::move(Value *HasSecond) {
  Instruction *Behind = SplitBlockAndInsertIfThen(
      HasSecond, Before->getTerminator(), /*Unreachable=*/false);
  BasicBlock *Second = Behind->getParent();
  Second->setName("second.turn");
  BasicBlock *Joined = Second->getSingleSuccessor();
  for (Instruction *I : reverse(Late))
    I->moveBefore(Behind);
  for (Instruction *I : Late) {
    IRBuilder<> B(Joined, Joined->begin());
    PHINode *Phi = B.CreatePHI(I->getType(), 2);
    I->replaceUsesOutsideBlock(Phi, Second);
    if (Phi->use_empty()) {
      Phi->eraseFromParent();
      continue;
    }
    Phi->takeName(I);
    Phi->addIncoming(I, Second);
    Phi->addIncoming(Constant::getNullValue(I->getType()), Before);
  }
}

bool delaySteps(const gridloop::GridIv &Grid) {
  const auto Test = gridloop::BoundTest::find(
      *Grid.Nest, *Grid.Nest->getLoopLatch(), *Grid.Next);
  LateSteps Steps(Grid);
  if (!Test || !Steps.find())
    return false;
  IRBuilder<> B(Grid.Nest->getLoopPreheader()->getTerminator());
  Value *Second = B.CreateAdd(Grid.Start, Grid.Step);
  Steps.move(Test->IsInclusive ? B.CreateICmpULE(Second, Test->Bound)
                               : B.CreateICmpULT(Second, Test->Bound));
  return true;
}

} // namespace accx::gridtune
