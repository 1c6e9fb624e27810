//===- BlockNest.h - Grid-stride loops as loops over blocks -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop with the indices that its body makes of the counter, and
// the loop over blocks of iterations that may stand for it:
//
//     for (k = position; k < trip; k += size)     for (b = block; b < blocks;
//       i = k / D, j = k - i * D                       b += all blocks)
//       body                                        i, j = first + own place
//                                                   active = i < rows, j < ...
//                                                   i, j = at most the last
//                                                   body, writes if active
//
// All threads of a block run the same iterations of the new loop, so barriers
// may stand in it. A thread without an iteration repeats the last one of its
// row or column: it reads nothing that would not be read, and takes the same
// branches.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_BLOCKNEST_H
#define ACCX_SMC_BLOCKNEST_H

#include "gpu/LaunchGrid.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"

#define ACCX_ROOM smc
#define ACCX_REFUSALS "smc/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::smc {

/// Iterations of a block in each dimension, outermost first.
using BlockShape = llvm::SmallVector<unsigned, 3>;

inline unsigned threadsOf(const BlockShape &Shape) {
  unsigned Threads = 1;
  for (unsigned N : Shape)
    Threads *= N;
  return Threads;
}

/// Threads of a block of \p Shape: whole warps. Those behind the shape's have
/// no iteration.
inline unsigned launchedFor(const BlockShape &Shape) {
  constexpr unsigned Warp = 32;
  return (threadsOf(Shape) + Warp - 1) / Warp * Warp;
}

/// An index of the collapsed nest.
struct NestIndex {
  llvm::Instruction *V = nullptr;
  /// Product of the trip counts of the dimensions inside; null: none.
  llvm::Value *Divisor = nullptr;
};

/// A number and what the body makes of it: `q = number / divisor` and
/// `r = number % divisor`.
struct Split {
  llvm::Instruction *Quotient = nullptr, *Rest = nullptr;
  llvm::Value *Divisor = nullptr;
};

struct BlockNest {
  llvm::Loop *Nest = nullptr;
  llvm::PHINode *Iv = nullptr;
  llvm::Instruction *Next = nullptr;
  llvm::ICmpInst *Test = nullptr;
  llvm::Value *Trip = nullptr;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Body = nullptr;
  llvm::BasicBlock *Latch = nullptr;
  /// Outermost first.
  llvm::SmallVector<NestIndex, 3> Indices;
  /// Each row of the nest is one block: no thread is without an iteration, and
  /// there are no others.
  bool IsWhole = false;
  /// Where it is whole, the split of the rows' numbers, if the body divides
  /// them.
  Split Rows;

  /// \p L if it is a grid-stride loop of that form.
  static Refusal match(llvm::Loop &L, BlockNest &Result);
  /// Whether threads without an iteration can leave out what its body does.
  Refusal checkBody() const;
  /// Whether no other code in the kernel asks for numbers of blocks. Then
  /// blocks may have several dimensions.
  bool ownsGrid() const;
  /// Whether \p V is one of them.
  bool isIndex(const llvm::Value *V) const {
    return llvm::any_of(Indices,
                        [V](const NestIndex &Index) { return Index.V == V; });
  }
  /// Makes it a nest of one dimension.
  void flatten();
  /// Makes each row one block.
  void takeRows();
  /// Threads that blocks of \p Shape are launched with.
  unsigned threadsFor(const BlockShape &Shape) const {
    return IsWhole ? threadsOf(Shape) : launchedFor(Shape);
  }
};

/// Whether threads of a block may part on the way to \p Target in an iteration
/// of \p Nest.
bool mayPart(llvm::BasicBlock &Target, const llvm::Loop &Nest,
             llvm::UniformityInfo &Uniformity,
             const llvm::PostDominatorTree &PDT);

/// The values of the new loop, of type i64 where not said otherwise.
struct BlockPlace {
  /// Indices of the block's first iteration, of their own types.
  llvm::SmallVector<llvm::Value *, 3> Origin;
  /// The thread's own, at most the last ones.
  llvm::SmallVector<llvm::Value *, 3> Own;
  /// Iterations that the block has in each dimension.
  llvm::SmallVector<llvm::Value *, 3> Count;
  /// How far the block's last are from its first, i32.
  llvm::SmallVector<llvm::Value *, 3> Rest;
  /// The thread's place, and how far its own are from the block's first, which
  /// is at most the rest, i32.
  llvm::SmallVector<llvm::Value *, 3> Mine, Offset;
  /// Whether the thread has an iteration, i1, and whether it has one in blocks
  /// with all of theirs; null: always.
  llvm::Value *Active = nullptr, *InShape = nullptr;
  /// Number of the block, and of the first one that the thread works for.
  llvm::Value *Block = nullptr, *FirstBlock = nullptr;
  /// The thread's number in the block, an i32 below the number of threads.
  llvm::Value *Thread = nullptr;
  /// What a launch has to compute; empty: blocks have one dimension.
  gpu::LaunchGrid Grid;
};

/// Rewrites \p N for blocks of \p Shape, which has as many dimensions. With
/// \p Stays blocks of threads are to do many.
BlockPlace emitBlockLoop(const BlockNest &N, const BlockShape &Shape,
                         bool Stays);

} // namespace accx::smc

#endif // ACCX_SMC_BLOCKNEST_H
