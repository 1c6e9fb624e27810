//===- Parallel.h - Loops whose iterations vectors may join -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the vectorizer of loops over work-items.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_PARALLEL_H
#define ACCX_WORKITEMS_PARALLEL_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace accx::workitems {

/// Accesses of a loop's iterations that do not depend on those of others.
class Parallel {
  llvm::MDNode *Group;

public:
  explicit Parallel(llvm::LLVMContext &Context)
      : Group(llvm::MDNode::getDistinct(Context, {})) {}
  void add(llvm::Instruction &I);
  /// \p Back is the loop's branch. \p IsMasked: vectors of which parts do
  /// nothing are better than doing what is left over one by one.
  void mark(llvm::BranchInst &Back, bool IsMasked = false);
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_PARALLEL_H
