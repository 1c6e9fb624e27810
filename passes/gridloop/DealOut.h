//===- DealOut.h - Who runs which iteration of a loop -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives a worksharing loop the form of a grid-stride loop: iterations Position,
// Position + Size, ..., in 64 bits. Any set of threads may share it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_DEALOUT_H
#define ACCX_GRIDLOOP_DEALOUT_H

#include "gpu/ThreadPlace.h"
#include "offload/WorkLoop.h"

namespace accx::gridloop {

/// The number of \p W's last iteration, an i64; W begins at 0.
llvm::Value *lastIteration(llvm::IRBuilderBase &B, const offload::WorkLoop &W);

/// Sets the flag that the runtime would have set: whether this thread runs the
/// last iteration.
void storeLast(llvm::IRBuilderBase &B, const offload::WorkLoop &W,
               const gpu::GridShape &Grid, llvm::Value *Last);

/// Iterations of a thread: Start, Start + Step, ... below Trip, in 64 bits.
struct Dealing {
  llvm::Value *Start = nullptr;
  llvm::Value *Step = nullptr;
  llvm::Value *Trip = nullptr;
  /// What the counter is called.
  const char *Name = "";
  /// The counter does not leave the signed numbers.
  bool HasNSW = false;
};

/// Lets \p W's loop, entered behind \p Behind, count so. \p Own: the
/// program's counter from that one, in its type. \p Options go to the loop's
/// metadata. What is known of W goes stale.
void control(const offload::WorkLoop &W, llvm::Instruction &Behind,
             const Dealing &How,
             llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &,
                                              llvm::Value *Counter)>
                 Own,
             llvm::ArrayRef<llvm::MDNode *> Options);

/// Removes the call of the runtime. \p Marks go to the loop's metadata, beside
/// that of a grid-stride loop. What is known of W goes stale.
void dealOut(const offload::WorkLoop &W, const gpu::GridShape &Grid,
             bool MayInterleave, llvm::ArrayRef<llvm::StringRef> Marks = {});

/// Ends \p Before's block there and goes on at \p To, which has no phis.
void jumpAfter(llvm::Instruction &Before, llvm::BasicBlock *To);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_DEALOUT_H
