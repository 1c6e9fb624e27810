//===- StreamLoop.h - A loop whose stores bypass the cache ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the second version of a loop that StreamStores.h draws.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_STREAMLOOP_H
#define ACCX_PROCESSOR_STREAMLOOP_H

#include "processor/LoopStreams.h"

#include "llvm/Analysis/TargetTransformInfo.h"

namespace accx::processor {

/// How vectors of one size are rotated in their register.
struct Rotation {
  /// Bytes that are moved as a whole; a vector's if it cannot be rotated.
  unsigned Granule = 0;
  llvm::Intrinsic::ID Permute = llvm::Intrinsic::not_intrinsic;

  /// For vectors of \p Bytes in \p F; nothing if it has no registers for them.
  static std::optional<Rotation> of(const llvm::Function &F,
                                    const llvm::TargetTransformInfo &TTI,
                                    unsigned Bytes);
};

/// Writes a version of \p L for two rounds at least. \p Entry, a block that
/// ends with a branch to where \p L is entered, goes to it if \p Condition
/// holds. \p Outputs are all streams whose rotations are given. LCSSA.
void writeStreamLoop(
    llvm::Loop &L, llvm::BasicBlock *Entry, llvm::Value *Condition,
    llvm::ArrayRef<std::pair<const Stream *, Rotation>> Outputs);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_STREAMLOOP_H
