//===- DependentLaunch.h - Kernels that wait for each other -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A kernel of a queue starts when the one before it has ended and its writes
//   have been made visible: the device does nothing for more than a microsecond
//   in between. Since compute capability 9.0 a kernel may be started as soon as
//   the last block of the one before it has ended, and wait by itself for what
//   that one wrote ("programmatic dependent launch").
//
// ALGORITHM
//   Each kernel gets an instruction that waits, ahead of all that reads or
//   writes memory. A byte of its environment, which Clang leaves as padding,
//   tells the runtime that the kernel may be launched so (accx/kernel_desc.h).
//   It is the environment's, as a linker that finds a kernel in several units,
//   compiled with and without this pass, takes both from the same.
//
//   No kernel tells the device to start the next one early. Blocks of the next
//   one would wait on multiprocessors that kernels of other queues could use,
//   for as long as the last block of the one before takes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_DEPENDENTLAUNCH_H
#define ACCX_OFFLOAD_DEPENDENTLAUNCH_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

/// Behind all other passes: nothing else has to know the instruction.
class DependentLaunchPass : public llvm::PassInfoMixin<DependentLaunchPass> {
public:
  static constexpr char Name[] = "dependent-launch";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_DEPENDENTLAUNCH_H
