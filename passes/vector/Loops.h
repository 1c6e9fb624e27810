//===- Loops.h - Loops in the form that passes need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How passes on loops go through a function, and the form that they give a loop
// before they look at it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_H
#define ACCX_VECTOR_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace accx::vector {

/// Hands the loops of \p F to \p Take, outer ones first. A loop that \p Take
/// returns true for has changed the function: analyses are asked anew, and the
/// loops come again from the first on. Returns whether there was any.
bool takeLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               llvm::function_ref<bool(llvm::Loop &)> Take);

/// Gives \p L and the loops inside preheaders, one latch each and exits of
/// their own, and closes them over their values. Returns whether that changed
/// anything.
bool bringIntoForm(llvm::Loop &L, llvm::Function &F,
                   llvm::FunctionAnalysisManager &FAM);

/// Whether \p L is in that form and ends at its last branch only.
bool endsAtLatch(const llvm::Loop &L);

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_H
