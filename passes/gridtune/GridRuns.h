//===- GridRuns.h - Blocks with neighbouring iterations ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `grid-runs`, between `grid-shape` and `grid-tune`: a loop with many more
//   iterations than the device has threads at work is dealt out in runs. Blocks
//   that stay and stride drift apart, and what neighbours share leaves the
//   caches in between. Blocks that come and go, each with ACCX_RUN iterations a
//   thread that are one run, work on what is near together:
//
//       is.runs = the grid has as many blocks as there are runs
//       first   = is.runs ? blockIdx.x * ACCX_RUN * blockDim.x : 0
//       k       = is.runs ? first + threadIdx.x : thread of the grid
//       k      += is.runs ? blockDim.x : threads of the grid
//       below     is.runs ? min(trip, first + ACCX_RUN * blockDim.x) : trip
//
//   The kernel's environment asks launches for such grids where the trip count
//   is large enough (accx/kernel_desc.h). Any other grid strides. Where the
//   body has loops and no indices to count, runs have ACCX_SHORT_RUN
//   iterations.
//
// LEGALITY
//   Iterations of the loop run at the same time on any threads, unless a body
//   finds its thread's number, which the mark of `grid-loop` tells. Only the
//   loop and its guard may use where a thread starts, and no other counter of
//   the loop may move with the threads: those that LLVM made of the loop's own
//   are computed out of it first. Kernels whose number of blocks is somebody's
//   choice keep it, and stride.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_GRIDRUNS_H
#define ACCX_GRIDTUNE_GRIDRUNS_H

#include "llvm/IR/PassManager.h"

namespace accx::gridtune {

class GridRunsPass : public llvm::PassInfoMixin<GridRunsPass> {
public:
  static constexpr char Name[] = "grid-runs";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_GRIDRUNS_H
