//===- PinnedBlock.h - Host memory for pieces of transfers ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinning costs as much as moving megabytes, so blocks are kept for the next
// transfer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_PINNEDBLOCK_H
#define ACCX_TRANSFER_PINNEDBLOCK_H

#include "device/Plugin.h"

#include <cstddef>
#include <utility>

namespace accx {

class Device;

/// Memory that is pinned for a device's plugin, with an event of the plugin's;
/// without a device plain memory. Aligned to 4096. Thread-safe but for one
/// block.
class PinnedBlock {
  Device *D = nullptr;
  void *Data = nullptr;
  accx_event Event = nullptr;
  size_t Size = 0;

  void give();

public:
  PinnedBlock() = default;
  /// At least \p Size bytes. data() is null if there is no memory.
  PinnedBlock(Device *D, size_t Size);
  ~PinnedBlock() { give(); }
  PinnedBlock(PinnedBlock &&O) noexcept
      : D(O.D), Data(std::exchange(O.Data, nullptr)),
        Event(std::exchange(O.Event, nullptr)), Size(O.Size) {}
  PinnedBlock &operator=(PinnedBlock &&O) noexcept;

  char *data() const { return static_cast<char *>(Data); }
  size_t size() const { return Data ? Size : 0; }
  /// Null without a device.
  accx_event event() const { return Event; }
  /// Gives it up: somebody may still write it.
  void leak() { Data = nullptr; }
};

} // namespace accx

#endif // ACCX_TRANSFER_PINNEDBLOCK_H
