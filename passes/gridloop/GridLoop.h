//===- GridLoop.h - Loops over teams and threads become one -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `target teams distribute parallel for` deals iterations out twice: chunks
//   to teams, iterations of a chunk to threads, with a parallel region, hence
//   barriers and a reduction, for each chunk. `grid-loop` makes one loop of it:
//   each thread of the grid takes every (number of threads)th iteration.
//
// ALGORITHM, on calls of the device runtime that are still intact
//
//     distribute init                    (gone: bounds stay 0..last)
//     for each chunk                     once
//       parallel region                  parallel region, or a direct call
//         for init                       k = block * threads + thread
//         for each iteration             for (; k <= last; k += all threads)
//           body                           body
//
//   1. Match pairs (offload/Kernel.h). A pair whose schedule deals out
//      iterations one by one keeps its assignment of iterations to teams and
//      threads exactly. Any other static schedule changes it, which is refused
//      where the body may ask who runs it.
//   2. The thread's loop is controlled by a counter of 64 bits, so a stride
//      added to the last iteration never wraps.
//   3. lastprivate: the thread with the last iteration is thread last % all,
//      and the flags are computed by that. The runtime sets a team's flag for
//      all its threads, though only one of them has the value.
//   4. The region is called directly where nothing in it observes the parallel
//      state and nothing around it touches memory that threads share: then its
//      barriers order nothing.
//
// All threads of the grid take part whatever its size, so the runtime's choice
// of blocks and threads remains free, and clauses on it are obeyed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_GRIDLOOP_H
#define ACCX_GRIDLOOP_GRIDLOOP_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace accx::gridloop {

/// On the latch's !llvm.loop of a grid-stride loop: {name, i32 bits, i1 free},
/// the bits that the numbers of iterations fit, and whether a thread may do its
/// iterations at the same time.
inline constexpr char GridLoopMetadata[] = "accx.grid_loop";
/// Beside it: the threads that share the loop are a part of the grid.
inline constexpr char NestLoopMetadata[] = "accx.nest_loop";
/// Beside that: {name, i32 N}, those threads are N neighbours of a warp.
inline constexpr char GroupLoopMetadata[] = "accx.group_loop";
/// Beside the first: where it starts, steps and ends is as gridtune/GridRuns.h
/// says.
inline constexpr char RunLoopMetadata[] = "accx.run_loop";
/// Of a loop that steps from row to row of a nest, in a kernel whose threads
/// have neighbouring rows: so many at most.
inline constexpr char RowLoopMetadata[] = "accx.row_loop";

/// The first of these, as an option of a loop.
llvm::MDNode *gridLoopMark(llvm::LLVMContext &C, unsigned Bits,
                           bool MayInterleave);

class GridLoopPass : public llvm::PassInfoMixin<GridLoopPass> {
public:
  static constexpr char Name[] = "grid-loop";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_GRIDLOOP_H
