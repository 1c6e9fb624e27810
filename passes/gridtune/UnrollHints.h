//===- UnrollHints.h - Sequential loops of GPUs to unroll -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Which sequential loops of device code LLVM is to unroll that it leaves by
//   itself. Loops with hints of the program's own get none.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_UNROLLHINTS_H
#define ACCX_GRIDTUNE_UNROLLHINTS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace accx::gridtune {

/// Marks small sequential loops that compute with what they load, and those
/// that load and whose step is a variable, as where the threads of a block take
/// rows of a matrix in turns: the number of iterations takes a division, and
/// LLVM unrolls none that does. Grid-stride loops are left to those who know
/// them. Adds them to \p Marked; returns whether anything changed, which may
/// also be what is known of a counter.
bool markForUnrolling(llvm::LoopInfo &Loops, llvm::ScalarEvolution &SE,
                      llvm::SmallVectorImpl<llvm::Loop *> &Marked);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_UNROLLHINTS_H
