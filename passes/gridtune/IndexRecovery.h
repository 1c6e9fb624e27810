//===- IndexRecovery.h - Indices of collapsed loops by counting -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A collapsed nest, or a program that counts cells itself, finds indices by
//   divisions in each iteration:  y = i / W, x = i - y * W.  In a grid-stride
//   loop i moves by the same step each time, so its digits can be counted on:
//
//       before the loop         y, x = start / W, start % W
//                               dy, dx = step / W, step % W
//       after each iteration    x += dx, y += dy; if (x >= W) x -= W, y += 1
//
//   The remainder may be divided again, by a divisor that divides W (nests of
//   three and more loops): W = E * V, x = x1 * V + x0. x0 and x1 are counted
//   alike, and where x wraps x1 loses E.
//
// WIDTH
//   Remainders of divisors below 2^31 are counted in 32 bits, and so are
//   quotients of which only 32 bits are used. In narrow loops (NarrowLoop.h)
//   all are.
//
// REFUSALS
//   Short divisions that are not done in each iteration, where no others are.
//   (Before the loop a divisor of zero, by which none divides, becomes one.)
//   Divisors that vary, and constants of 32 bits, by which LLVM multiplies.
//   Each is a remark. Second divisions by what does not provably divide the
//   first divisor remain.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_INDEXRECOVERY_H
#define ACCX_GRIDTUNE_INDEXRECOVERY_H

#include "gridloop/GridIv.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace accx::gridtune {

/// A quotient or a remainder that the header has a phi of.
struct CountedIndex {
  llvm::PHINode *Phi = nullptr;
  /// What it stays below; null where that is not known.
  const llvm::SCEV *Below = nullptr;
};

/// Returns how many divisions of \p Grid's loop were replaced, and appends by
/// what to \p Counted.
unsigned recoverIndices(const gridloop::GridIv &Grid, llvm::ScalarEvolution &SE,
                        llvm::SmallVectorImpl<CountedIndex> &Counted);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_INDEXRECOVERY_H
