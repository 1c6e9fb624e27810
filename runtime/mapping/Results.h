//===- Results.h - Small results behind a kernel ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region that brings a sum back would wait twice: for its kernel, and for the
// copy. So small results are copied to memory of the construct's right behind
// the kernel, and are there when it has been waited for.
//
//===----------------------------------------------------------------------===//
//
// Whether a result goes to the program, and which of its bytes, is decided
// where it always is: when the construct leaves its items. Bytes that others
// may have written by then are copied once more.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_RESULTS_H
#define ACCX_MAPPING_RESULTS_H

#include "directory/Directory.h"
#include "mapping/Transfers.h"

#include <string>
#include <vector>

namespace accx {

/// The small results of one region.
class SmallResults {
  struct Result {
    HostRange Host;
    uintptr_t Device;
    /// Pinned by the construct until it leaves.
    const Entry *Of;
    const void *Name;
    size_t Offset;
    bool Alone;
  };
  std::vector<Result> All;
  /// What the device writes; stays where it is from fetch() to clear().
  std::vector<char> Bytes;

public:
  /// Larger ones are copied when the construct leaves.
  static constexpr size_t Limit = 4096;

  void clear() { All.clear(); }
  /// Adds the entry \p E of the construct's own, whose item is \p Name.
  void add(const Entry &E, const void *Name);
  /// "'s', 't'": the variables.
  std::string names() const;
  /// Queues the copies, behind the kernel.
  Status fetch(ConstructQueue &Q);
  /// With the directory's mutex held, and the entries still pinned: notes which
  /// are as the kernel left them.
  void check();
  /// Does \p Op, a copy out that was planned, if its bytes are here.
  bool deliver(const Operation &Op) const;
};

} // namespace accx

#endif // ACCX_MAPPING_RESULTS_H
