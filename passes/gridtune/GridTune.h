//===- GridTune.h - Makes grid-stride loops cheap ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `grid-tune`, on simplified device code: what is worth doing to the loops
//   that `grid-loop` made, once everything is inlined.
//
// ALGORITHM
//   Eight actions, in this order; 3 to 7 on each loop and on the copies that 1
//   and 2 have made of it:
//
//   1. Addresses follow from the iteration's number (LinearAddresses.h). First:
//      indices that only such addresses used need not be counted.
//   2. Few iterations get a loop that counts in 32 bits (NarrowLoop.h). Ahead
//      of 4, which takes the width of what it counts from the loop.
//   3. Small sequential loops inside that compute get hints to unroll
//      (UnrollHints.h).
//   4. Indices of collapsed loops are counted on (IndexRecovery.h). Ahead of 6,
//      which is about counted indices.
//   5. Bodies with conditions become one block (Flatten.h), unless the loop has
//      copies, which get the registers. Behind 4: what is counted needs no
//      division. Ahead of 6 and 7, which want one block.
//   6. Masks of counters go where they clear nothing (CounterMasks.h). Ahead of
//      8: under masks no address can be computed from another.
//   7. Several iterations are done at a time (Coarsen.h). Behind all that
//      changes a single iteration, which it copies.
//   8. Addresses come from their neighbours' (AddressSharing.h). Last, and in
//      all loops: neighbours are in the iterations that 7 has put together.
//
//   Then threads with one iteration get around what 4 has made of the step
//   (LateSteps.h), and bodies that 5 made one block get their conditions back.
//
//   Loops whose step is a variable get hints to unroll ahead of all that,
//   whether the function has grid-stride loops or not (UnrollHints.h).
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
