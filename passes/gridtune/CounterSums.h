//===- CounterSums.h - Counters whose sums are extended ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Takes constants out of extended sums of loops' counters:
//
//     long(i + t + 1) * n   =>   (long(i + t) + 1) * n
//
//   LLVM knows that i + t does not wrap, as the program says, but forgets it of
//   i + t + 1. Now it sees that the product moves by n, and the address with
//   it. So each iteration adds where it multiplied in 64 bits. The outermost
//   loop is the grid's, whose addresses move by more than one amount.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_COUNTERSUMS_H
#define ACCX_GRIDTUNE_COUNTERSUMS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace accx::gridtune {

struct CounterSumsPass : llvm::PassInfoMixin<CounterSumsPass> {
  static constexpr llvm::StringLiteral Name = "counter-sums";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_COUNTERSUMS_H
