//===- Region.cpp - What happens while an array has a copy ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Region.h.
//
//===----------------------------------------------------------------------===//

#include "smc/Region.h"

#include "smc/Notes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::smc {

namespace {

class Scanner {
  Region &R;
  bool HasEnd = false;

public:
  explicit Scanner(Region &R) : R(R) {}

  /// How many regions are open behind \p Block if \p Depth are before it; 0:
  /// its own has ended.
  unsigned scan(BasicBlock::iterator From, BasicBlock &Block, unsigned Depth) {
    for (Instruction &I : make_range(From, Block.end())) {
      const auto Note = noteOf(I);
      if (Note == NoteKind::Begin) {
        ++Depth;
      } else if (Note == NoteKind::End) {
        if (--Depth == 0) {
          R.End = HasEnd && R.End != &I ? nullptr : cast<CallInst>(&I);
          HasEnd = true;
          return 0;
        }
      } else if (Note == NoteKind::Barrier) {
        R.Barriers.push_back(cast<CallInst>(&I));
      } else if (!Note) {
        add(I);
      }
    }
    return Depth;
  }

private:
  void add(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple()) {
      R.Loads.push_back(Load);
      return;
    }
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    if (Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
      return;
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (Store &&
        isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand())))
      return;
    if (I.mayWriteToMemory())
      R.Writes.push_back(&I);
    if (I.mayReadFromMemory())
      R.OtherReads.push_back(&I);
  }
};

} // namespace

Region::Region(CallInst &Begin, const LoopInfo &Loops,
               const DominatorTree &DT) {
  const Loop *Around = Loops.getLoopFor(Begin.getParent());
  Scanner Scan(*this);
  const unsigned First =
      Scan.scan(std::next(Begin.getIterator()), *Begin.getParent(), 1);
  if (First == 0)
    return;
  // With the number of open regions.
  DenseMap<BasicBlock *, unsigned> Seen;
  SmallVector<std::pair<BasicBlock *, unsigned>, 16> Work;
  for (BasicBlock *Next : successors(Begin.getParent()))
    Work.push_back({Next, First});
  while (!Work.empty()) {
    const auto [Block, Depth] = Work.pop_back_val();
    if (!Around || !Around->contains(Block) || Block == Begin.getParent() ||
        !DT.dominates(Begin.getParent(), Block) ||
        Block == Around->getHeader()) {
      IsClosed &= isa<UnreachableInst>(Block->getTerminator());
      continue;
    }
    const auto [Found, IsNew] = Seen.try_emplace(Block, Depth);
    if (!IsNew) {
      IsClosed &= Found->second == Depth;
      continue;
    }
    if (const unsigned Behind = Scan.scan(Block->begin(), *Block, Depth))
      for (BasicBlock *Next : successors(Block))
        Work.push_back({Next, Behind});
  }
}

bool mayPart(const BasicBlock &Target, const Loop &Nest,
             UniformityInfo &Uniformity, const PostDominatorTree &PDT) {
  const BasicBlock *Header = Nest.getHeader();
  // That blocks of threads leave it is its own doing.
  const BasicBlock *Last = Nest.getExitingBlock();
  for (const BasicBlock *Block : Nest.blocks()) {
    if (Block == Last || !Uniformity.hasDivergentTerminator(*Block))
      continue;
    const auto *Node = PDT.getNode(Block);
    const auto *Joined = Node ? Node->getIDom() : nullptr;
    SmallPtrSet<const BasicBlock *, 16> Seen = {Header};
    if (Joined)
      Seen.insert(Joined->getBlock());
    SmallVector<const BasicBlock *, 16> Work(successors(Block));
    while (!Work.empty()) {
      const BasicBlock *Next = Work.pop_back_val();
      if (!Seen.insert(Next).second)
        continue;
      if (Next == &Target)
        return true;
      append_range(Work, successors(Next));
    }
  }
  return false;
}

} // namespace accx::smc
