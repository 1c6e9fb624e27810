//===- Annotations.h - What NVPTX is told of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of a kernel's blocks stand in the module's nvvm.annotations. The back
// end remembers those of each function that it was asked about, by address, and
// LLVM's pipeline for NVPTX asks before any pass of ours runs. So a kernel
// whose bounds change gives way to a function that the back end has not been
// asked about. A new function will not do, since it may get the address of one
// that is gone. Some spare functions for each kernel are declared before any
// function goes. The replaced one is kept: what got its address would be a
// kernel to the back end.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_ANNOTATIONS_H
#define ACCX_OFFLOAD_ANNOTATIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace accx::offload {

/// The number that annotation \p Name gives \p Kernel; 0 if there is none.
uint64_t annotated(const llvm::Function &Kernel, llvm::StringRef Name);

/// Sets it. Has no effect on the back end before renew().
void annotate(llvm::Function &Kernel, llvm::StringRef Name, uint32_t Number);
void dropAnnotation(llvm::Function &Kernel, llvm::StringRef Name);

/// A function that stands for \p Kernel in everything: a spare one, or where
/// there is none, as in `opt`, a new one. \p Kernel is retired.
llvm::Function &renew(llvm::Function &Kernel);

/// Takes \p Kernel, which nothing uses, out of its module. It is not freed, so
/// that no function gets its address.
void retire(llvm::Function &Kernel);

/// A copy of \p Kernel named like it, with \p Suffix: a kernel without bounds,
/// of which the back end has not been asked. One for each kernel; in `opt` any
/// number.
llvm::Function &copyKernel(llvm::Function &Kernel, const llvm::Twine &Suffix);

/// Declares spare functions. The first of our passes.
class SpareKernelsPass : public llvm::PassInfoMixin<SpareKernelsPass> {
public:
  static constexpr char Name[] = "accx-spare-kernels";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Removes what renew() has not taken. What copyKernel() may take leaves the
/// module, where other passes would delete it.
class DropSparesPass : public llvm::PassInfoMixin<DropSparesPass> {
public:
  static constexpr char Name[] = "accx-drop-spares";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_ANNOTATIONS_H
