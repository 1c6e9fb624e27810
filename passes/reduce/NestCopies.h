//===- NestCopies.h - Loops over gangs for parts of warps -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest's groups are known before its outer loop. Each kind of group has a
// loop of its own, and a copy of the region. So what only one kind needs takes
// no registers of the others.
//
//     before -> so many that parts of warps do? -yes-> loop of those -+-> after
//                  |                                                  |
//                  no -> ... -> loop of blocks, or of several --------+
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NESTCOPIES_H
#define ACCX_REDUCE_NESTCOPIES_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace accx::reduce {

/// A group of few threads.
struct NestCopy {
  /// i1: it is to do the work; \p Threads of a warp each.
  llvm::Value *When = nullptr;
  unsigned Threads = 0;
  /// What stands for the values of the loop that is copied.
  llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>, 4> Instead;
};

/// Puts a copy of the loop at \p Header, of code as Clang wrote it, beside it.
/// The copy calls copies of \p Regions, whose loops over workers are those that
/// are marked as a nest's. Returns the copies of the regions; none where the
/// loop has another form.
llvm::SmallVector<llvm::Function *, 2>
copyNest(llvm::BasicBlock &Header, llvm::ArrayRef<llvm::Function *> Regions,
         const NestCopy &Copy);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NESTCOPIES_H
