//===- Workers.h - Loops over threads, dealt out to groups ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads in the form of grid-stride loops: for each thread its
// number, its number + threads, ..., counted in 64 bits. Where the threads of a
// block are taken in groups of lanes, the group's number and the count of
// groups take the threads' place.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_WORKERS_H
#define ACCX_LANES_WORKERS_H

#include "gridloop/GridIv.h"
#include "offload/WorkLoop.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace accx::lanes {

/// Gives a worksharing loop whose schedule is cyclic that form.
void dealOutCyclically(const offload::WorkLoop &W);

/// A loop in that form, once variables are values.
struct WorkerLoop {
  llvm::Loop *L = nullptr;
  llvm::PHINode *Counter = nullptr;
  llvm::BinaryOperator *Next = nullptr;
  llvm::Value *Start = nullptr;
  llvm::Value *Step = nullptr;
  /// All threads of the grid share its iterations, not those of a team.
  bool IsGrid = false;
  /// The threads that share it are this many neighbours of a warp; 0: they are
  /// others.
  unsigned Group = 0;

  /// \p L in that form. Its one exit is at the header, and nothing but the
  /// counter depends on the thread.
  static std::optional<WorkerLoop> find(llvm::Loop &L);
};

/// A thread's place in a group of a whole block, or of several.
struct WidePlace {
  /// i32: lanes of a group.
  llvm::Value *Width = nullptr;
  /// i32: the thread in its block, and how many those are.
  llvm::Value *Thread = nullptr;
  llvm::Value *Threads = nullptr;
  /// i64: blocks of the group.
  llvm::Value *Blocks = nullptr;
  /// i32 that is not 0 for the thread that stands for the group; which one that
  /// is may change where blocks meet.
  llvm::AllocaInst *First = nullptr;
  /// The launch's environment; null where one block is a group.
  llvm::Value *Environment = nullptr;
  /// Where blocks go whose work another block goes on with.
  llvm::BasicBlock *Left = nullptr;
};

/// A thread's place in its group, all computed before a worker loop.
struct LanePlace {
  unsigned Lanes = 32;
  /// i1: whether the team has that many threads.
  llvm::Value *Enough = nullptr;
  /// i32: a bit for each lane of the group.
  llvm::Value *Members = nullptr;
  /// i32: the number in the group.
  llvm::Value *Lane = nullptr;
  /// i1: it is the one that stands for the group.
  llvm::Value *IsFirst = nullptr;
  /// i64: the group's first iteration, and from one to the next.
  llvm::Value *Start = nullptr;
  llvm::Value *Step = nullptr;
  std::optional<WidePlace> Wide;

  /// Whether the thread stands for the group, at \p B.
  llvm::Value *isFirst(llvm::IRBuilderBase &B) const;
  /// Makes all lanes of the group meet. The group is within a block.
  void wait(llvm::IRBuilderBase &B) const;

  static LanePlace read(llvm::IRBuilderBase &B, const WorkerLoop &W,
                        unsigned Lanes);
};

} // namespace accx::lanes

#endif // ACCX_LANES_WORKERS_H
