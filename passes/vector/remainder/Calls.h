//===- Calls.h - Vector variants of library calls ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The vectorizer learns from attributes of a call which vector function does
//   it. LLVM attaches them right before its own vectorizer, too late for
//   simd-remainder, and knows of libmvec only what AVX2 can use. Both are made
//   up for here; without -fveclib=libmvec there is nothing to attach.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_CALLS_H
#define ACCX_VECTOR_REMAINDER_CALLS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace accx::vector {

/// Attaches what the function's vector library has, with AVX-512 its variants
/// of 512 bits as well.
void attachVectorVariants(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

/// Whether the back end would make one library call for each lane of \p I,
/// active or not.
bool isCallPerLane(const llvm::Instruction &I);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_CALLS_H
