//===- Parts.h - How a spread array is cut ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spread array's device range consists of pages; each belongs to one device:
//
//   pages   |       |       |       |       |       |
//   bytes      [==========================]             Lead bytes in front
//   wanted     [ 0     |  1      |   2    ]
//   parts      [ 0 ][     1      ][   2   ]             to the nearest page
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_PARTS_H
#define ACCX_DISTRIBUTE_PARTS_H

#include <cstddef>
#include <vector>

namespace accx {

/// Bytes of an array on one device: up to End, from the end of the part before.
struct SpreadPart {
  size_t End = 0;
  /// Index in the array's list of devices.
  unsigned Owner = 0;
  friend bool operator==(const SpreadPart &, const SpreadPart &) = default;
};

/// What is to be cut.
struct SpreadLayout {
  size_t Bytes = 0;
  /// Bytes of the first page in front of the array; less than a page.
  size_t Lead = 0;
  /// A power of two.
  size_t Page = 1;
  unsigned NumOwners = 1;
  /// 0: each owner has one part, as equal as pages allow. Else blocks of so
  /// many bytes go round; of at least a page.
  size_t Block = 0;
};

/// The parts of \p L in order; neighbours have different owners. None without
/// bytes; an owner may have none.
std::vector<SpreadPart> cutParts(const SpreadLayout &L);

/// Runs of equal bytes at equal distances that one owner has: one pitched copy.
struct SpreadRun {
  size_t Offset = 0;
  size_t Width = 0;
  size_t Count = 0;
  size_t Pitch = 0;
};
/// All parts of \p Owner.
std::vector<SpreadRun> runsOf(const std::vector<SpreadPart> &Parts,
                              unsigned Owner);

} // namespace accx

#endif // ACCX_DISTRIBUTE_PARTS_H
