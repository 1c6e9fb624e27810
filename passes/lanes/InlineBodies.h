//===- InlineBodies.h - Calls in vector loops -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a vector loop accesses, and whether several of its iterations may load
// before any stores, is seen where its body is, not in functions that it calls.
// LLVM's inliner comes when lanes have their loops; small functions are put in
// place before.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_INLINEBODIES_H
#define ACCX_LANES_INLINEBODIES_H

#include "llvm/IR/PassManager.h"

namespace accx::lanes {

/// Puts functions in place that vector loops of \p F call, once these are
/// marked. What is known of \p F is forgotten.
void inlineBodies(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace accx::lanes

#endif // ACCX_LANES_INLINEBODIES_H
