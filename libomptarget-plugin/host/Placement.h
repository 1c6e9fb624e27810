//===- Placement.h - Which core a device's threads run on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores of this process, and how executor threads are spread over them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_PLACEMENT_H
#define ACCX_PLUGIN_HOST_PLACEMENT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accx::host {

/// Cores of the process, and the rule that spreads devices over them: each
/// starts one share of the cores after the one before, each of its executors
/// one core after the one before, and a team's threads follow each other.
class Placement {
public:
  /// Reads the cores that the calling thread may use.
  void read(uint32_t NumDevices, bool Bind);

  unsigned numCores() const { return unsigned(Cores.size()); }
  const std::vector<int> &cores() const { return Cores; }

  /// Whether threads are bound at all.
  bool binds() const { return Bind; }

  /// The core for a thread.
  int coreOf(uint32_t Device, unsigned Executor, unsigned Thread) const {
    std::size_t First = std::size_t(Device) * Cores.size() / NumDevices;
    return Cores[(First + Executor + Thread) % Cores.size()];
  }

  /// Binds the calling thread to its core; if that is not possible, it goes
  /// where the system puts it.
  void bind(uint32_t Device, unsigned Executor, unsigned Thread) const;

private:
  std::vector<int> Cores = {0};
  uint32_t NumDevices = 1;
  bool Bind = false;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_PLACEMENT_H
