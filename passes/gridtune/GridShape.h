//===- GridShape.h - Grids of two and three dimensions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `grid-shape`, ahead of `grid-tune`: a second kernel for each collapsed nest
//   of which a thread can do one iteration at a time only, whose rows are
//   another loop's columns, or whose neighbouring rows load the same. A
//   grid-stride loop divides its number by the nest's extents, and has few
//   threads that stay, so that each divides once. Threads of the second kernel
//   have one iteration and no division:
//
//       x = 64 * blockIdx.x + threadIdx.x % 64
//       y = rows * blockIdx.y + threadIdx.x / 64     rows = blockDim.x / 64
//       z = blockIdx.z
//       if (x < X && y < Y) body(z, y, x)
//
//   Where a loop in the body loads what all rows load in its column, as a
//   product of matrices does, the grid of a nest of two loops may come in
//   strips of some blocks: those that run together are neighbours in both
//   dimensions. Then z counts strips, and the block's place in x is
//   gridDim.x * blockIdx.z + blockIdx.x.
//
//   Where rows load the same, and the body is short, a thread has four rows:
//   y, ..., y + 3 for y = 4 * (rows * blockIdx.y + threadIdx.x / 64), all at
//   once if they are there (Coarsen.h), else one after the other.
//
//   Threads of a block are neighbours in both dimensions, and share what they
//   load of arrays that lack one of them. The table beside the kernel has a
//   program that computes X, Y and Z of its arguments (gpu/LaunchGrid.h). The
//   runtime launches the second kernel where its grid covers all iterations
//   (accx/kernel_desc.h), and the first one otherwise.
//
// LEGALITY
//   Iterations of the loop run at the same time on any threads, unless a body
//   finds its thread's number, which the mark of `grid-loop` tells. Nothing
//   that the loop computes may be used behind it. No other code may ask for
//   numbers of blocks.
//
// REFUSALS
//   ShapeRefusals.def has them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_GRIDSHAPE_H
#define ACCX_GRIDTUNE_GRIDSHAPE_H

#include "llvm/IR/PassManager.h"

#define ACCX_ROOM gridtune
#define ACCX_REFUSAL ShapeRefusal
#define ACCX_REFUSALS "gridtune/ShapeRefusals.def"
#include "ir/Refusals.inc"

namespace accx::gridtune {

class GridShapePass : public llvm::PassInfoMixin<GridShapePass> {
public:
  static constexpr char Name[] = "grid-shape";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_GRIDSHAPE_H
