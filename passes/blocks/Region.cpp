//===- Region.cpp - What a statement does with an array -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a region's marker says of its array and blocks, walks from the
// region's beginning to its end, and sorts the accesses in between. It decides
// nothing about copies.
//
//===----------------------------------------------------------------------===//

#include "blocks/Region.h"

#include "blocks/Notes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::blocks {

namespace marker = markers::smc;

bool Array::read(CallInst &Marker) {
  const auto TypeBits = numberOf(Marker, marker::Type);
  const auto Dims = numberOf(Marker, marker::Dims);
  const auto Size = numberOf(Marker, marker::Element);
  const auto By = numberOf(Marker, marker::Align);
  if (!TypeBits || !Dims || !Size || !By || *Dims < 1 ||
      *Dims > marker::MaxDims || *Size < 1 || *By < 1)
    return false;
  Begin = &Marker;
  Base = argumentOf(Marker, marker::Base);
  Type = *TypeBits;
  Element = *Size;
  Align = *By;
  Rank = *Dims;
  return true;
}

Dimension Array::dimension(unsigned D) const {
  const auto Argument = [&](unsigned Which) {
    return argumentOf(*Begin,
                      marker::FirstDim + D * marker::DimArguments + Which);
  };
  return {Argument(marker::Pitch), Argument(marker::First),
          Argument(marker::Extent), Argument(marker::Low),
          Argument(marker::High)};
}

std::optional<SmallVector<int64_t, 3>> askedShape(const CallInst &Begin) {
  const auto Dims = numberOf(Begin, marker::Blocks);
  if (!Dims || *Dims < 0 || *Dims > marker::MaxDims)
    return std::nullopt;
  SmallVector<int64_t, 3> Shape;
  for (unsigned D = 0; D < *Dims; ++D) {
    const auto Number = numberOf(Begin, marker::FirstBlock + D);
    if (!Number)
      return std::nullopt;
    Shape.push_back(*Number);
  }
  return Shape;
}

const Value *teamObject(const Instruction &I) {
  return noteOf(I) == NoteKind::Team
             ? getUnderlyingObject(argumentOf(cast<CallInst>(I), 1))
             : nullptr;
}

const Value *writtenBy(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand();
  const auto *Fill = dyn_cast<MemIntrinsic>(&I);
  return Fill ? Fill->getRawDest() : nullptr;
}

const AllocaInst *localOf(const Value *Address) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Address));
}

bool writesShared(const Instruction &I) {
  const Value *To = writtenBy(I);
  return To && !localOf(To);
}

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
        R.Code.insert(&I);
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
    if (isa<StoreInst>(I) && !writesShared(I))
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
      const bool Ends = isa<UnreachableInst>(Block->getTerminator());
      (Ends ? EndsProgram : IsClosed) = Ends;
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

} // namespace accx::blocks
