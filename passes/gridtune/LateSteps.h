//===- LateSteps.h - Steps for threads of several turns ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Digits that are counted (IndexRecovery.h) move by quotients of the step,
//   each a division ahead of the loop. A thread with one iteration needs none
//   of them, so that they get a block of their own:
//
//       start + step is an iteration ? compute the steps' digits
//
//   Bodies too long for a copy of one turn (SingleTurn.h) gain by it where a
//   grid has a thread for each iteration.
//
// LEGALITY
//   What moves has no side effects, and all that uses it computes, without any,
//   what phis of the header have from the second turn on. In threads that have
//   no second turn it is zero.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_LATESTEPS_H
#define ACCX_GRIDTUNE_LATESTEPS_H

#include "gridloop/GridIv.h"

namespace accx::gridtune {

/// Moves what only the second turn of \p Grid's loop needs behind a test for
/// one, if that saves a division. Returns whether it did; then loop information
/// and the dominator tree are stale.
bool delaySteps(const gridloop::GridIv &Grid);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_LATESTEPS_H
