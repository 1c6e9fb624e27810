//===- GridTune.h - Makes grid-stride loops cheap ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `grid-tune`, on simplified device code: what is worth doing to the loops
//   that `grid-loop` made, once everything is inlined.
//
//   1. Indices of collapsed loops are counted on (IndexRecovery.h).
//   2. Addresses that follow from the number of the iteration do so
//      (LinearAddresses.h).
//   3. Small sequential loops inside are unrolled by hints: ptxas does so for
//      some and not for others, by the code around them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_GRIDTUNE_H
#define ACCX_GRIDTUNE_GRIDTUNE_H

#include "llvm/IR/PassManager.h"

namespace accx::gridtune {

class GridTunePass : public llvm::PassInfoMixin<GridTunePass> {
public:
  static constexpr char Name[] = "grid-tune";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_GRIDTUNE_H
