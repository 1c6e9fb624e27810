//===- PressureHoist.cpp - Values computed where inputs end ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gridtune/PressureHoist.h"

#include "gpu/Ptx.h"
#include "offload/Kernel.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "pressure-hoist"

using namespace llvm;

STATISTIC(NumHoisted, "Number of computations moved to where inputs end");

namespace accx::gridtune {

namespace {

class Hoister {
  const DataLayout &DL;
  DominatorTree &DT;
  PostDominatorTree &PDT;
  LoopInfo &Loops;

  using Group = SmallVector<Instruction *, 8>;
  struct Ends {
    /// Of values from outside that nobody else uses, and of the results.
    uint64_t BitsIn = 0, BitsOut = 0;
    SmallVector<Instruction *, 4> Results;
  };

  bool isMovable(const Instruction &I) const;
  bool isThere(const Value *V, const BasicBlock &Above) const;
  SmallVector<Group, 4> groupsOf(BasicBlock &Block,
                                 const BasicBlock &Above) const;
  Ends endsOf(const Group &G) const;
  BasicBlock *above(BasicBlock &Block) const;

public:
  Hoister(Function &F, FunctionAnalysisManager &FAM)
      : DL(F.getDataLayout()), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)),
        Loops(FAM.getResult<LoopAnalysis>(F)) {}

  /// Returns where something has moved to out of \p Block, or null.
  BasicBlock *moveUp(BasicBlock &Block);
  /// Lets nothing sink that is better where it is.
  void holdResults(BasicBlock &Block);
};

} // namespace

/// Registers hold scalars; addresses are part of their accesses.
bool Hoister::isMovable(const Instruction &I) const {
  return (I.getType()->isIntegerTy() || I.getType()->isFloatingPointTy()) &&
         isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             CallInst>(I) &&
         !I.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&I);
}

bool Hoister::isThere(const Value *V, const BasicBlock &Above) const {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || DT.dominates(I->getParent(), &Above);
}

/// The block to move to: all paths from it lead to \p Block, once.
BasicBlock *Hoister::above(BasicBlock &Block) const {
  const auto *Node = DT.getNode(&Block);
  if (!Node || !Node->getIDom())
    return nullptr;
  BasicBlock *Above = Node->getIDom()->getBlock();
  return Loops.getLoopFor(Above) == Loops.getLoopFor(&Block) &&
                 PDT.dominates(&Block, Above)
             ? Above
             : nullptr;
}

SmallVector<Hoister::Group, 4>
Hoister::groupsOf(BasicBlock &Block, const BasicBlock &Above) const {
  SmallPtrSet<const Value *, 32> Known;
  Group Candidates;
  for (Instruction &I : Block)
    if (isMovable(I) && all_of(I.operands(), [&](const Value *V) {
          return Known.contains(V) || isThere(V, Above);
        })) {
      Known.insert(&I);
      Candidates.push_back(&I);
    }
  EquivalenceClasses<Instruction *> Together;
  SmallPtrSet<const Instruction *, 32> Inputs;
  for (Instruction *I : Candidates) {
    Together.insert(I);
    for (Value *V : I->operands()) {
      auto *Input = dyn_cast<Instruction>(V);
      if (!Input)
        continue;
      if (Known.contains(Input))
        Together.unionSets(I, Input);
      else if (Inputs.insert(Input).second &&
               all_of(Input->users(),
                      [&](const User *U) { return Known.contains(U); }))
        for (User *U : Input->users())
          Together.unionSets(I, cast<Instruction>(U));
    }
  }
  // In the order of the code.
  MapVector<Instruction *, Group> Found;
  for (Instruction *I : Candidates)
    Found[Together.getLeaderValue(I)].push_back(I);
  SmallVector<Group, 4> Groups;
  for (auto &[Leader, Members] : Found)
    Groups.push_back(std::move(Members));
  return Groups;
}

Hoister::Ends Hoister::endsOf(const Group &G) const {
  const SmallPtrSet<const Value *, 16> Members(G.begin(), G.end());
  const auto StaysWithin = [&](const Value &V) {
    return all_of(V.users(),
                  [&](const User *U) { return Members.contains(U); });
  };
  SmallPtrSet<const Value *, 16> Inputs;
  Ends Of;
  for (Instruction *I : G) {
    if (!StaysWithin(*I)) {
      Of.BitsOut += DL.getTypeSizeInBits(I->getType());
      Of.Results.push_back(I);
    }
    for (const Value *V : I->operands())
      if (isa<Instruction>(V) && !Members.contains(V) &&
          Inputs.insert(V).second && StaysWithin(*V))
        Of.BitsIn += DL.getTypeSizeInBits(V->getType());
  }
  return Of;
}

BasicBlock *Hoister::moveUp(BasicBlock &Block) {
  BasicBlock *Above = above(Block);
  if (!Above)
    return nullptr;
  bool Any = false;
  for (const Group &G : groupsOf(Block, *Above)) {
    const Ends Of = endsOf(G);
    if (Of.BitsIn <= Of.BitsOut)
      continue;
    for (Instruction *I : G)
      I->moveBefore(Above->getTerminator());
    NumHoisted += G.size();
    Any = true;
  }
  return Any ? Above : nullptr;
}

/// A use that keeps \p I in its block, if there is none.
static void hold(Instruction &I) {
  BasicBlock *Block = I.getParent();
  const char Register = gpu::ptxRegisterOf(*I.getType());
  if (!Register || any_of(I.users(), [&](const User *U) {
        return cast<Instruction>(U)->getParent() == Block;
      }))
    return;
  IRBuilder<> B(Block->getTerminator());
  FunctionType *Ty = FunctionType::get(B.getVoidTy(), I.getType(), false);
  B.CreateCall(InlineAsm::get(Ty, "", StringRef(&Register, 1),
                              /*hasSideEffects=*/true),
               &I)
      ->setDoesNotThrow();
}

/// If one of several results sank, its inputs would be held beside the others.
void Hoister::holdResults(BasicBlock &Block) {
  for (const Group &G : groupsOf(Block, Block)) {
    const Ends Of = endsOf(G);
    if (Of.BitsIn > Of.BitsOut ||
        (Of.BitsIn == Of.BitsOut && Of.Results.size() > 1))
      for (Instruction *I : Of.Results)
        hold(*I);
  }
}

PreservedAnalyses PressureHoistPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || F.size() == 1 || !offload::isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  Hoister Work(F, FAM);
  bool Changed = false;
  // Blocks above have come to rest; what reaches them goes on.
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    while ((Block = Work.moveUp(*Block)))
      Changed = true;
  if (!Changed)
    return PreservedAnalyses::all();
  for (BasicBlock &Block : F)
    Work.holdResults(Block);
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::gridtune
