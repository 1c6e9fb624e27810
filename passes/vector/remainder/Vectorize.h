//===- Vectorize.h - LoopVectorize on one loop ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Runs LLVM's loop vectorizer on one loop, there and then, and says what it
//   did. simd-remainder asks it twice: what it would make of the loop as it is
//   (a trial on a copy), and to widen each part of the split loop as told by
//   the part's metadata. What the vectorizer has to say about trials must not
//   reach the user, so its diagnostics are kept here.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_VECTORIZE_H
#define ACCX_VECTOR_REMAINDER_VECTORIZE_H

#include "llvm/IR/PassManager.h"

#include <string>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace accx::vector {

struct VectorizerVerdict {
  bool Vectorized = false;
  unsigned Lanes = 0;
  unsigned Interleave = 0;
  /// Why not, in the vectorizer's words.
  std::string Reason;
};

/// Widens the innermost loop with this header as its metadata and the cost
/// model say. A part, other than a loop on trial, may access strided groups
/// under a mask. \p FAM must describe \p F as it is; afterwards nothing of it
/// holds if the verdict is positive.
VectorizerVerdict vectorizeLoop(llvm::BasicBlock *Header, llvm::Function &F,
                                llvm::FunctionAnalysisManager &FAM,
                                bool IsPart);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_VECTORIZE_H
