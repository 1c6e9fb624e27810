//===- TargetTasks.h - Target tasks that a function makes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `nowait` construct with dependences as Clang makes it: a record from
// libomp, stores into it, and a call that hands it over.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_TARGETTASKS_H
#define ACCX_HOST_TARGETTASKS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace accx::host {

/// Those of one function whose region is launched whatever happens.
class TargetTasks {
  /// The call that hands it over, and the one that gave the record.
  llvm::MapVector<llvm::CallInst *, llvm::CallInst *> RecordOf;

public:
  explicit TargetTasks(llvm::Function &F);
  bool empty() const { return RecordOf.empty(); }
  /// The launch of the task that \p HandedOver makes.
  const llvm::CallInst &launchOf(const llvm::CallInst &HandedOver) const;
  bool isHandedOver(const llvm::Instruction &I) const;
  /// Whether \p I does nothing but to make a task: makes its record, or
  /// accesses it.
  bool isMaking(const llvm::Instruction &I) const;
  /// The runtime decides whether the task is libomp's.
  void makeDirect(llvm::CallInst &HandedOver);
};

/// Whether \p M has functions that make target tasks.
bool hasTargetTasks(const llvm::Module &M);

/// Whether \p M has some that the runtime may run in place.
bool hasDirectTasks(const llvm::Module &M);

/// Whether \p F is what a target task runs.
bool isTaskRoutine(const llvm::Function &F);

/// Tells the runtime of each `taskwait` of a unit that makes target tasks.
class TaskWaits {
  llvm::SmallVector<llvm::CallInst *, 8> Calls;

public:
  explicit TaskWaits(llvm::Module &M);
  /// None of the tasks is direct.
  void takeBack();
};

} // namespace accx::host

#endif // ACCX_HOST_TARGETTASKS_H
