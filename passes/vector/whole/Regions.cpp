//===- Regions.cpp - A function as nested acyclic regions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders the nodes of each region and finds where the ways from a node meet. It
// looks at control flow alone, so that Divergence.cpp and Linearize.cpp share
// it.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Regions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace accx::vector {

namespace {

/// Orders the nodes of one region.
class RegionBuilder {
public:
  RegionBuilder(Function &F, Loop *Cycle, const DominatorTree &DT,
                const LoopInfo &LI)
      : Cycle(Cycle), DT(DT), LI(LI),
        Header(Cycle ? Cycle->getHeader() : &F.getEntryBlock()) {}

  void fill(Region &R) {
    number(Header);
    // What a node dominates goes behind it, in reverse post-order.
    DenseMap<BasicBlock *, SmallVector<BasicBlock *, 4>> Children;
    for (BasicBlock *B : reverse(PostOrder))
      if (B != Header)
        Children[node(DT.getNode(B)->getIDom()->getBlock())].push_back(B);
    place(R, Header, Children);
    for (RegionNode &N : R.Nodes)
      connect(R, N);
    for (unsigned I = R.end(); I-- > 0;)
      R.Nodes[I].PostDominator = meet(R, R.Nodes[I]);
  }

private:
  Loop *Cycle;
  const DominatorTree &DT;
  const LoopInfo &LI;
  BasicBlock *Header;
  std::vector<BasicBlock *> PostOrder;
  DenseSet<BasicBlock *> Seen;

  /// The child loop of this region that has the block, if any.
  Loop *inner(const BasicBlock *B) const {
    Loop *L = LI.getLoopFor(B);
    if (L == Cycle)
      return nullptr;
    while (L->getParentLoop() != Cycle)
      L = L->getParentLoop();
    return L;
  }

  bool inside(const BasicBlock *B) const {
    return !Cycle || Cycle->contains(B);
  }

  BasicBlock *node(BasicBlock *B) const {
    const Loop *L = inner(B);
    return L ? L->getHeader() : B;
  }

  SmallVector<BasicBlock *, 4> successors(BasicBlock *Node) const {
    SmallVector<BasicBlock *, 4> Result;
    if (const Loop *L = inner(Node))
      L->getExitBlocks(Result);
    else
      Result.append(succ_begin(Node), succ_end(Node));
    return Result;
  }

  void number(BasicBlock *Node) {
    // A long chain of blocks must not use up the stack.
    std::vector<std::pair<BasicBlock *, SmallVector<BasicBlock *, 4>>> Stack;
    Seen.insert(Node);
    Stack.emplace_back(Node, successors(Node));
    while (!Stack.empty()) {
      auto &[Top, Left] = Stack.back();
      if (Left.empty()) {
        PostOrder.push_back(Top);
        Stack.pop_back();
        continue;
      }
      BasicBlock *Next = Left.pop_back_val();
      if (!inside(Next) || Next == Header || !Seen.insert(node(Next)).second)
        continue;
      Next = node(Next);
      Stack.emplace_back(Next, successors(Next));
    }
  }

  void place(Region &R, BasicBlock *First,
             DenseMap<BasicBlock *, SmallVector<BasicBlock *, 4>> &Children) {
    SmallVector<BasicBlock *, 16> Stack{First};
    while (!Stack.empty()) {
      BasicBlock *B = Stack.pop_back_val();
      RegionNode N;
      N.Entry = B;
      N.Inner = inner(B);
      if (B != First)
        N.Dominator = R.indexOf(DT.getNode(B)->getIDom()->getBlock());
      if (N.Inner)
        for (BasicBlock *Member : N.Inner->blocks())
          R.Index[Member] = R.end();
      else
        R.Index[B] = R.end();
      R.Nodes.push_back(std::move(N));
      const auto &Next = Children[B];
      Stack.append(Next.rbegin(), Next.rend());
    }
  }

  void connect(const Region &R, RegionNode &N) const {
    for (BasicBlock *S : successors(N.Entry))
      if (const unsigned T = R.target(S); !is_contained(N.Successors, T))
        N.Successors.push_back(T);
    if (N.Successors.empty())
      N.Successors.push_back(R.end());
  }

  static unsigned meet(const Region &R, const RegionNode &N) {
    unsigned Result = N.Successors.front();
    for (unsigned Other : drop_begin(N.Successors))
      while (Result != Other) {
        unsigned &Nearer = Result < Other ? Result : Other;
        Nearer = R.Nodes[Nearer].PostDominator;
      }
    return Result;
  }
};

} // namespace

Regions::Regions(Function &F, const DominatorTree &DT, const LoopInfo &LI)
    : DT(DT), LI(LI) {
  build(F, nullptr, nullptr);
}

void Regions::build(Function &F, Loop *Cycle, Region *Parent) {
  auto &R = *List.emplace_back(std::make_unique<Region>());
  R.Cycle = Cycle;
  R.Parent = Parent;
  ByLoop[Cycle] = &R;
  RegionBuilder(F, Cycle, DT, LI).fill(R);
  for (Loop *Inner : Cycle ? Cycle->getSubLoops() : LI.getTopLevelLoops())
    build(F, Inner, &R);
}

Region &Regions::around(const BasicBlock *B) const {
  return of(LI.getLoopFor(B));
}

} // namespace accx::vector
