//===- Prepare.h - Kernels with regions, as values --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings a kernel that has regions into the form that planning reads: one
// function, its variables values, its loops as they were written.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_PREPARE_H
#define ACCX_SMC_PREPARE_H

#include "llvm/IR/PassManager.h"

namespace accx::smc {

/// Makes functions that have notes part of their callers, until the notes
/// stand in kernels or cannot be moved. Whether anything changed.
bool inlineNotes(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Makes calls of \p Kernel's body part of it, and its variables values.
void makeValues(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

} // namespace accx::smc

#endif // ACCX_SMC_PREPARE_H
