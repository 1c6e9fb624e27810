//===- NestShape.h - A thread's place in a nest -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which iterations of a nest's outer loop are a thread's, and which thread of
// its group it is; see GridNest.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NESTSHAPE_H
#define ACCX_REDUCE_NESTSHAPE_H

#include "offload/TeamNest.h"
#include "reduce/NestCopies.h"
#include "reduce/NestTogether.h"
#include "reduce/NestWriter.h"

#include "llvm/IR/IRBuilder.h"

namespace accx::reduce {

/// A thread's place, all of type i64 but Rank and Threads' uses in the region.
struct NestShape {
  /// First iteration of the outer loop, and from one to the next.
  llvm::Value *Group = nullptr;
  llvm::Value *Groups = nullptr;
  /// The thread's number in its group, and how many those are.
  llvm::Value *Rank = nullptr;
  llvm::Value *Threads = nullptr;
};

/// Computes the place in front of \p N's outer loop, for groups of a block or
/// of several; \p Copies get groups that are parts of warps, the smaller ones
/// first: they take more iterations.
NestShape readShape(const offload::TeamNest &N, const NestChoices &Choices,
                    const CommonVariables &Common,
                    llvm::SmallVectorImpl<NestCopy> &Copies);

/// All threads of the group meet here, which is at most a block.
void waitForGroup(llvm::IRBuilderBase &B, const NestShape &Shape);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NESTSHAPE_H
