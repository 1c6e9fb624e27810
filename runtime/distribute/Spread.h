//===- Spread.h - Arrays that lie on several devices ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spread array is host memory with one device address that all its devices
// use; consecutive parts of it lie on different devices. A replicated one has a
// copy on each device instead. Either is an association in the directories of
// its devices, so that constructs and routines find it present; the registry
// here knows the parts.
//
// Thread-safe. Who found an array may use what is in it as long as it likes;
// the memory goes with the exit.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_SPREAD_H
#define ACCX_DISTRIBUTE_SPREAD_H

#include "device/Device.h"
#include "distribute/Parts.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accx {

struct SpreadArray {
  HostRange Host;
  /// In the order of the program's list; the first alone where they have no
  /// common memory.
  std::vector<Device *> Devices;
  /// Device address of Host.Begin: one for all, or one a device if replicated.
  std::vector<uintptr_t> Addresses;
  /// By offset from Host.Begin; owners are indices of Devices. Of a replicated
  /// array one part, the first device's.
  std::vector<SpreadPart> Parts;
  /// As the program said; 0: each device has one part.
  size_t BlockBytes = 0;
  bool Replicated = false;
  /// The devices use the host's bytes.
  bool OnHost = false;
  std::string Variable;
  std::string Place; ///< "file:line:column"

  uintptr_t deviceAddress(size_t Index = 0) const {
    return Addresses[Replicated ? Index : 0];
  }
  /// Index of the owner of byte \p Offset, which is in the array.
  unsigned ownerAt(size_t Offset) const;
  /// The same for a device address in it.
  unsigned ownerOnDevice(uintptr_t Address) const;
  /// Index of \p D, or -1.
  int indexOf(const Device &D) const;
  /// Whether all bytes are those of the device at \p Index.
  bool isAllOf(size_t Index) const;

  /// Memory of the device at \p Index as large as the array, for a copy that
  /// one queue of the device writes and reads; 0 where that would take more
  /// than a quarter of what is free. It goes with the array. Thread-safe.
  uintptr_t roomForCopy(size_t Index) const;

protected:
  /// By index of Devices.
  struct Room {
    void *Block = nullptr;
    bool Asked = false;
  };
  mutable std::mutex RoomMutex;
  mutable std::vector<Room> Rooms;
};

using SpreadRef = std::shared_ptr<const SpreadArray>;

struct SpreadRequest {
  HostRange Host;
  std::vector<Device *> Devices; ///< Not empty.
  size_t BlockBytes = 0;
  bool Replicate = false;
  const void *Name = nullptr; ///< As of map items.
  std::string Place;
};

/// Allocates, copies in, associates. The same range again is counted.
Status enterSpread(const SpreadRequest &R);
/// The last exit waits for what is queued on the devices, copies back and
/// frees.
Status exitSpread(HostRange Host, const void *Name);

namespace detail {
extern std::atomic<unsigned> NumSpread;
extern std::atomic<unsigned> NumReplicated;
} // namespace detail

/// Whether there are any; without them there is nothing to look for.
inline bool anySpread() {
  return detail::NumSpread.load(std::memory_order_acquire) != 0;
}
inline bool anyReplicated() {
  return detail::NumReplicated.load(std::memory_order_acquire) != 0;
}

/// The array with the byte at a host address, or at a device address; null if
/// there is none.
SpreadRef findSpread(uintptr_t HostAddress);
SpreadRef findSpreadOnDevice(uintptr_t DeviceAddress);

} // namespace accx

#endif // ACCX_DISTRIBUTE_SPREAD_H
