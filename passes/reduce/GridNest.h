//===- GridNest.h - Gangs and workers share the whole grid ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `teams distribute` around a separate `parallel for` is a generic kernel:
//   one thread of a team runs the gang's code, the others wait for parallel
//   regions, and as many teams work as the outer loop has iterations. Here all
//   threads of the grid run it, in groups whose size the trip count decides:
//
//     many iterations   a warp each
//     some              a block each
//     few               several blocks each
//
// ALGORITHM, on what offload/TeamNest.h matches
//
//     group = which iterations, rank = which thread of the group
//     for (k = group; k < n; k += groups)
//       before                              each thread, to its own variables
//       region(rank, threads of the group)  for (w = rank; w < m; w += threads)
//         its reduction                     a warp, a block (BlockFold.h), or
//                                           several (GroupFold.h)
//       after                               by the thread with the result
//     reduction over teams                  block, then grid (GridFold.h)
//
//   1. Team variables become each thread's own.
//   2. The region gets its place in the group, and is called directly.
//   3. Several blocks share an iteration where nothing comes after the region,
//      or where a reduction shows which block came last. The region must not
//      write what is loaded before it.
//   4. The kernel asks for as many blocks as the device holds at a time.
//
// INVARIANTS
//   - A group is 32 neighbouring threads of one warp, a block, or blocks of
//     whole warps: so lanes of a warp are in one group, and all threads of a
//     block meet its barriers equally often.
//   - Blocks that share are in one group only, once a launch. There are at most
//     as many of them as tickets.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_GRIDNEST_H
#define ACCX_REDUCE_GRIDNEST_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace accx::reduce {

class GridNestPass : public llvm::PassInfoMixin<GridNestPass> {
public:
  static constexpr char Name[] = "grid-nest";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_GRIDNEST_H
