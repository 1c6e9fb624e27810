//===- GridOrder.h - The order of collapsed loops ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `grid-order`, ahead of `grid-shape`: threads that run together take
//   neighbours of the innermost of collapsed loops. Where these access what
//   lies far apart, and neighbours of another loop what lies together, that
//   loop becomes the innermost:
//
//       for (i < n) for (j < m)            for (j < m) for (i < n)
//         b[j * n + i] = a[j * n + i]        b[j * n + i] = a[j * n + i]
//
// ALGORITHM
//   Iteration number k of n * m, whose digits are i = k / m and j = k % m, does
//   what number (k % n) * m + k / n did. Of three loops i, j, k either i goes
//   innermost, or i and j do.
//
//   What a warp's accesses cost is guessed by the bytes between neighbours
//   (Distances.h): one sector of 32 bytes for each lane, unless they share one.
//   Accesses in sequential loops inside count more.
//
// LEGALITY
//   The numbers are those of all iterations again, once each, if the trip count
//   is a multiple of m. That is proven, or asked ahead of the loop, which then
//   has a copy in its old order. Iterations of the loop run in any order on any
//   threads, unless a body finds its thread's number, which the mark of
//   `grid-loop` tells. Parts of loops that the program distributes over devices
//   keep their order: other devices have the data.
//
// REFUSALS
//   OrderRefusals.def has them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_GRIDORDER_H
#define ACCX_GRIDTUNE_GRIDORDER_H

#include "llvm/IR/PassManager.h"

#define ACCX_ROOM gridtune
#define ACCX_REFUSAL OrderRefusal
#define ACCX_REFUSALS "gridtune/OrderRefusals.def"
#include "ir/Refusals.inc"

namespace accx::gridtune {

class GridOrderPass : public llvm::PassInfoMixin<GridOrderPass> {
public:
  static constexpr char Name[] = "grid-order";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_GRIDORDER_H
