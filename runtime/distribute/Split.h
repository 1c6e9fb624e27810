//===- Split.h - Which device runs which iterations -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the iterations of a loop into ranges, each for one of several devices:
// evenly, or by the owners of what iterations write. Pure functions.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_SPLIT_H
#define ACCX_DISTRIBUTE_SPLIT_H

#include <cstdint>
#include <span>
#include <vector>

namespace accx {

/// Iterations [Begin, End), for device \p Owner of a list.
struct IterationRange {
  int64_t Begin, End;
  unsigned Owner;

  bool operator==(const IterationRange &) const = default;
};

/// Ranges that differ by one iteration at most, in order; none is empty.
std::vector<IterationRange> splitEvenly(int64_t Iterations,
                                        unsigned NumDevices);

/// Bytes of an array up to \p End belong to \p Owner, from where the bytes of
/// the border before end.
struct OwnerBorder {
  uint64_t End;
  unsigned Owner;
};

/// Ranges, in order and none empty, of which each is for the owner of the byte
/// that its iterations touch: iteration I touches byte First + I * Step of the
/// array. What is outside of the array belongs to who owns the nearest byte.
/// Empty if there would be more than \p MaxRanges, or if Step is 0.
std::vector<IterationRange> splitByOwner(int64_t Iterations, int64_t First,
                                         int64_t Step,
                                         std::span<const OwnerBorder> Borders,
                                         size_t MaxRanges);

} // namespace accx

#endif // ACCX_DISTRIBUTE_SPLIT_H
