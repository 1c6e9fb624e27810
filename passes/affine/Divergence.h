//===- Divergence.h - What iterations of a block agree on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a loop's body are the same for all iterations that run
// together, and which code a branch on other values controls: for work-items of
// processors and for threads of GPUs. The analysis is optimistic: a value is
// uniform unless something makes it differ.
//
// A branch that iterations may take differently has an influence: the blocks
// between it and the block where all its ways meet again. Phis there differ,
// and so does what loops in it leave to code behind.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_AFFINE_DIVERGENCE_H
#define ACCX_AFFINE_DIVERGENCE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

namespace accx::affine {

using BlockSet = llvm::SmallSetVector<llvm::BasicBlock *, 16>;

class Divergence {
  const BlockSet &Body;
  const llvm::BasicBlock *const Header;
  const llvm::PostDominatorTree &PDT;
  llvm::DenseSet<const llvm::Value *> Varying;

public:
  struct Influence {
    /// Where all ways meet; null if they do not inside of the function.
    llvm::BasicBlock *Join = nullptr;
    BlockSet Blocks;
  };
  /// The influence of each branch that iterations may take differently.
  llvm::MapVector<llvm::BasicBlock *, Influence> Branches;

  /// An iteration is done where it comes to \p Header. \p Differs: whether
  /// iterations may find an instruction different for another reason than its
  /// operands.
  Divergence(const BlockSet &Body, const llvm::BasicBlock *Header,
             const llvm::PostDominatorTree &PDT,
             llvm::function_ref<bool(const llvm::Instruction &)> Differs);

  bool isUniform(const llvm::Value *V) const { return !Varying.contains(V); }
  /// Whether iterations may disagree on executing \p Block.
  bool isDivergent(llvm::BasicBlock *Block) const;
  /// The influence that \p Branch has if iterations take it differently.
  Influence influenceOf(llvm::BasicBlock *Branch) const;

private:
  void spread(llvm::BasicBlock *Branch);
};

} // namespace accx::affine

#endif // ACCX_AFFINE_DIVERGENCE_H
