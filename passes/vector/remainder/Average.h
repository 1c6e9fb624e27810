//===- Average.h - Rounded averages on narrow types -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   C computes the average of two bytes, (a + b + 1) >> 1, on integers that can
//   hold the sum. Processors have an instruction for it on bytes and on 16
//   bits, which the code generator finds later; the vectorizer, not knowing,
//   counts vectors of twice the width and takes half as many lanes. The same
//   value without a wider type is
//
//     (a | b) - ((a ^ b) >> 1)
//
//   which is that instruction again in the end.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_AVERAGE_H
#define ACCX_VECTOR_REMAINDER_AVERAGE_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace accx::vector {

/// Rewrites the averages in \p Blocks, which are to become vectors.
void narrowAverages(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_AVERAGE_H
