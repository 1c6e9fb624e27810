//===- Waits.h - Where lanes have to meet -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that write memory in a vector loop meet before it and behind it, so
// that the worker's own code and other lanes see one order. Workers are
// independent. So where no code of the same worker accesses memory on one side
// of the loop, lanes do not wait there.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_WAITS_H
#define ACCX_LANES_WAITS_H

#include "lanes/Nest.h"

namespace accx::lanes {

/// Sets WaitsBefore and WaitsAfter of \p N's vector loops.
void findWaits(Nest &N);

} // namespace accx::lanes

#endif // ACCX_LANES_WAITS_H
