//===- PieceKernel.h - A kernel that moves small pieces ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch copies many ranges between pinned host memory and the device.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_PIECEKERNEL_H
#define ACCX_PLUGIN_CUDA_PIECEKERNEL_H

#include "DriverTypes.h"

namespace accx::cuda {

/// What the blocks of one x copy; an array of these is the kernel's argument.
struct Piece {
  CUdeviceptr Dst;
  CUdeviceptr Src;
  uint64_t Size;
  void *Host; ///< For the host's own use.
};
static_assert(sizeof(Piece) == 32, "the kernel's layout");

inline constexpr unsigned PieceThreads = 128;
/// What one block of them copies. The grid's y is for the longest piece.
inline constexpr unsigned SliceBytes = 4096;

/// Loads the kernel into the current context. Null if the driver cannot compile
/// it; pieces are then copied one by one.
CUfunction loadPieceKernel();

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_PIECEKERNEL_H
