//===- GridFold.h - Combines the blocks of a grid ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Writes a function that combines what thread 0 of each block holds. All
//   threads of all blocks call it, once in a kernel. It returns 1 to the one
//   thread that has the result in its variables, which is thread 0 of the block
//   that came last. All others get 0.
//
// ALGORITHM
//
//     block 0   block 1   ...   block b
//        |         |               |        thread 0 stores its record,
//     record 0  record 1  ...   record b    takes a ticket
//                          |
//        the block with the last ticket: thread t takes records t, t + threads,
//        ..., then the block combines its threads (BlockFold.h)
//
//   Buffer and counters belong to the launch and start at zero. There are
//   Records records. A grid with more blocks goes through them in windows:
//   block b waits until all blocks below b - Records + 1, rounded up to a
//   window, are done, and combines into record b mod Records. Which record
//   combines what, and in which order, depends on nothing but the grid, so
//   results are the same to the bit from run to run.
//
// INVARIANTS
//   - Counter 0 holds the blocks that are done; only blocks of windows up to
//     the current one can be among them. Counter 1 holds the first block of the
//     current window.
//   - A block leaves its record with a fence before its ticket; the last block
//     fences after its own.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_GRIDFOLD_H
#define ACCX_REDUCE_GRIDFOLD_H

#include "gpu/ThreadPlace.h"
#include "reduce/BlockFold.h"
#include "reduce/ReductionPlan.h"

namespace accx::reduce {

/// A list of variables of the function's own, as \p Plan combines. Appends
/// them to \p Variables.
llvm::AllocaInst *makeList(ir::CodeWriter &B, const ReductionPlan &Plan,
                           const char *Name,
                           llvm::SmallVectorImpl<llvm::Value *> &Variables);

/// Writes \p Leave for the first thread of each of \p Count blocks: it leaves a
/// record and puts the block's ticket into \p Ticket. The function goes on in
/// the block that took the last ticket, and returns 0 in the others.
void goOnInLastBlock(ir::CodeWriter &B, llvm::GlobalVariable &Ticket,
                     const gpu::ThreadPlace &At, llvm::Value *Count,
                     llvm::function_ref<void()> Leave);

/// Copies between the variables of \p List and the record at \p Record.
void copyRecord(ir::CodeWriter &B, const ReductionPlan &Plan, llvm::Value *List,
                llvm::Value *Record, bool IntoRecord);

/// How a thread's list takes the record \p Index, or combines with it.
using RecordUse =
    llvm::function_ref<void(llvm::Value *List, llvm::Value *Index)>;

/// What the last block does: its threads combine \p Used records, then each
/// other's. Thread 0 has the result in \p List, whose variables others may see,
/// resets the counters by \p Reset and returns 1; others return 0.
void combineRecords(ir::CodeWriter &B, const ReductionPlan &Plan,
                    llvm::Function &Fold, const gpu::ThreadPlace &At,
                    llvm::Value *List, llvm::Value *Used, RecordUse Load,
                    RecordUse Combine, unsigned Unroll,
                    llvm::function_ref<void()> Reset);

/// What a kernel's first argument points to.
struct LaunchEnvironment {
  uint32_t Done;
  uint32_t Window;
  uint64_t Buffer;
};
/// The launch's buffer.
llvm::Value *loadBuffer(ir::CodeWriter &B, llvm::Value *Environment);

/// i32 (ptr Environment, ptr List). \p Fold: of BlockFold.h. \p Records: a
/// power of two.
llvm::Function *writeGridFold(const ReductionPlan &Plan, llvm::Function &Fold,
                              Slots &Shared, uint32_t Records);

} // namespace accx::reduce

#endif // ACCX_REDUCE_GRIDFOLD_H
