//===- InlineBodies.h - Calls in vector loops -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector loop's body shows what the loop accesses, and whether several of its
// iterations may load before any stores. Functions that it calls do not. LLVM's
// inliner comes when lanes have their loops, so small functions are inlined
// before.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_INLINEBODIES_H
#define ACCX_LANES_INLINEBODIES_H

#include "llvm/IR/PassManager.h"

namespace accx::lanes {

/// Inlines functions that vector loops of \p F call, once these are marked.
/// What is known of \p F is forgotten.
void inlineBodies(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace accx::lanes

#endif // ACCX_LANES_INLINEBODIES_H
