//===- Wide.h - Lanes of whole blocks, or of several ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Where a nest's workers are few, a warp each would leave most of the grid
//   idle. Such a loop has a second version, for groups of more lanes:
//
//     before -> few workers? -no-> groups of a warp -+-> after
//                  |                                 |
//                  yes: groups of a block, or of     |
//                  several blocks -------------------+
//
// ALGORITHM
//   Values are the same in all lanes of a block, so all that Plan.h says of
//   groups holds, with barriers of the block. Only what lane 0 would have to
//   hand out is refused. The results of a vector loop's reductions go through
//   shared memory to all lanes of a block.
//
//   Where vector loops are short there is a third version, for groups of 8
//   lanes.
//
//   Several blocks leave the results in records. The block that comes last goes
//   on with the worker's code. The others leave the loop, since they have no
//   further iteration of it. No block waits. Where lanes keep their sums
//   (OwnSums.h) blocks need not meet.
//
// INVARIANTS
//   - Groups of several blocks have one vector loop an iteration, with a
//     reduction and without stores, and nothing before it that can be noticed;
//     nor after it, where they do not meet.
//   - There are at least as many of them as workers.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_WIDE_H
#define ACCX_LANES_WIDE_H

#include "lanes/Plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace accx::lanes {

/// Whether \p P, of groups of warps, also runs in groups of blocks; sets
/// MayJoin.
bool mayBeWide(Plan &P);

/// Puts a copy of the loop of \p P beside it, for groups of \p Width lanes.
/// Returns its header. What is known of the function goes stale.
llvm::BasicBlock *addWideLoop(const Plan &P, llvm::Value *&Width);

/// The same for short vector loops, of which a warp has several at a time; null
/// where it is not known before the loop how long they are.
llvm::BasicBlock *addShortLoop(const Plan &P);
/// Lanes of those.
unsigned shortLanes();

/// Makes the version that begins at \p Header unreachable.
void dropVersion(llvm::BasicBlock &Header);

/// The place of a thread in a group of P.Wide lanes, computed before the loop.
LanePlace readWide(const Plan &P);

struct WideOperators {
  /// Combines over a warp the value of reduction I.
  llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned I,
                                   llvm::Value *)>
      OverLanes;
  llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned I,
                                   llvm::Value *, llvm::Value *)>
      OfTwo;
};

/// Turns \p Values of each warp into those of the group, behind the loop.
void reduceWide(llvm::ArrayRef<VectorReduction> Reductions,
                const LanePlace &Place,
                llvm::SmallVectorImpl<llvm::Value *> &Values,
                const WideOperators &Operators);

} // namespace accx::lanes

#endif // ACCX_LANES_WIDE_H
