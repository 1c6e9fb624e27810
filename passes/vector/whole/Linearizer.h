//===- Linearizer.h - Divergent control flow into masks ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class that does what Linearize.h describes, for its sources: each has one
// of the algorithm's steps.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_LINEARIZER_H
#define ACCX_VECTOR_WHOLE_LINEARIZER_H

#include "vector/whole/Divergence.h"
#include "vector/whole/Linearize.h"
#include "vector/whole/Regions.h"
#include "vector/whole/Shapes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <set>
#include <vector>

namespace accx::vector {

class Linearizer {
public:
  Linearizer(llvm::Function &F, llvm::Value *EntryMask, const Regions &All,
             const Divergence &Ways, const LaneShapes &Shapes);

  llvm::StringRef run(BlockMasks &Masks);

private:
  using Pending = std::set<unsigned>;
  /// An end of a loop's outside edges: a block that ends in one branch, or a
  /// divergent loop's dispatch, which has no terminator yet.
  struct Outgoing {
    llvm::BasicBlock *From;
    llvm::SmallVector<llvm::BasicBlock *, 4> Targets;
  };

  // Linearize.cpp: what was before, slots, and SSA again.
  bool isLinear(const llvm::BasicBlock *B) const { return Linear.contains(B); }
  void remember(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  bool leavesDivergentLoop(const llvm::BasicBlock *B) const;
  llvm::AllocaInst *makeSlot(llvm::Type *Ty, const llvm::Twine &Name);
  void reset(llvm::AllocaInst *Slot, llvm::Value *Neutral,
             const llvm::BasicBlock *For);
  void readPhis();
  void promote();

  // LinearizeMasks.cpp: the masks of blocks, and who needs a guard.
  bool isDivergent(const Region &R) const;
  void assignMasks(Region &R);
  void makeMaskSlot(llvm::BasicBlock *B);
  void assignHeader(const Region &R, llvm::BasicBlock *Header);
  static bool postDominates(const Region &R, unsigned Later, unsigned Earlier);
  unsigned costOf(llvm::BasicBlock &B) const;
  void findUnsafe();

  // LinearizeEdges.cpp: what goes over edges.
  bool keepsPhis(const llvm::BasicBlock *B) const;
  void makePhiSlots(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  static bool isBackEdge(const llvm::Loop *L, const llvm::BasicBlock *To);
  bool isFull(const llvm::Value *Mask) const;
  void writeEdge(llvm::IRBuilder<> &Builder, llvm::BasicBlock *From,
                 llvm::BasicBlock *To, llvm::Value *EdgeMask);
  void writeEdges(llvm::BasicBlock *B);

  // LinearizeOrder.cpp: how blocks follow each other.
  llvm::BasicBlock *blockOf(const Region &R, unsigned Node) const;
  void fallThrough(const Region &R, llvm::BasicBlock *From, Pending Next,
                   std::vector<Pending> &Waiting);
  void connect(const Region &R);
  void connectBlock(const Region &R, llvm::BasicBlock *B, const Pending &Here,
                    std::vector<Pending> &Waiting);
  void redirect(const Region &R, llvm::BasicBlock *From,
                llvm::ArrayRef<llvm::BasicBlock *> Targets, const Pending &Here,
                std::vector<Pending> &Waiting);
  void finishLoop(const Region &R);

  llvm::Function &F;
  llvm::LLVMContext &Context;
  llvm::Value *EntryMask;
  const Regions &All;
  const Divergence &Ways;
  const LaneShapes &Shapes;
  llvm::FunctionCallee Any;
  llvm::StringRef Failure;

  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> MaskOf;
  llvm::DenseMap<llvm::BasicBlock *, llvm::AllocaInst *> MaskSlot;
  /// The block from which a block has its mask.
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> Root;
  llvm::DenseSet<llvm::BasicBlock *> Unsafe;
  llvm::MapVector<llvm::PHINode *, llvm::AllocaInst *> PhiSlot;
  /// Blocks whose branch becomes data.
  llvm::DenseSet<const llvm::BasicBlock *> Linear;
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> Latches;
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<llvm::BasicBlock *, 4>>
      Exits;
  /// Of divergent loops: lanes that go on, the tail, the dispatch.
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> NextSlot;
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> Tail;
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<Outgoing, 2>> Leaving;
  llvm::SmallVector<llvm::AllocaInst *, 32> Slots;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>>
      SplitEdges;
};

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_LINEARIZER_H
