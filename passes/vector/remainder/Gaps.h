//===- Gaps.h - Loads of strided groups with gaps ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of strided groups become one load a register, with cheap masks.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   Where a loop uses every second element, say, the vectorizer loads all of
//   them as one vector of several registers, and masks those that are not
//   used: the last of them may lie behind the array. The code generator takes
//   such a mask apart by shifts of mask registers, which loads then wait for.
//
//   What lies between two elements that are loaded can be loaded, too: only the
//   last register of an unmasked part needs a mask, and none where another
//   iteration follows. In the masked part that of each register is made from
//   the integer from which the whole one was.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_GAPS_H
#define ACCX_VECTOR_REMAINDER_GAPS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

/// Splits the loads with gaps in \p Blocks; needs registers for masks. Whether
/// these are \p Followed by another iteration, whose elements lie behind.
void splitGaps(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
               const llvm::TargetTransformInfo &TTI, bool Followed);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_GAPS_H
