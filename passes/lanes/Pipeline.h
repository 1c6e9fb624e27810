//===- Pipeline.h - Where vector loops meet lanes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for -passes=, and the places in Clang's pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_PIPELINE_H
#define ACCX_LANES_PIPELINE_H

#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"

namespace accx::lanes {

/// Adds the pass of this name, if there is one.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// Before markers are removed.
void addBeforeStrip(llvm::ModulePassManager &MPM,
                    llvm::OptimizationLevel Level);

/// After grid-loop.
void addToStart(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

} // namespace accx::lanes

#endif // ACCX_LANES_PIPELINE_H
