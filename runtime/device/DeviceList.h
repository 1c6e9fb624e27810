//===- DeviceList.h - The program's devices ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices in the order of their numbers. Devices are only ever added, so
// looking one up takes no lock.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_DEVICELIST_H
#define ACCX_DEVICE_DEVICELIST_H

#include "accx/plugin.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace accx {

class Device;

/// Thread-safe for readers; add() is called under the registry's mutex.
class DeviceList {
public:
  static constexpr int MaxDevices = 256;

  static DeviceList &get();

  int count() const { return Count.load(std::memory_order_acquire); }
  /// Null if there is no such device.
  Device *find(int64_t Id) const {
    return Id >= 0 && Id < count() ? Slots[Id].load(std::memory_order_acquire)
                                   : nullptr;
  }
  /// The number that means the host: one past the last device.
  int initialDevice() const { return count(); }

  /// The number of the device a plugin knows as \p Handle, or -1.
  int idOf(accx_device Handle) const;

  /// Adds a device whose id is count(). False if there are too many.
  bool add(std::unique_ptr<Device> D);

private:
  std::atomic<int> Count{0};
  std::array<std::atomic<Device *>, MaxDevices> Slots{};
};

} // namespace accx

#endif // ACCX_DEVICE_DEVICELIST_H
