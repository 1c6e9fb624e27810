//===- SingleTurn.h - A copy for grids of a thread an iteration -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A grid of a thread for each iteration needs nothing of what a thread does
//   to get at its next one: no step's digits, no run, no loop of several
//   iterations. For a short body that is most of the work. So a kernel with a
//   short grid-stride loop gets a copy of all from its guard on, in which the
//   loop is left after an iteration, and whose numbers have 32 bits:
//
//       trip <= step and step < 2^31 ? copy : the rest of the kernel
//
// LEGALITY
//   A thread's second number is step or more, so that it is none of the loop's.
//   The condition is the same for all threads of a grid.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_SINGLETURN_H
#define ACCX_GRIDTUNE_SINGLETURN_H

#include "gridloop/GridIv.h"

namespace accx::gridtune {

/// Whether \p Grid's loop is worth a copy of all that comes after \p Entry.
bool isWorthSingleTurn(const gridloop::GridIv &Grid,
                       const llvm::Instruction &Entry,
                       const llvm::DominatorTree &DT,
                       const llvm::LoopInfo &Loops);

/// Makes the copy of what comes from \p Entry on, which \p Grid's start, step
/// and \p Trip dominate. Afterwards \p Entry begins a block; loop information
/// and the dominator tree are stale.
void addSingleTurn(const gridloop::GridIv &Grid, llvm::Value *Trip,
                   llvm::Instruction &Entry, const llvm::DominatorTree &DT);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_SINGLETURN_H
