//===- Slope.h - What places of a block add to a value ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is linear in the places of a block's iterations, threads or
// work-items:
//
//     value at place 0 + slope[0] * place[0] + slope[1] * place[1] + ...
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_AFFINE_SLOPE_H
#define ACCX_AFFINE_SLOPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cstdint>
#include <utility>

namespace accx::affine {

/// By how much the value grows from place to place, by dimension.
struct Slope : std::array<int64_t, 3> {
  constexpr Slope() : array{} {}

  /// The value is the same at all places.
  bool isFlat() const { return *this == Slope(); }
  /// What places of a block with \p Sizes add, at least and at most.
  std::pair<int64_t, int64_t> reach(llvm::ArrayRef<unsigned> Sizes) const {
    std::pair<int64_t, int64_t> Sum = {0, 0};
    for (const auto [D, Size] : llvm::enumerate(Sizes)) {
      const int64_t Last = (*this)[D] * (int64_t(Size) - 1);
      (Last < 0 ? Sum.first : Sum.second) += Last;
    }
    return Sum;
  }
};

} // namespace accx::affine

#endif // ACCX_AFFINE_SLOPE_H
