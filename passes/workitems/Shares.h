//===- Shares.h - Which blocks a thread runs --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are n blocks. The thread that has iteration b * trip / n runs block b.
// All blocks are in rows, in order.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_SHARES_H
#define ACCX_WORKITEMS_SHARES_H

#include "workitems/Copies.h"

namespace accx::workitems {

class Shares {
  LoopPlan &Plan;
  Code &B;
  llvm::Type *const I64;

public:
  /// Iterations and blocks in each dimension.
  llvm::Value *Length[2] = {};
  llvm::Value *Blocks[2] = {};
  /// The thread's.
  llvm::Value *First = nullptr;
  llvm::Value *Past = nullptr;

  /// Code for a thread whose iterations are from \p From to \p To, inclusive.
  Shares(LoopPlan &Plan, Code &B, llvm::Value *From, llvm::Value *To);

  /// Number of the block in its row; in blocks of one dimension, its own.
  llvm::Value *columnOf(llvm::Value *Number);
  /// Sets the plan's variables for block \p Number, and how many work-items it
  /// has.
  void enter(llvm::Value *Number, llvm::Value *(&Count)[2]);

private:
  llvm::Value *wide(llvm::Value *V);
  llvm::Value *ceiling(llvm::Value *A, llvm::Value *D);
  llvm::Value *blockAt(llvm::Value *From, llvm::Value *All, llvm::Value *Trip);
  void refuseLength(llvm::Value *Long);
};

/// Blocks of a row that run together. A small block has short rows. What it
/// reads of an array lies in many lines of the cache. It uses a part of each
/// line, and the next block uses the next part. So blocks beside each other run
/// together, row by row; each has its own copies.
///
///     for (y ...)              rows of the region
///       for (b ...)            blocks of the group
///         for (x ...)          a block's row: vectors
///           region(b, y, x)
class Group {
  LoopPlan &Plan;
  const Regions &R;
  unsigned Most = 1;
  /// The bytes of each array's copy, and where its copies are.
  llvm::SmallVector<uint64_t, 4> Bytes;
  llvm::SmallVector<Slot, 4> Memory;
  llvm::Value *Column = nullptr;
  llvm::Value *Number = nullptr;
  /// Whether the arrays have all elements of all copies.
  llvm::Value *HasAll = nullptr;

public:
  Group(LoopPlan &Plan, const Regions &R);

  /// How many blocks; 1: they run one by one.
  unsigned most() const { return Most; }
  /// How many blocks from \p Block on are whole and away from edges, the same
  /// row of blocks, and the thread's.
  llvm::Value *count(Code &B, Shares &Share, llvm::Value *Block,
                     llvm::Value *RowCount, llvm::ArrayRef<Edge> Edges);
  /// Calls \p Body for each block, with its number in the group, and the plan's
  /// variables set for it.
  void forEach(Code &B, llvm::function_ref<void(llvm::Value *)> Body);
  /// Fills the copies of an array.
  void fetch(Code &B, unsigned Array);

private:
  bool isStraight() const;
  void place(Code &B, llvm::Value *Index);
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_SHARES_H
