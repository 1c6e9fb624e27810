//===- AddressSharing.h - Addresses from neighbours' ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop over cells, `a[(z * n + y) * n + x]` and its neighbours differ by
// what does not change in the loop: n, n * n, 1. LLVM leaves the products as
// the program wrote them, one chain a neighbour; such loops are then bound by
// instructions, most of all with 64-bit counters.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_ADDRESSSHARING_H
#define ACCX_GRIDTUNE_ADDRESSSHARING_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace accx::gridtune {

/// Computes addresses of accesses in \p L, outside of loops in it, from others
/// where the difference is invariant. \p L has a preheader. The number of
/// addresses that were replaced.
unsigned shareAddresses(llvm::Loop &L, llvm::DominatorTree &DT);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_ADDRESSSHARING_H
