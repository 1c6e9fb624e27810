//===- Pipeline.h - Where regions meet shared memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The family's passes in pipelines of compilers and of opt.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_PIPELINE_H
#define ACCX_SMC_PIPELINE_H

#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"

namespace accx::smc {

/// A pass that opt asks for by name.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// Ahead of the pass that removes markers, at all levels.
void addBeforeStrip(llvm::ModulePassManager &MPM,
                    llvm::OptimizationLevel Level);

/// Behind all that want kernels in Clang's own form.
void addToStart(llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level);

} // namespace accx::smc

#endif // ACCX_SMC_PIPELINE_H
