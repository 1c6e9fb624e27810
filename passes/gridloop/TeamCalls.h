//===- TeamCalls.h - What the runtime would say in a region -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads of a block are those of a parallel region, and the region
// is called without the runtime, code says at once what its calls of the
// runtime do or answer: numbers, barriers, single, master. Functions that it
// calls may be called by other kernels, too, and so get copies.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_TEAMCALLS_H
#define ACCX_GRIDLOOP_TEAMCALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace accx::gridloop {

class TeamCalls {
  /// Copies of functions; null where a function needs none.
  llvm::DenseMap<llvm::Function *, llvm::Function *> Copies;

  llvm::Function *copyOf(llvm::Function &F);

public:
  /// Answers the calls of \p Region, which is answerable
  /// (offload/DeviceCalls.h), or a copy of what it calls. \p Threads: how many
  /// run it, an i32 that is there all over it; null: those of the block.
  void answerIn(llvm::Function &Region, llvm::Value *Threads = nullptr);
  /// Answers those of \p Team, the code around regions.
  static void answerAround(llvm::Function &Team);
};

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_TEAMCALLS_H
