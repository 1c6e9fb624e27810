//===- LoopParts.h - How distributed loops can be split ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the runtime what kernels do to their arguments, and how those can be
// split whose outermost loop the program distributes over devices: the table of
// accx/kernel_parts.h. docs/internals/distribute.md.
//
//===----------------------------------------------------------------------===//
//
// The marker in the loop's body names the first and the last iteration. It goes
// at the start, and leaves the numbers of the kernel's arguments that they are
// with the kernel; so it hinders no other pass. Once code is simplified the
// kernel's accesses to memory are looked at.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_LOOPPARTS_H
#define ACCX_DISTRIBUTE_LOOPPARTS_H

#include "llvm/IR/PassManager.h"

namespace accx::distribute {

/// Reads the markers of distributed loops. Ahead of markers::StripPass.
class ReadPartsPass : public llvm::PassInfoMixin<ReadPartsPass> {
public:
  static constexpr char Name[] = "accx-read-parts";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Writes the tables, and gives these kernels' atomics the scope of all
/// devices.
class LoopPartsPass : public llvm::PassInfoMixin<LoopPartsPass> {
public:
  static constexpr char Name[] = "accx-loop-parts";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Whether the program distributes \p Kernel's loop over devices.
bool isSplit(const llvm::Function &Kernel);

} // namespace accx::distribute

#endif // ACCX_DISTRIBUTE_LOOPPARTS_H
