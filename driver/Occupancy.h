//===- Occupancy.h - Blocks that a multiprocessor holds ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks of a kernel run on a multiprocessor at a time, and whether a
// few registers less would let one more run.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_OCCUPANCY_H
#define ACCX_DRIVER_OCCUPANCY_H

#include <optional>
#include <string_view>

namespace accx::driver {

/// What ptxas says of a kernel.
struct KernelUsage {
  unsigned Registers = 0;   ///< Of a thread.
  unsigned SpillStores = 0; ///< Bytes of a thread.
  unsigned SharedBytes = 0; ///< Of a block, of those whose size is known.
};

/// From the table of compute capabilities in CUDA's programming guide.
struct Multiprocessor {
  unsigned Blocks;
  unsigned Warps;
  unsigned SharedBytes;

  /// Of the GPU that compilers call so, as "sm_90"; nothing if it is not known.
  static std::optional<Multiprocessor> of(std::string_view Gpu);

  /// How many blocks of Threads are to fit at a time if more fit with a few
  /// registers less; 0 where it is to stay as it is.
  unsigned blocksToWantFor(const KernelUsage &K, unsigned Threads) const;
};

/// Whether a kernel gained from fewer registers, as far as ptxas can tell.
bool isWorthIt(const KernelUsage &Before, const KernelUsage &After);

} // namespace accx::driver

#endif // ACCX_DRIVER_OCCUPANCY_H
