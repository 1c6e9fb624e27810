//===- Placement.h - Which core a device's threads run on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores of this process, and how executor threads are spread over them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_PLACEMENT_H
#define ACCX_PLUGIN_HOST_PLACEMENT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace accx::host {

/// Cores of the process, and the rule that spreads devices over them: each
/// starts one share of the cores after the one before, each of its executors
/// one core after the one before, and a team's threads follow each other. Where
/// the user said how many devices there are, each keeps to its share: shares
/// have no core in common while there are enough. Else a device has all cores.
class Placement {
public:
  /// Reads the cores that the calling thread may use.
  void read(uint32_t NumDevices, bool Bind, bool Shares);

  unsigned numCores() const { return unsigned(Cores.size()); }
  const std::vector<int> &cores() const { return Cores; }

  /// Whether threads are bound at all.
  bool binds() const { return Bind; }

  /// Whether devices keep to their shares.
  bool shares() const { return Shares; }
  /// The part of \p Threads, which OpenMP has on all cores, for a kernel of
  /// \p Device that is one of \p NumParts which run on as many devices at the
  /// same time.
  unsigned threadsOf(unsigned Threads, uint32_t Device,
                     uint32_t NumParts) const {
    if (Shares)
      return unsigned(partOf(Threads, Device).Count);
    return NumParts > 1 ? std::max(Threads / NumParts, 1u) : Threads;
  }

  /// The core for a thread.
  int coreOf(uint32_t Device, unsigned Executor, unsigned Thread) const {
    const Share S = shareOf(Device);
    return Cores[(S.First + (Executor + Thread) % S.Count) % Cores.size()];
  }

  /// Binds the calling thread to its core; if that is not possible, it goes
  /// where the system puts it.
  void bind(uint32_t Device, unsigned Executor, unsigned Thread) const;

private:
  struct Share {
    std::size_t First, Count;
  };
  /// The part of \p All for a device; at least one, if need be another's too.
  Share partOf(std::size_t All, uint32_t Device) const {
    const std::size_t First = Device * All / NumDevices;
    const std::size_t End = (Device + std::size_t(1)) * All / NumDevices;
    return {First, std::max(End - First, std::size_t(1))};
  }
  Share shareOf(uint32_t Device) const {
    const Share S = partOf(Cores.size(), Device);
    return Shares ? S : Share{S.First, Cores.size()};
  }

  std::vector<int> Cores = {0};
  uint32_t NumDevices = 1;
  bool Bind = false;
  bool Shares = false;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_PLACEMENT_H
