//===- Flatten.h - Bodies with conditions as one block ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Only a body of one block can do several iterations at a time. A body with
//   conditions around loads and stores becomes one block while grid-tune works:
//
//     if (y > 0) n = t[i - w];             n = *(y > 0 ? t + (i - w) : null)
//     else       n = c;                    n = y > 0 ? n : c
//
//   It gets its conditions back when all else is done. In between, such a load
//   stands for one that is done only where its address is not null. No other
//   pass sees it. Then the loads of all iterations are under way at the same
//   time:
//
//     if (y0 > 0) n0 = ...
//     if (y1 > 0) n1 = ...
//     what is computed of n0, n1
//
// REFUSALS, which the remark on iterations at a time names
//   Loops inside; branches that are none, or that leave the loop; what is not
//   cheap, or noticed, under a condition; loads behind stores; large bodies.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_FLATTEN_H
#define ACCX_GRIDTUNE_FLATTEN_H

#include "gridtune/Coarsen.h"

#include "llvm/IR/Dominators.h"

namespace accx::gridtune {

/// The use that holds the address of access \p I, under a condition or not;
/// null if \p I is no plain access.
llvm::Use *addressOf(llvm::Instruction &I);

/// The condition under which \p I, an access, is done; null: always.
llvm::Value *guardOf(const llvm::Instruction &I);

/// Makes one block of \p Grid's loop, unless it is refused. LoopInfo and the
/// dominator tree are stale afterwards.
Refusal flattenBody(const gridloop::GridIv &Grid, const llvm::DominatorTree &DT,
                    const llvm::LoopInfo &Loops);

/// Gives all accesses of \p F their conditions back. The same analyses are
/// stale afterwards.
void restoreGuards(llvm::Function &F);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_FLATTEN_H
