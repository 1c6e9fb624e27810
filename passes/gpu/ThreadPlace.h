//===- ThreadPlace.h - A thread's place in block and grid -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of a GPU's special registers, as IR, with the ranges that CUDA
// guarantees. Blocks of offload kernels have one dimension, and so have grids
// unless a table beside the kernel says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_THREADPLACE_H
#define ACCX_GPU_THREADPLACE_H

#include "llvm/IR/IRBuilder.h"

namespace accx::gpu {

/// The thread's number in its block, and how many those are: i32.
llvm::Value *readThread(llvm::IRBuilderBase &B);
llvm::Value *readThreads(llvm::IRBuilderBase &B);
/// The same of its block in the grid, in x (0), y or z.
llvm::Value *readBlock(llvm::IRBuilderBase &B, unsigned Dimension = 0);
llvm::Value *readBlocks(llvm::IRBuilderBase &B);

/// All of these.
struct ThreadPlace {
  llvm::Value *Thread = nullptr;
  llvm::Value *Threads = nullptr;
  llvm::Value *Block = nullptr;
  llvm::Value *Blocks = nullptr;

  static ThreadPlace read(llvm::IRBuilderBase &B) {
    // In braces the reads come in this order.
    return {readThread(B), readThreads(B), readBlock(B), readBlocks(B)};
  }
};

/// All of type i64.
struct GridShape {
  /// The thread's number in the grid.
  llvm::Value *Position;
  /// Threads of the grid.
  llvm::Value *Size;

  static GridShape read(llvm::IRBuilderBase &B);
};

} // namespace accx::gpu

#endif // ACCX_GPU_THREADPLACE_H
