//===- ExactExtents.h - Divisors of collapsed loops do not wrap -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang divides the number of a collapsed iteration by products of the inner
// loops' trip counts. With counters of 32 bits it multiplies in their type, so
// that nothing says that a divisor is a multiple of the next one:
//
//   y = iv / zext(h * w)         rest = iv - y * zext(h * w)
//   x = rest / zext(w)
//
// A product that wraps gives counters that no loop has. Here products of 32
// bits become products of 64 bits, which hold them. The front end has done so
// already where it saw the source (frontend/ast/TripCounts.cpp), with
// constants, too. Products of 64 bits are a part of the number of all
// iterations. No run lasts until that number wraps, so these products are
// marked not to wrap. Where there are iterations, trip counts are above zero.
// So divisions need no sign; bounds in memory would hide that.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_EXACTEXTENTS_H
#define ACCX_GRIDLOOP_EXACTEXTENTS_H

#include "offload/WorkLoop.h"

namespace accx::gridloop {

/// Whether \p V is computed from the number of an iteration in \p Number, by
/// what Clang writes for a counter. No program can name that variable.
bool isOfNumber(llvm::Value *V, const llvm::AllocaInst &Number);

/// Makes the products exact by which counters of \p Threads are found. Control
/// flow stays. Returns how many. \p Teams, the loop around it, has the product
/// of all. LLVM takes the other products from that one where extents are the
/// same.
unsigned makeExtentsExact(const offload::WorkLoop &Teams,
                          const offload::WorkLoop &Threads);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_EXACTEXTENTS_H
