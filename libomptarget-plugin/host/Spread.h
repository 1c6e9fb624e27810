//===- Spread.h - Memory of several host devices ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of addresses that several devices use, parts of which are each one's.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_SPREAD_H
#define ACCX_PLUGIN_HOST_SPREAD_H

#include "Lock.h"
#include "Status.h"

#include <map>
#include <span>
#include <vector>

namespace accx::host {

struct Device;
class Budget;
class Placement;

/// Every device reaches all memory anyway: a part counts in its owner's budget,
/// and its pages lie beside the owner's cores if the machine has several NUMA
/// nodes. Thread-safe.
class SpreadRanges {
public:
  /// The unit of parts: the system's page.
  static size_t granularity();

  accx_status allocate(std::span<Device *const> Devices,
                       std::span<const accx_spread_part> Parts, size_t Size,
                       const Placement &Cores, void **Address);
  accx_status release(void *Address);

  void lockForFork() { Guard.lock(); }
  void unlockAfterFork() { Guard.unlock(); }

private:
  struct Share {
    Budget *Of;
    uint64_t Bytes;
  };
  struct Range {
    size_t Size;
    std::vector<Share> Shares;
  };
  Lock Guard;
  std::map<void *, Range> Ranges;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_SPREAD_H
