//===- LinearizeOrder.cpp - Blocks one behind the other -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects blocks in the regions' order (Linearize.h), with guards, and ends
// divergent loops.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Linearizer.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace accx::vector {

BasicBlock *Linearizer::blockOf(const Region &R, unsigned Node) const {
  return Node == R.end() ? Tail.lookup(R.Cycle) : R.Nodes[Node].Entry;
}

/// Ends `From` with a branch to the first of the nodes; the others are
/// pending there.
void Linearizer::fallThrough(const Region &R, BasicBlock *From, Pending Next,
                             std::vector<Pending> &Waiting) {
  IRBuilder<> Builder(From);
  while (true) {
    const unsigned First = *Next.begin();
    Next.erase(Next.begin());
    BasicBlock *To = blockOf(R, First);
    if (!To) {
      Failure = "its control flow cannot be linearized";
      Builder.CreateUnreachable();
      return;
    }
    AllocaInst *Slot = MaskSlot.lookup(To);
    const bool Guarded = Slot && First != R.end() && !R.Nodes[First].Inner &&
                         Unsafe.contains(To) && !Next.empty();
    if (First != R.end())
      Waiting[First].insert(Next.begin(), Next.end());
    if (!Guarded) {
      Builder.CreateBr(To);
      return;
    }
    auto *Skip = BasicBlock::Create(Context, To->getName() + ".none", &F);
    Value *Lanes = Builder.CreateLoad(Builder.getInt1Ty(), Slot);
    Builder.CreateCondBr(Builder.CreateCall(Any, Lanes), To, Skip);
    Builder.SetInsertPoint(Skip);
  }
}

void Linearizer::connect(const Region &R) {
  std::vector<Pending> Waiting(R.end() + 1);
  for (unsigned I = 0; I != R.end(); ++I) {
    const RegionNode &N = R.Nodes[I];
    const Pending Here = Waiting[I];
    if (!N.Inner) {
      connectBlock(R, N.Entry, Here, Waiting);
      continue;
    }
    for (Outgoing &Out : Leaving[N.Inner])
      redirect(R, Out.From, Out.Targets, Here, Waiting);
  }
  if (isDivergent(R))
    finishLoop(R);
}

void Linearizer::connectBlock(const Region &R, BasicBlock *B,
                              const Pending &Here,
                              std::vector<Pending> &Waiting) {
  Instruction *End = B->getTerminator();
  if (!isa<BranchInst>(End)) {
    if (!Here.empty())
      Failure = "its control flow cannot be linearized";
    return;
  }
  if (End->getNumSuccessors() == 1 || isLinear(B)) {
    SmallVector<BasicBlock *, 2> Targets(successors(B));
    redirect(R, B, Targets, Here, Waiting);
    return;
  }
  for (BasicBlock *Edge : SplitEdges[B]) {
    SmallVector<BasicBlock *, 1> Target{Edge->getSingleSuccessor()};
    redirect(R, Edge, Target, Here, Waiting);
  }
}

/// Lets `From`, where lanes for all targets are, continue.
void Linearizer::redirect(const Region &R, BasicBlock *From,
                          ArrayRef<BasicBlock *> Targets, const Pending &Here,
                          std::vector<Pending> &Waiting) {
  Pending Next = Here;
  bool Outside = false;
  for (BasicBlock *To : Targets) {
    Next.insert(R.target(To));
    Outside |= R.target(To) == R.end();
  }
  if (Outside && !isDivergent(R)) {
    // A way back or out that all lanes take together.
    if (Next.size() != 1) {
      Failure = "its control flow cannot be linearized";
      return;
    }
    if (R.Cycle && !R.contains(Targets.front()))
      Leaving[R.Cycle].push_back({From, SmallVector<BasicBlock *, 4>(Targets)});
    return;
  }
  if (Instruction *End = From->getTerminator())
    End->eraseFromParent();
  fallThrough(R, From, std::move(Next), Waiting);
}

/// The tail: lanes that go on decide; those that left are sent to the exits.
void Linearizer::finishLoop(const Region &R) {
  BasicBlock *Header = R.Cycle->getHeader();
  BasicBlock *Latch = Latches[R.Cycle];
  BasicBlock *End = Tail[R.Cycle];
  IRBuilder<> Builder(End);
  Value *Next = Builder.CreateLoad(Builder.getInt1Ty(), NextSlot[R.Cycle]);
  Builder.CreateStore(Next, MaskSlot[Header]);
  for (PHINode &Phi : Header->phis()) {
    Value *Value = Builder.CreateLoad(Phi.getType(), PhiSlot[&Phi]);
    const int I = Phi.getBasicBlockIndex(Latch);
    Phi.setIncomingValue(I, Value);
    Phi.setIncomingBlock(I, End);
  }
  auto *Dispatch = BasicBlock::Create(Context, Header->getName() + ".left", &F);
  Builder.CreateCondBr(Builder.CreateCall(Any, Next), Header, Dispatch);
  Leaving[R.Cycle].push_back({Dispatch, Exits[R.Cycle]});
}

} // namespace accx::vector
