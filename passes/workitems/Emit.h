//===- Emit.h - Loops over work-items ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of workitem-loops. Its sources have one each of blocks, regions
// and work-items.
//
//     for (b = first block of the thread; b < last; ++b)
//       for (w = 0; w < items; ++w)          the body up to its first stop
//         region(w)
//       fetch
//       for (w = 0; w < items; ++w)          up to the next
//         region(w)
//       ...
//
// Control flow between regions is that of work-item 0, which at stops that all
// reach is that of all. Where some may skip stops, each notes at which it
// waits; those stops' regions are run one after the other in the program's
// order, each by the work-items that wait there.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_EMIT_H
#define ACCX_WORKITEMS_EMIT_H

#include "workitems/Code.h"
#include "workitems/Copies.h"
#include "workitems/Forms.h"
#include "workitems/Regions.h"
#include "workitems/Shares.h"
#include "workitems/Strips.h"

namespace accx::workitems {

class ItemLoopWriter {
  LoopPlan &Plan;
  Regions &R;
  llvm::Function &F;
  Code B;
  Copies Memory;
  llvm::Type *const I64;
  llvm::Type *const I32;

  /// Where a variable's values wait while others run.
  llvm::DenseMap<Slot, Slot> Homes;
  /// Of local variables in memory.
  llvm::DenseMap<llvm::AllocaInst *, Slot> Arrays;
  llvm::SmallVector<llvm::AllocaInst *, 64> Scalars;
  Slot Waiting = nullptr;
  Slot Next = nullptr;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> Starts;
  llvm::BasicBlock *BlockDone = nullptr;
  /// Work-items in each dimension of the current block.
  llvm::Value *Count[2] = {};
  llvm::SmallVector<Edge, 8> Edges;
  /// What conditions are in the current block.
  llvm::DenseMap<llvm::Value *, bool> Assumed;
  Group Together;
  bool IsTogether = false;
  Fixed Fix;
  bool IsFixed = false;

public:
  ItemLoopWriter(LoopPlan &Plan, Regions &R)
      : Plan(Plan), R(R), F(*Plan.W.Header->getParent()), B(F.getContext()),
        Memory(Plan), I64(B.getInt64Ty()), I32(B.getInt32Ty()),
        Edges(findEdges(Plan)), Together(Plan, R), Fix(Plan) {}

  void run();

private:
  // Emit.cpp: variables, and which blocks run.
  Slot scalar(llvm::Type *Ty, const llvm::Twine &Name);
  Slot array(llvm::Type *Ty, const llvm::Twine &Name);
  llvm::DenseMap<Slot, Slot> createHomes();
  void createVariables();
  void emitBlocks();
  void emitGroups(Shares &Share);
  void emitWhole();
  void emitBlock();
  void promote();

  // EmitRegion.cpp: loops over the work-items of a region.
  void emitRegions();
  llvm::BasicBlock *startOf(llvm::BasicBlock *Region);
  void emitActions(llvm::BasicBlock *Start);
  llvm::Value *overItems(Slot S, llvm::Intrinsic::ID Operation);
  bool isOnce(llvm::BasicBlock *Start, const Region &Region) const;
  Range rangeOf(llvm::BasicBlock *Start, const Region &Region,
                const llvm::DenseMap<Slot, llvm::Value *> &Before);
  llvm::BranchInst *along(const Range &Work, unsigned D,
                          llvm::function_ref<void(llvm::Value *)> Body);
  void emitRow(llvm::BasicBlock *Start, const Region &Region,
               const llvm::DenseMap<Slot, llvm::Value *> &Before,
               const Range &Work, llvm::Value *First, Parallel &Group);
  void emitRegion(llvm::BasicBlock *Start, const Region &Region);
  void emitFollower(llvm::BasicBlock *Start, const Region &Region);

  // EmitItem.cpp: a region's code for one work-item.
  llvm::Value *element(Slot Home, llvm::Value *Item);
  void emitItem(llvm::BasicBlock *Start, const Region &Region,
                llvm::Value *Item,
                const llvm::DenseMap<Slot, llvm::Value *> &Before,
                Parallel &Group, const Given &Values);
  void leave(Slot S, Slot Now, llvm::Value *Item, Parallel &Group);
  bool isIndependent(const llvm::Instruction &I) const;
};

/// Replaces the loop of \p Plan.
inline void emitLoops(LoopPlan &Plan, Regions &R) {
  ItemLoopWriter(Plan, R).run();
}

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_EMIT_H
