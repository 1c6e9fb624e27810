//===- EmitVector.h - Vector loops, one iteration a lane --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the emitter (Emit.h) that rewrites one vector loop.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_EMITVECTOR_H
#define ACCX_LANES_EMITVECTOR_H

#include "lanes/Nest.h"
#include "lanes/Workers.h"

namespace accx::lanes {

/// Deals out \p V's iterations to the lanes of \p Place, and gives all of them
/// what it yields.
void runAcrossLanes(VectorLoop &V, const LanePlace &Place);

} // namespace accx::lanes

#endif // ACCX_LANES_EMITVECTOR_H
