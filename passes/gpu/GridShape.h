//===- GridShape.h - A thread's place in the grid, as IR --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of a GPU's special registers, with the ranges that CUDA guarantees.
// Grids of offload kernels have one dimension.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_GRIDSHAPE_H
#define ACCX_GPU_GRIDSHAPE_H

#include "llvm/IR/IRBuilder.h"

namespace accx::gpu {

/// All of type i64.
struct GridShape {
  /// The thread's number in the grid.
  llvm::Value *Position;
  /// Threads of the grid.
  llvm::Value *Size;

  static GridShape read(llvm::IRBuilderBase &Builder);
};

} // namespace accx::gpu

#endif // ACCX_GPU_GRIDSHAPE_H
