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

#include "workitems/Code.h"
#include "workitems/Plan.h"

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

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_SHARES_H
