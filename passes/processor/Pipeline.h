//===- Pipeline.h - Where kernels of processors get lean --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and places of the passes of this family: what is needed, first of all;
// the rest at -O1 and above, last of all, in device code for processors.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_PIPELINE_H
#define ACCX_PROCESSOR_PIPELINE_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace accx::processor {

/// Where markers are, at every level.
void addBeforeStrip(llvm::ModulePassManager &MPM);

/// A pass of -passes=; false if \p Name is none of this family.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// In front of everything.
void addFirst(llvm::ModulePassManager &MPM);

/// In front of LLVM's own passes, at -O0, too.
void addToStart(llvm::ModulePassManager &MPM);

/// Behind what is done in front of LLVM's own passes: code that all of accx's
/// other passes have seen as it was.
void addChecks(llvm::ModulePassManager &MPM);

/// Behind LLVM's own passes.
void addToEnd(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_PIPELINE_H
