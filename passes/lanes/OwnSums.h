//===- OwnSums.h - Sums that lanes keep to themselves -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A vector loop's reduction that only adds to a reduction of the loop over
//   threads need not end with the vector loop: each lane is a thread that has
//   a variable of its own for the outer reduction, which combines them all.
//
//     for (w...)                     for (w...)
//       for (v...) acc += ...          for (v...) acc += ...
//       acc = sum of all lanes         s += acc
//       lane 0: s += acc
//     s = sum of all threads         s = sum of all threads
//
// LEGALITY
//   - In the loop only such steps touch the variable, and what they read and
//     make goes nowhere else.
//   - After the loop no code reads it before the outer reduction has been done.
//   - The outer reduction's operator is that of the steps: their expressions
//     are the same.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_OWNSUMS_H
#define ACCX_LANES_OWNSUMS_H

#include "lanes/Nest.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"

namespace accx::lanes {

/// Sets IsOwn of \p N's reductions; \p Steps: instructions that each lane is to
/// execute for itself, though what they make differs.
void findOwnSums(Nest &N, const llvm::DominatorTree &DT,
                 llvm::SmallPtrSetImpl<const llvm::Instruction *> &Steps);

} // namespace accx::lanes

#endif // ACCX_LANES_OWNSUMS_H
