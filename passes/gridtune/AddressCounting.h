//===- AddressCounting.h - Addresses that move with indices -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Each iteration multiplies counted indices (IndexRecovery.h) by the extents
//   of arrays. It does so in 64 bits where extents have 64: for each array of
//   variable length, or with counters of 64 bits. But where indices move by
//   invariant amounts, so does an address:
//
//       y, x                          bytes = (y * n + x) * 4
//       x += dx, y += dy              bytes += (dy * n + dx) * 4
//       if (carry) x -= W, y += 1     if (carry) bytes += (n - W) * 4
//
//   Sums and products wrap, and so are exact modulo the range of addresses.
//
// REFUSALS
//   Addresses with fewer than two products of 64 bits: a move with a carry
//   costs as much as a product (one extent: 1.50 ms instead of 1.12 for
//   hotspot). Those with products of two indices, or with anything else that
//   the loop computes; indices that borrow, too; bodies that branch. More than
//   four addresses would take more registers than they save.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_ADDRESSCOUNTING_H
#define ACCX_GRIDTUNE_ADDRESSCOUNTING_H

#include "gridtune/IndexRecovery.h"

namespace accx::gridtune {

/// Lets addresses in \p Grid's loop move with \p Indices. Returns the number of
/// accesses.
unsigned countAddresses(const gridloop::GridIv &Grid,
                        llvm::ArrayRef<CountedIndex> Indices);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_ADDRESSCOUNTING_H
