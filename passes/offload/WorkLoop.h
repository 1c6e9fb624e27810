//===- WorkLoop.h - A loop dealt out to teams or threads --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worksharing loop as Clang writes it, before optimization: a call that
// stores bounds and stride into local variables, and the loop over them.
//
//        init(&last, &lower, &upper, &stride)
//          |
//      +-> chunk loop, where a thread has several: upper = min(upper, end)
//      |   |
//      |   +-> header: counter <= upper? --no--+
//      |   |     body                          |
//      |   +--- counter += increment           |
//      +--- lower += stride, upper += stride <-+
//          |
//        exit
//
// A distribute loop over thread-sized chunks is both at once: its header tests
// against the end, its body holds the parallel region of one chunk.
//
// Invariant: the local variables are touched by nothing but this pattern, so
// code between init and header, and between body and exit, may be skipped once
// the loop is controlled otherwise. Everything else is refused.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_WORKLOOP_H
#define ACCX_OFFLOAD_WORKLOOP_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

#define ACCX_ROOM offload
#define ACCX_REFUSALS "offload/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::offload {

struct WorkLoop {
  llvm::CallInst *Init = nullptr;
  bool IsDistribute = false;
  bool Is64 = false;
  bool IsUnsigned = false;
  /// One of schedule::, or 0 where it is no constant.
  int64_t Schedule = 0;
  /// Chunks have the size of a block of threads.
  bool ChunkIsBlock = false;
  /// The size of a constant chunk, else 0.
  int64_t Chunk = 0;

  llvm::AllocaInst *Last = nullptr;
  llvm::AllocaInst *Lower = nullptr;
  llvm::AllocaInst *Upper = nullptr;
  llvm::AllocaInst *Stride = nullptr;
  llvm::AllocaInst *Counter = nullptr;
  /// What Lower and Upper hold when Init is called.
  llvm::Value *First = nullptr;
  llvm::Value *End = nullptr;

  llvm::BasicBlock *Header = nullptr;
  llvm::BasicBlock *Latch = nullptr;
  /// The header's successor inside the loop.
  llvm::BasicBlock *Body = nullptr;
  /// Where a thread goes when it has no more iterations.
  llvm::BasicBlock *Exit = nullptr;
  /// The loop of Header.
  const llvm::Loop *Nest = nullptr;
  /// It matches, but stands in a sequential loop.
  bool IsRepeated = false;

  /// Whether code reads the flag of the last iteration.
  bool readsLast() const;
  /// Iterations go to threads (or teams) one by one, as a grid-stride loop
  /// deals them out, too.
  bool isCyclic() const;

  void print(llvm::raw_ostream &OS) const;

  /// Matches the loop of \p Init, a call of a static init function. A loop
  /// that matches, but for a sequential one around it, is unknown, too, and has
  /// IsRepeated.
  static Refusal match(llvm::CallInst &Init, const llvm::LoopInfo &Loops,
                       WorkLoop &Result);

  /// Whether all paths from \p From reach Header or Exit through nothing but
  /// this loop's control, and no other code uses values of what they pass.
  bool onlyControl(llvm::BasicBlock::iterator From) const;
};

/// The local variable whose value the branch at the end of \p Block compares
/// with another one; null if there is none.
llvm::AllocaInst *testedVariable(const llvm::BasicBlock &Block);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_WORKLOOP_H
