//===- Divergence.h - What work-items of a block agree on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a loop's body are the same for all work-items of a block, and
// which code a branch on other values controls. The analysis is optimistic: a
// value is uniform unless something makes it differ.
//
// A branch that work-items may take differently has an influence: the blocks
// between it and the block where all its ways meet again.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_DIVERGENCE_H
#define ACCX_WORKITEMS_DIVERGENCE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

namespace accx::workitems {

using BlockSet = llvm::SmallSetVector<llvm::BasicBlock *, 16>;

class Divergence {
  const BlockSet &Body;
  const llvm::PostDominatorTree &PDT;
  llvm::DenseSet<const llvm::Value *> Varying;

public:
  struct Influence {
    /// Where all ways meet; null if they do not inside of the function.
    llvm::BasicBlock *Join = nullptr;
    BlockSet Blocks;
  };
  /// The influence of each branch that work-items may take differently.
  llvm::MapVector<llvm::BasicBlock *, Influence> Branches;

  /// \p Shared are local variables that all work-items find alike.
  Divergence(const BlockSet &Body, const llvm::PostDominatorTree &PDT,
             const llvm::DenseSet<const llvm::Value *> &Shared);

  bool isUniform(const llvm::Value *V) const { return !Varying.contains(V); }
  /// Whether work-items may disagree on executing \p Block.
  bool isDivergent(llvm::BasicBlock *Block) const;

private:
  bool differs(const llvm::Instruction &I,
               const llvm::DenseSet<const llvm::Value *> &Shared) const;
  bool spread(llvm::BasicBlock *Branch);
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_DIVERGENCE_H
