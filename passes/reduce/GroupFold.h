//===- GroupFold.h - Combines some blocks of a grid -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Writes a function for neighbouring blocks that work on one iteration of a
//   loop over gangs. No block waits. Each leaves a record; the block that comes
//   last combines the records, in their order, and goes on.
//
//     blocks    b   b+1   b+2        thread 0 of each stores its record,
//     records  [b] [b+1] [b+2]       takes a ticket of block b
//                    |
//     the last: thread t takes records t, t + threads, ..., then the block
//     combines its threads (BlockFold.h), and thread 0 sets the ticket to 0
//
// INVARIANTS
//   - All threads of the group's blocks call it, once an iteration, and a block
//     is in one group of a launch only. So records and tickets are used once.
//   - The group's first block has a number that Count divides.
//   - Tickets are zero when a kernel starts, and when it ends
//     (accx/kernel_desc.h).
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_GROUPFOLD_H
#define ACCX_REDUCE_GROUPFOLD_H

#include "reduce/BlockFold.h"
#include "reduce/ReductionPlan.h"

namespace accx::reduce {

/// Whether a record has room for what \p Plan combines.
bool fitsRecord(const ReductionPlan &Plan);

/// i32 (ptr Environment, ptr List, i32 Count): 1 for the thread that has the
/// result of Count blocks in its list's variables. \p Fold: of BlockFold.h.
llvm::Function *writeGroupFold(const ReductionPlan &Plan, llvm::Function &Fold,
                               Slots &Shared);

} // namespace accx::reduce

#endif // ACCX_REDUCE_GROUPFOLD_H
