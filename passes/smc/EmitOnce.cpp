//===- EmitOnce.cpp - Blocks that mostly work for one place ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches have a block for each place, as far as the device has room for them.
// So most threads work for one block of iterations only. Code between one block
// and the next stands on the way back, which these threads do not take. What
// the body computes is computed in it, so that no register carries anything to
// the next block.
//
//     for (b = first; b < blocks; b += all) {    b = first;
//       body(b);                                 if (b < blocks)
//       barrier;                           =>      for (;;) {
//     }                                              body(b);
//                                                    b += all;
//                                                    if (b >= blocks) break;
//                                                    barrier;
//                                                  }
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "smc/Emit.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

/// The barrier that the body of the loop with \p Latch ends with, if nothing is
/// done behind it.
static Instruction *lastBarrier(BasicBlock &Latch) {
  BasicBlock *Block = &Latch;
  do {
    for (Instruction &I : reverse(*Block)) {
      if (const auto *Call = dyn_cast<IntrinsicInst>(&I);
          Call && Call->getIntrinsicID() == Intrinsic::nvvm_barrier0)
        return &I;
      if (!noteOf(I) && (I.mayHaveSideEffects() || I.mayReadFromMemory()))
        return nullptr;
    }
    Block = Block->getSinglePredecessor();
  } while (Block && Block->getSingleSuccessor());
  return nullptr;
}

void turnAround(const BlockNest &N) {
  BasicBlock *Header = N.Iv->getParent(), *Before = N.Preheader;
  BasicBlock *Latch = nullptr;
  for (BasicBlock *From : predecessors(Header))
    if (From != Before)
      Latch = From;
  assert(Latch && N.Iv->getBasicBlockIndex(Before) >= 0 &&
         "the loop is entered from its preheader");
  auto *Branch = cast<BranchInst>(Header->getTerminator());
  BasicBlock *Exit = Branch->getSuccessor(1);
  Instruction *Barrier = lastBarrier(*Latch);
  // Behind the loop its numbers are of no interest.
  const bool IsPlain = all_of(*Header, [&](Instruction &I) {
    return isa<PHINode>(I) || &I == N.Test || &I == Branch ||
           isa<DbgInfoIntrinsic>(I);
  });
  const bool EndsHere = all_of(Header->phis(), [&](const PHINode &Phi) {
    return none_of(Phi.users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return I->getParent() == Exit;
    });
  });
  if (!Barrier || !IsPlain || !EndsHere || !Exit->phis().empty() ||
      !N.Test->hasOneUse())
    return;

  const auto TestAt = [&](BasicBlock *From) {
    ValueToValueMapTy Map;
    for (PHINode &Phi : Header->phis())
      Map[&Phi] = Phi.getIncomingValueForBlock(From);
    Instruction *Test = N.Test->clone();
    Test->insertBefore(From->getTerminator());
    RemapInstruction(Test, Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    return Test;
  };
  Instruction *Back = Latch->getTerminator(), *Entry = Before->getTerminator();
  auto *Again = BasicBlock::Create(Header->getContext(), "again",
                                   Header->getParent(), Latch->getNextNode());
  BranchInst::Create(Header, Exit, TestAt(Before), Entry);
  Entry->eraseFromParent();
  BranchInst::Create(Again, Exit, TestAt(Latch), Back);
  Back->removeFromParent();
  Back->insertInto(Again, Again->end());
  Barrier->moveBefore(Back);
  Header->replacePhiUsesWith(Latch, Again);
  BranchInst::Create(Branch->getSuccessor(0), Branch);
  Branch->eraseFromParent();
  N.Test->eraseFromParent();
}

} // namespace accx::smc
