//===- Apart.cpp - Conditions around stops, taken apart -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop that work-items reach only where a condition holds becomes one that
// all reach:
//
//     if (c) {            if (c)
//       t = a[w + 1];       t = a[w + 1];
//       -- stop --        -- stop --
//       a[w] = t;         if (c)
//     }                     a[w] = t;
//
// No work-item need note where it waits, and `c` says which places have work.
//
// Values from ahead of the stop go through phis. This is the one rewriting of
// control flow between the plan's stops and its regions.
//
//===----------------------------------------------------------------------===//

#include "workitems/Regions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::workitems {

namespace {

class Cutter {
  LoopPlan &Plan;
  LoopInfo &Loops;
  Function &F;

public:
  Cutter(LoopPlan &Plan, LoopInfo &Loops)
      : Plan(Plan), Loops(Loops), F(*Plan.W.Header->getParent()) {}

  void run() {
    constexpr unsigned MaxCuts = 256;
    for (unsigned Cuts = 0; Cuts < MaxCuts && cutOne(); ++Cuts) {
      removeEmpty();
      findBody(Plan);
    }
  }

private:
  bool cutOne() {
    const PostDominatorTree PDT(F);
    const Divergence Uniform = Plan.divergence(PDT);
    for (const auto &[Branch, In] : Uniform.Branches) {
      BasicBlock *Then = sideOf(*Branch, In);
      if (!Then)
        continue;
      BasicBlock *At = firstStop(*Then, In, PDT);
      if (!At)
        continue;
      cut(*Branch, *Then, *At, In);
      return true;
    }
    return false;
  }

  /// The code that runs only where the condition of \p Branch holds; null if it
  /// has two sides, or another way in, or is in a loop with the branch.
  BasicBlock *sideOf(BasicBlock &Branch, const Divergence::Influence &In) {
    auto *Fork = dyn_cast<BranchInst>(Branch.getTerminator());
    if (!Fork || !Fork->isConditional() || !In.Join ||
        !Plan.Body.contains(In.Join) || In.Blocks.contains(&Branch))
      return nullptr;
    const bool JoinIfTrue = Fork->getSuccessor(0) == In.Join;
    BasicBlock *Then = Fork->getSuccessor(JoinIfTrue ? 1 : 0);
    if (Then == In.Join || Fork->getSuccessor(JoinIfTrue ? 0 : 1) != In.Join)
      return nullptr;
    for (BasicBlock *Block : In.Blocks)
      for (BasicBlock *Pred : predecessors(Block))
        if (Block == Then ? Pred != &Branch : !In.Blocks.contains(Pred))
          return nullptr;
    return Then;
  }

  BasicBlock *firstStop(BasicBlock &Then, const Divergence::Influence &In,
                        const PostDominatorTree &PDT) {
    for (BasicBlock *Block : In.Blocks)
      if (const auto S = Plan.Stops.find(Block);
          S != Plan.Stops.end() &&
          (S->second.Kind == StopKind::Begin ||
           S->second.Kind == StopKind::End ||
           (Plan.IsTeam && S->second.Kind == StopKind::Barrier)))
        return nullptr;
    for (BasicBlock *Block : Plan.Body)
      if (In.Blocks.contains(Block) && Plan.Stops.contains(Block))
        return PDT.dominates(Block, &Then) &&
                       Loops.getLoopFor(Block) == Loops.getLoopFor(In.Join)
                   ? Block
                   : nullptr;
    return nullptr;
  }

