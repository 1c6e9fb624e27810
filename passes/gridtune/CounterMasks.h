//===- CounterMasks.h - Counters of 32 bits that fit ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unsigned counters of collapsed loops are computed in 64 bits, cut off and
// extended again where they are indices:
//
//   a[z + 1][x]      and(z + 1, 2^32 - 1) * n + and(x, 2^32 - 1)
//
// The mask of one neighbour is not the mask of another, so no address can be
// computed from another. Counted indices have a limit. Where the loop's own
// condition says so, that limit is below 2^32 by more than the distance.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_COUNTERMASKS_H
#define ACCX_GRIDTUNE_COUNTERMASKS_H

#include "gridtune/IndexRecovery.h"

namespace accx::gridtune {

/// Drops masks of \p Indices plus constants that clear nothing. Returns how
/// many.
unsigned dropCounterMasks(const gridloop::GridIv &Grid,
                          llvm::ScalarEvolution &SE,
                          llvm::ArrayRef<CountedIndex> Indices);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_COUNTERMASKS_H
