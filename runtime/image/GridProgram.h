//===- GridProgram.h - Blocks of several dimensions -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a descriptor (accx/kernel_desc.h) says of a launch's grid: a program for
// the kernel's arguments.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IMAGE_GRIDPROGRAM_H
#define ACCX_IMAGE_GRIDPROGRAM_H

#include "support/Error.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accx {

class GridProgram {
  std::vector<uint64_t> Words;

public:
  /// Checks operations, the stack and the number of dimensions.
  static Expected<GridProgram> parse(std::span<const char> Bytes);

  static constexpr unsigned MaxDims = 3;
  /// Of grids in y and z, on all devices.
  static constexpr uint64_t MaxOuter = 65535;

  /// Iterations in a dimension of the grid, of which a block has some.
  struct Dimension {
    uint64_t Count = 1;
    uint32_t OfBlock = 1;

    uint64_t blocks() const { return Count / OfBlock + (Count % OfBlock != 0); }
  };

  bool empty() const { return Words.empty(); }
  /// Those of a launch of \p TripCount iterations, innermost first. False:
  /// nothing can be said.
  bool evaluate(uint64_t TripCount, std::span<void *const> Arguments,
                Dimension (&Result)[MaxDims]) const;
  /// Blocks in x, y and z, each at least 1, at most what a grid may have. \p
  /// MaxX is the device's limit, 0: none.
  bool blocks(uint64_t TripCount, uint64_t MaxX,
              std::span<void *const> Arguments, uint32_t Grid[MaxDims]) const;
};

} // namespace accx

#endif // ACCX_IMAGE_GRIDPROGRAM_H
