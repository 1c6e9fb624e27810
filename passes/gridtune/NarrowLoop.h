//===- NarrowLoop.h - Grid-stride loops of few iterations -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Where counters have 64 bits, so have the digits that are counted of them,
//   and the conditions on these. GPUs compute in 32 bits. Trip counts of 2^31
//   or more are rare, but only the running program knows its own:
//
//     before -> fewer than 2^31? -yes-> loop, marked as one of 31 bits -> exit
//                        |                                              ^
//                        no ----------> loop, as it was ----------------+
//
//   In the first of them all numbers of iterations, their quotients and their
//   remainders are below 2^31, whatever they are divided by.
//
// REFUSALS
//   Loops that divide nothing by what may need more bits, that hold other
//   loops, or that threads run together.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_NARROWLOOP_H
#define ACCX_GRIDTUNE_NARROWLOOP_H

#include "gridloop/GridIv.h"

#include "llvm/Analysis/ScalarEvolution.h"

namespace accx::gridtune {

/// Numbers of iterations of narrow loops have fewer bits than an int.
inline constexpr unsigned NarrowBits = 31;

inline bool isNarrow(const gridloop::GridIv &Grid) {
  return Grid.Bits <= NarrowBits;
}

/// Whether \p Grid's loop is worth one of few iterations.
bool isWorthNarrowing(const gridloop::GridIv &Grid);

/// Whether \p Grid's loop may be copied, with loops inside of it if \p AsNest.
bool mayBeCopied(const gridloop::GridIv &Grid, bool AsNest = false);

/// Whether \p Grid's bound itself says that it is narrow.
bool isKnownNarrow(const gridloop::GridIv &Grid, llvm::ScalarEvolution &SE);

/// The header of a loop for fewer than 2^31 iterations if \p IsNarrow, and for
/// where \p Condition holds unless that is null. It is \p Grid's own header if
/// both always hold, else the header of a copy in front. LoopInfo and the
/// dominator tree are stale afterwards.
llvm::BasicBlock *makeLoopWhere(const gridloop::GridIv &Grid, bool IsNarrow,
                                llvm::Value *Condition,
                                llvm::ScalarEvolution &SE,
                                llvm::LoopInfo &Loops, llvm::DominatorTree &DT);

/// Makes comparisons of a narrow loop's numbers and digits ones of 32 bits.
/// Returns how many.
unsigned narrowComparisons(const gridloop::GridIv &Grid);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_NARROWLOOP_H
