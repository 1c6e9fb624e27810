//===- WideCounters.h - Counters of collapsed loops as they are -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang counts the iterations of collapsed loops in 64 bits, computes from that
// number what each loop's own counter is, and truncates it. Indices of arrays
// are extended again:
//
//   z = trunc(1 + iv / (n * m))      A[z - 1]: sext(z - 1)
//
// A loop's counter fits its variable, so the extension gives what was there
// before the truncation. LLVM cannot know that and keeps the lower half, by
// shifts, for each neighbour anew; then no address can be computed from
// another.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_WIDECOUNTERS_H
#define ACCX_GRIDLOOP_WIDECOUNTERS_H

#include "offload/WorkLoop.h"

namespace accx::gridloop {

/// Takes extensions of signed counters of \p W, plus or minus constants, from
/// the wide number. Control flow stays. Returns how many.
unsigned widenCounters(const offload::WorkLoop &W);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_WIDECOUNTERS_H
