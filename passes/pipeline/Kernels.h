//===- Kernels.h - Where passes on kernels run ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for -passes=, and the places in Clang's pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PIPELINE_KERNELS_H
#define ACCX_PIPELINE_KERNELS_H

#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"

namespace accx::pipeline {

/// Adds the pass on kernels of this name, if there is one.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// Ahead of all other passes of ours, and behind those at the start.
void addFirst(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);
void addLast(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

/// While markers are there.
void addBeforeStrip(llvm::ModulePassManager &MPM);

/// Where calls of the device runtime are intact.
void addToStart(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

/// Once device code is inlined and simplified.
void addToOptimizer(llvm::ModulePassManager &MPM,
                    llvm::OptimizationLevel Level);

/// Behind all passes.
void addToEnd(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

} // namespace accx::pipeline

#endif // ACCX_PIPELINE_KERNELS_H
