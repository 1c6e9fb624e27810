//===- LocalArrays.h - Arrays of a thread in registers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `local-arrays`, on device code ahead of LLVM's unrolling: registers have no
//   indices, so a small array of a thread's own is in memory of the device as
//   long as one loop counts through it. Where all loops whose counters are in
//   the array's subscripts have known, small lengths, they get hints to unroll
//   in full, and LLVM's SROA takes the array apart:
//
//     double Data[8];
//     for (int J = 1; J < 8; ++J)
//       Data[Reversed[J]] *= cos(Phi * J);    // Reversed: a constant table
//
//   Hints change no code. An array with one access whose place is not known
//   even then gets none, and neither do loops with hints of the program's own.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_LOCALARRAYS_H
#define ACCX_GRIDTUNE_LOCALARRAYS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace accx::gridtune {

struct LocalArraysPass : llvm::PassInfoMixin<LocalArraysPass> {
  static constexpr llvm::StringLiteral Name = "local-arrays";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_LOCALARRAYS_H
