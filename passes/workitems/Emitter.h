//===- Emitter.h - Loops over work-items, being written ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class that writes what Emit.h describes, for its sources: each has one of
// blocks, regions and work-items.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_EMITTER_H
#define ACCX_WORKITEMS_EMITTER_H

#include "workitems/Code.h"
#include "workitems/Copies.h"
#include "workitems/Fixed.h"
#include "workitems/Forms.h"
#include "workitems/Group.h"
#include "workitems/Parallel.h"
#include "workitems/Regions.h"
#include "workitems/Shares.h"
#include "workitems/Strips.h"

namespace accx::workitems {

class Emitter {
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
  Emitter(LoopPlan &Plan, Regions &R)
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

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_EMITTER_H
