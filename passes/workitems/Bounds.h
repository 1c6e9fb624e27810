//===- Bounds.h - What a block's work-items declare together ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The union of ranges whose ends are affine in a work-item's places, with
// constant factors, follows from the work-items at corners of the block. So
// code need not look at all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_BOUNDS_H
#define ACCX_WORKITEMS_BOUNDS_H

#include "workitems/Code.h"
#include "workitems/Plan.h"

#include <optional>

namespace accx::workitems {

/// What each work-item stores to \p S, if it is affine; else null.
llvm::Value *affineIn(const LoopPlan &Plan, Slot S);

/// How many indices of dimension \p D a whole block declares, where that is
/// constant.
std::optional<uint64_t> spanOf(const LoopPlan &Plan, const ArrayPlan &A,
                               unsigned D);
/// The least of them.
llvm::Value *lowestOf(Code &B, const LoopPlan &Plan, const ArrayPlan &A,
                      unsigned D);
/// \p Others, and whether the array has all of them, of all dimensions.
llvm::Value *andHasAll(Code &B, llvm::Value *Others, const LoopPlan &Plan,
                       const ArrayPlan &A);

/// Whether \p V is one more at the next place of \p Dimension.
bool isNextTo(const LoopPlan &Plan, llvm::Value *V, unsigned Dimension);

/// The least (else the greatest) value of the affine \p V in a block with
/// \p Count work-items in each dimension.
llvm::Value *extreme(Code &B, const LoopPlan &Plan, llvm::Value *V,
                     llvm::ArrayRef<llvm::Value *> Count, bool IsLeast);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_BOUNDS_H
