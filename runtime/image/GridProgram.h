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

  bool empty() const { return Words.empty(); }
  /// Blocks in x, y and z for \p TripCount iterations, each at least 1; false:
  /// nothing can be said. \p MaxX is the device's limit, 0: none.
  bool evaluate(uint64_t TripCount, uint64_t MaxX,
                std::span<void *const> Arguments, uint32_t Grid[3]) const;
};

} // namespace accx

#endif // ACCX_IMAGE_GRIDPROGRAM_H
