//===- Region.cpp - What happens while an array has a copy ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the blocks from a region's beginning to its end and sorts the accesses
// in them, and finds where the threads of a block part. It knows notes and
// control flow but no arrays: planning and hoisting both start from it.
//
//===----------------------------------------------------------------------===//

#include "smc/Region.h"

#include "smc/Notes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
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
  // Each block is seen with its number of open regions.
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

namespace {

/// Where threads of a block part, in an iteration of a nest.
class Partings {
  const Loop &Nest;
  const PostDominatorTree &PDT;
  SmallSetVector<const BasicBlock *, 16> Blocks;
  SmallPtrSet<const Value *, 16> Parted;

public:
  Partings(const Loop &Nest, UniformityInfo &Uniformity,
           const PostDominatorTree &PDT)
      : Nest(Nest), PDT(PDT) {
    for (const BasicBlock *Block : Nest.blocks())
      if (isOwn(*Block) && Uniformity.hasDivergentTerminator(*Block))
        Blocks.insert(Block);
    // Threads that have met may part again by the values that each way has left
    // in a phi. LLVM's analysis misses some of these where ways lead far down.
    for (unsigned I = 0; I < Blocks.size(); ++I) {
      const BasicBlock *Join = join(*Blocks[I]);
      for (const BasicBlock *Block : between(*Blocks[I]))
        spread(*Block);
      if (Join && Nest.contains(Join))
        spread(*Join);
    }
  }

  bool isOnWayTo(const BasicBlock &Target) const {
    return any_of(Blocks, [&](const BasicBlock *Block) {
      return between(*Block).contains(&Target);
    });
  }

private:
  /// Whether \p Block may part threads inside of the nest. Leaving the nest is
  /// no parting.
  bool isOwn(const BasicBlock &Block) const {
    return Nest.contains(&Block) && &Block != Nest.getExitingBlock();
  }

  const BasicBlock *join(const BasicBlock &Block) const {
    const auto *Node = PDT.getNode(&Block);
    const auto *Joined = Node ? Node->getIDom() : nullptr;
    return Joined ? Joined->getBlock() : nullptr;
  }

  /// The blocks that only some of the threads that part at \p Block may reach.
  SmallPtrSet<const BasicBlock *, 16> between(const BasicBlock &Block) const {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    const BasicBlock *Join = join(Block);
    SmallVector<const BasicBlock *, 16> Work(successors(&Block));
    while (!Work.empty()) {
      const BasicBlock *Next = Work.pop_back_val();
      if (Next != Nest.getHeader() && Next != Join && Seen.insert(Next).second)
        append_range(Work, successors(Next));
    }
    return Seen;
  }

  void spread(const BasicBlock &Block) {
    if (!Nest.contains(&Block))
      return;
    SmallVector<const Value *, 16> Work;
    for (const PHINode &Phi : Block.phis())
      if (!Phi.hasConstantOrUndefValue())
        Work.push_back(&Phi);
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Parted.insert(V).second)
        continue;
      for (const User *U : V->users()) {
        const auto *I = dyn_cast<Instruction>(U);
        if (!I || !Nest.contains(I))
          continue;
        if (I->isTerminator() && isOwn(*I->getParent()))
          Blocks.insert(I->getParent());
        Work.push_back(I);
      }
    }
  }
};

} // namespace

bool mayPart(const BasicBlock &Target, const Loop &Nest,
             UniformityInfo &Uniformity, const PostDominatorTree &PDT) {
  return Partings(Nest, Uniformity, PDT).isOnWayTo(Target);
}

} // namespace accx::smc