  void cut(BasicBlock &Branch, BasicBlock &Then, BasicBlock &At,
           const Divergence::Influence &In) {
    auto *Fork = cast<BranchInst>(Branch.getTerminator());
    LLVMContext &Context = F.getContext();
    BasicBlock *Again = BasicBlock::Create(Context, "wi.again", &F, &At);
    if (Loop *L = Loops.getLoopFor(In.Join))
      L->addBasicBlockToLoop(Again, Loops);
    if (&Then == &At) {
      BasicBlock *Empty = BasicBlock::Create(Context, "wi.side", &F, &At);
      BranchInst::Create(&At, Empty);
      Fork->replaceSuccessorWith(&At, Empty);
      At.replacePhiUsesWith(&Branch, Empty);
      if (Loop *L = Loops.getLoopFor(In.Join))
        L->addBasicBlockToLoop(Empty, Loops);
    }
    // Blocks that are not behind the stop are ahead of it.
    SmallPtrSet<BasicBlock *, 16> Behind;
    SmallVector<BasicBlock *, 8> Worklist = {&At};
    while (!Worklist.empty()) {
      BasicBlock *Block = Worklist.pop_back_val();
      if (Block != In.Join && Behind.insert(Block).second)
        append_range(Worklist, successors(Block));
    }
    const SmallVector<BasicBlock *, 4> Preds(predecessors(&At));
    for (PHINode &Phi : make_early_inc_range(At.phis())) {
      Phi.moveBefore(*Again, Again->end());
      Phi.addIncoming(UndefValue::get(Phi.getType()), &Branch);
    }
    for (BasicBlock *Pred : Preds)
      Pred->getTerminator()->replaceSuccessorWith(&At, Again);
    IRBuilder<> B(Again);
    Value *Condition = Fork->getCondition();
    if (Fork->getSuccessor(0) == In.Join)
      B.CreateCondBr(Condition, In.Join, &At);
    else
      B.CreateCondBr(Condition, &At, In.Join);
    In.Join->replacePhiUsesWith(&Branch, Again);
    Fork->replaceSuccessorWith(In.Join, Again);
    for (BasicBlock *Block : In.Blocks) {
      if (Behind.contains(Block))
        continue;
      for (Instruction &I : *Block)
        handOn(I, *Again, Branch, Behind, *In.Join);
    }
    const Stop Moved = Plan.Stops.lookup(&At);
    Plan.Stops.erase(&At);
    Plan.Stops[Again] = Moved;
  }

  /// \p I, from ahead of the stop, as it is behind.
  void handOn(Instruction &I, BasicBlock &Again, BasicBlock &Branch,
              const SmallPtrSetImpl<BasicBlock *> &Behind, BasicBlock &Join) {
    PHINode *Phi = nullptr;
    for (Use &U : make_early_inc_range(I.uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Merge = dyn_cast<PHINode>(User);
      BasicBlock *Where =
          Merge ? Merge->getIncomingBlock(U) : User->getParent();
      if (!Behind.contains(Where) && Where != &Join)
        continue;
      if (!Phi) {
        IRBuilder<> B(&Again, Again.begin());
        Phi = B.CreatePHI(I.getType(), 2);
        for (BasicBlock *Pred : predecessors(&Again))
          Phi->addIncoming(Pred == &Branch ? UndefValue::get(I.getType())
                                           : static_cast<Value *>(&I),
                           Pred);
      }
      U.set(Phi);
    }
  }

  /// Whether \p Join finds the same on the way from \p A and from \p B.
  static bool isSame(BasicBlock &Join, const BasicBlock &A,
                     const BasicBlock &B) {
    DeleteDeadPHIs(&Join);
    return all_of(Join.phis(), [&](const PHINode &Phi) {
      return Phi.getIncomingValueForBlock(&A) ==
             Phi.getIncomingValueForBlock(&B);
    });
  }

  /// Removes conditions that choose between nothing and nothing.
  void removeEmpty() {
    for (BasicBlock *Block : Plan.Body) {
      auto *Fork = dyn_cast<BranchInst>(Block->getTerminator());
      if (!Fork || !Fork->isConditional())
        continue;
      for (const unsigned Side : {0, 1}) {
        BasicBlock *Empty = Fork->getSuccessor(Side),
                   *Join = Fork->getSuccessor(1 - Side);
        if (Empty->size() != 1 || Empty->getSingleSuccessor() != Join ||
            Empty->getSinglePredecessor() != Block ||
            Plan.Stops.contains(Empty) || !Plan.Body.contains(Empty) ||
            !isSame(*Join, *Block, *Empty))
          continue;
        Join->removePredecessor(Empty, /*KeepOneInputPHIs=*/true);
        BranchInst::Create(Join, Fork->getIterator());
        Fork->eraseFromParent();
        Loops.removeBlock(Empty);
        Empty->getTerminator()->eraseFromParent();
        IRBuilder<>(Empty).CreateUnreachable();
        DeleteDeadBlock(Empty);
        findBody(Plan);
        return removeEmpty();
      }
    }
  }
};

} // namespace

void takeApart(LoopPlan &Plan, LoopInfo &Loops) {
  rematerialize(Plan);
  Cutter(Plan, Loops).run();
}

} // namespace accx::workitems
