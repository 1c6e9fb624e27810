//===- BlockFold.h - Combines the threads of a block ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Writes a function that combines the variables of the first Count threads of
//   a block. All threads of the block call it. Thread 0 gets the result in its
//   own variables; those of the others are spent.
//
// ALGORITHM
//
//     warp 0   t0 t1 ... t31      warp 1   t32 ... t63     ...
//              each warp by shuffles from 16, 8, 4, 2, 1 lanes on
//     slots    [warp 0] [warp 1] ...                  shared memory
//              thread w takes slot w; the first warp by shuffles again
//
//   1. Variables travel in pieces (Pieces.h). What a lane received stands
//      behind a list of its own, and the reduction's own function combines the
//      two lists. So no operator and no neutral element need be known. A lane
//      whose partner is missing skips the step, so any number of threads is
//      right. Lanes keep their order.
//   2. A slot has room for a few words of a warp, whatever their types. What
//      does not fit goes in rounds.
//   3. A barrier before each round keeps it from slots still being read.
//
//   Where shared memory is nearly full a slot is one word.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_BLOCKFOLD_H
#define ACCX_REDUCE_BLOCKFOLD_H

#include "ir/CodeWriter.h"
#include "reduce/Pieces.h"
#include "reduce/ReductionPlan.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace accx::reduce {

/// Bytes of shared memory that a kernel of \p M may have besides what there is
/// now, and what the slots and the device runtime take.
uint64_t sharedBytesLeft(const llvm::Module &M);
/// A variable of type \p T in shared memory.
llvm::GlobalVariable *createShared(llvm::Module &M, llvm::Type *T,
                                   const char *Name);

/// The shared memory of all reductions of a module.
class Slots {
  llvm::Module &M;
  llvm::GlobalVariable *Words = nullptr;
  llvm::GlobalVariable *Ticket = nullptr;
  uint64_t BytesPerWarp;

public:
  explicit Slots(llvm::Module &M);

  uint64_t bytesPerWarp() const { return BytesPerWarp; }
  /// Shared memory with at least \p Used bytes for each warp, at most as many
  /// as there are.
  llvm::GlobalVariable *words(uint64_t Used);
  /// A number in shared memory, one for the block.
  llvm::GlobalVariable *ticket();
};

/// void (ptr List, i32 Thread, i32 Count)
llvm::Function *writeBlockFold(const ReductionPlan &Plan, Slots &Shared);

} // namespace accx::reduce

#endif // ACCX_REDUCE_BLOCKFOLD_H
