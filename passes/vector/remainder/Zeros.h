//===- Zeros.h - Inactive lanes that add nothing ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   In a masked part the vectorizer lets inactive lanes of a reduction keep
//   what they had:
//
//     new = old + a * b
//     old = select(mask, new, old)
//
//   Where a and b are loaded under the mask, inactive lanes can be zero at no
//   cost, and adding zero leaves them as they were, too. The selection goes,
//   and with it a copy, and sums can be kept in place.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_ZEROS_H
#define ACCX_VECTOR_REMAINDER_ZEROS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace accx::vector {

/// Masks of a part's first lanes: how often each lane is repeated.
using PrefixMasks = llvm::DenseMap<const llvm::Value *, unsigned>;

void addZeros(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
              const PrefixMasks &Masks);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_ZEROS_H
