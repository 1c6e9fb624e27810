//===- Emit.h - Runs a nest across lanes ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//     before -> enough threads? -no-> the loop as it was -+
//                 |                                       |
//                 yes: lane, group, what lane 0 knows     |
//                 |                                       |
//                 loop over groups                        |
//                   worker code, guarded where planned    |
//                   for (v = lane; v < n; v += lanes)     |
//                   shuffles                              |
//                 |                                       |
//                 values of lane 0, of others as before -> after
//
//   LoopInfo and the dominator tree are stale afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_EMIT_H
#define ACCX_LANES_EMIT_H

#include "lanes/Plan.h"

namespace accx::lanes {

void emit(Plan &P);

/// Deals out \p V's iterations to the lanes of \p Place, and gives all of them
/// what it yields.
void runAcrossLanes(VectorLoop &V, const LanePlace &Place);

} // namespace accx::lanes

#endif // ACCX_LANES_EMIT_H
