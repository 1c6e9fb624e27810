//===- NestTogether.h - Groups that run a gang's code together --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what offload/TeamRegions.cpp decides: variables that a group's threads
// share, places where they meet, and what the first thread does alone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NESTTOGETHER_H
#define ACCX_REDUCE_NESTTOGETHER_H

#include "offload/TeamNest.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace accx::reduce {

/// The place of the variables that a group's threads share.
struct CommonVariables {
  /// The variables of a block's first group; null if there are none.
  llvm::Instruction *At = nullptr;
  /// Bytes of one group.
  uint64_t Bytes = 0;
};

/// Puts \p N's shared variables into memory of the block, for up to \p Groups
/// groups.
CommonVariables shareVariables(const offload::TeamNest &N, uint64_t Groups);

/// \p Rank: of a thread in its group, in the loop over gangs. \p Wait: writes a
/// meeting there, before the builder's place.
void runTogether(const offload::TeamNest &N, llvm::Value &Rank,
                 llvm::function_ref<void(llvm::IRBuilderBase &B)> Wait);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NESTTOGETHER_H
