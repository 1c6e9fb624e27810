//===- LaunchGrid.h - What the runtime is told of a launch ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for the runtime (accx/kernel_desc.h) that says how many blocks a
// nest has in each dimension, where its trip counts are computed from the
// kernel's arguments: a block then has its place from the device, without
// dividing its number. The kernel's descriptor has that, and how many threads a
// block has.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_LAUNCHGRID_H
#define ACCX_GPU_LAUNCHGRID_H

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <vector>

namespace accx::gpu {

class LaunchGrid {
  std::vector<uint64_t> Words;

public:
  /// Dimensions innermost first: each has \p Count iterations, an integer of at
  /// most 64 bits without a sign, and blocks \p Extent of them, 0: all. False:
  /// a launch cannot compute \p Count.
  bool addInner(const llvm::Value *Count, unsigned Extent);
  /// The same for \p Whole / \p Part iterations, where nothing is left.
  bool addInner(const llvm::Value *Whole, const llvm::Value *Part,
                unsigned Extent);
  void addOuter(unsigned Extent);

  const std::vector<uint64_t> &words() const { return Words; }

private:
  bool push(const llvm::Value *V, unsigned Depth);
  bool pushResult(const llvm::BinaryOperator &Op, unsigned Depth);
  void add(unsigned Operation, uint32_t Number = 0) {
    Words.push_back(uint64_t(Number) << 32 | Operation);
  }
};

/// Blocks of \p Kernel have exactly \p Threads threads, and there is one for so
/// many iterations, or as \p Grid says where that is not empty.
void describeLaunch(const llvm::Function &Kernel, unsigned Threads,
                    unsigned Iterations, const LaunchGrid &Grid);

/// Launches that can cover all iterations of \p Kernel at once, \p Iterations
/// of them in a block of \p Threads, run \p Variant instead, as \p Grid says,
/// which may come in strips if it \p HasStrips.
void describeWholeGrid(const llvm::Function &Kernel,
                       const llvm::Function &Variant, unsigned Threads,
                       unsigned Iterations, const LaunchGrid &Grid,
                       bool HasStrips);

} // namespace accx::gpu

#endif // ACCX_GPU_LAUNCHGRID_H
