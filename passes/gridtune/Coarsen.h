//===- Coarsen.h - Several iterations at a time -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A thread that loads, computes and stores one element at a time has too few
//   bytes under way. In front of a grid-stride loop of one block comes a loop
//   that does several iterations at a time, all their loads first:
//
//     Strided      i, i + size, ... : the iterations that the thread would do
//                  next, in the same order. The loop behind does the rest.
//     Consecutive  4p .. 4p+3 for p = i, i + size, ... : neighbours, so that
//                  accesses join into ones of 16 bytes. Only where all accesses
//                  that move with i are aligned and each thread gets work.
//
//   Where the loop has no more turns than that (GridIv.h), the main loop has
//   one turn, behind which nothing is left.
//
//        before -> enough? -no-------------> rest loop -> exit
//                    |                      ^              ^
//                    yes -> main loop -> any left? -no-----+
//
// LEGALITY
//   Iterations of such a loop run at the same time on other threads, so none
//   may read what another one writes. Iterations that are known to be the same
//   thread's are the exception. Only a body that asks for its thread can rely
//   on that, and GridLoop's mark tells such bodies. Within an iteration loads
//   stay before and after its stores as they were, or the loop is refused.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_COARSEN_H
#define ACCX_GRIDTUNE_COARSEN_H

#include "gridloop/GridIv.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#define ACCX_ROOM gridtune
#define ACCX_REFUSALS "gridtune/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::gridtune {

struct Coarsening {
  unsigned Iterations = 1;
  bool IsConsecutive = false;
};

/// Whether four iterations at a time would not take too many registers: what is
/// loaded takes some until the last of it is there.
bool hasFewLoads(const llvm::BasicBlock &Body);

/// What can be done to \p Grid, without changing anything.
Refusal planCoarsening(const gridloop::GridIv &Grid,
                       llvm::SmallVectorImpl<Coarsening> &Plan);

/// Puts the loop that \p C describes in front of \p Grid's, whose start
/// changes. LoopInfo and the dominator tree are stale afterwards.
void coarsen(const gridloop::GridIv &Grid, const Coarsening &C);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_COARSEN_H
