//===- Emit.h - Loops over work-items ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of workitem-loops.
//
//     for (b = first block of the thread; b < last; ++b)
//       for (w = 0; w < items; ++w)          the body up to its first stop
//         region(w)
//       fetch
//       for (w = 0; w < items; ++w)          up to the next
//         region(w)
//       ...
//
// Control flow between regions is that of work-item 0, which at stops that all
// reach is that of all. Where some may skip stops, each notes at which it
// waits; those stops' regions are run one after the other in the program's
// order, each by the work-items that wait there.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_EMIT_H
#define ACCX_WORKITEMS_EMIT_H

#include "workitems/Regions.h"

namespace accx::workitems {

/// Replaces the loop of \p Plan.
void emitLoops(LoopPlan &Plan, Regions &R);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_EMIT_H
