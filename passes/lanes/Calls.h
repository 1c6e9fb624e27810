//===- Calls.h - Functions that lanes call ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code has no inferred attributes yet, so functions are looked into.
//
// A vector loop's body shows what the loop accesses, and whether several of its
// iterations may load before any stores. Functions that it calls do not. LLVM's
// inliner comes when lanes have their loops, so small functions are inlined
// before.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_CALLS_H
#define ACCX_LANES_CALLS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace accx::lanes {

/// Whether one lane alone may make \p Call: it waits for no other thread and
/// asks nothing of the runtime that concerns more than its caller.
bool mayRunAlone(const llvm::CallBase &Call);

/// Whether all lanes that make \p Call get the same result, and no code notices
/// how often it is made. It may read memory.
bool isRepeatable(const llvm::CallBase &Call);

/// Inlines functions that vector loops of \p F call, once these are marked.
/// What is known of \p F is forgotten.
void inlineBodies(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace accx::lanes

#endif // ACCX_LANES_CALLS_H
