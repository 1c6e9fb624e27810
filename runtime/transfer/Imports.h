//===- Imports.h - Memory of other processes on devices ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping memory of another process costs as much as copying megabytes of it,
// so mappings stay for the next message, whose sender then need not send a file
// descriptor. What nobody uses holds memory that its own process may have given
// back long ago: of that there is only so much, and the oldest goes first.
//
//   get(D, owner, part)     in use  ---last ImportedPart goes--->  idle
//                           in use  <---get()------------------    idle
//                                              too many: closed <-- oldest
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_IMPORTS_H
#define ACCX_TRANSFER_IMPORTS_H

#include "accx/channel.h"
#include "support/Error.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace accx {

class Device;
class ImportedPart;

/// The mappings of all devices. Thread-safe.
class Imports {
public:
  /// For each device, idle mappings are at most \p MaxIdle, and together at
  /// most one \p MemoryShare of its memory.
  explicit Imports(size_t MaxIdle = 256, unsigned MemoryShare = 8)
      : MaxIdle(MaxIdle), MemoryShare(MemoryShare) {}
  ~Imports() { closeIdle(); }
  Imports(const Imports &) = delete;
  Imports &operator=(const Imports &) = delete;

  /// Those of this process.
  static Imports &get();

  /// Maps \p Part, which process number \p Owner exported, on \p D, unless it
  /// is. Its descriptor stays the caller's, who may close it after the call.
  /// NotPresent: it is not mapped (any more), and there is no descriptor.
  /// Unsupported: the device does not reach it.
  Expected<ImportedPart> get(Device &D, uint64_t Owner,
                             const accx_share_part &Part);
  /// Closes what nobody uses, of \p D or of all devices.
  void closeIdle(Device *D = nullptr);

private:
  friend class ImportedPart;

  struct Key {
    Device *D;
    uint64_t Owner, Id;
    auto operator<=>(const Key &) const = default;
  };
  struct Mapping {
    uintptr_t Begin = 0;
    uint64_t Bytes = 0;
    unsigned Uses = 0;
    std::list<Key>::iterator Place; ///< In the device's list, if it has none.
  };
  using Entry = std::pair<const Key, Mapping>;
  struct Idle {
    std::list<Key> Order; ///< Oldest first.
    uint64_t Bytes = 0;
  };
  struct Closing {
    Device *D;
    uintptr_t Begin;
  };

  void drop(Entry &E);
  /// Takes the oldest of \p I off the books; the caller closes it, without the
  /// mutex: that may wait for the device.
  Closing takeOldest(Idle &I);
  static void close(const std::vector<Closing> &All);

  const size_t MaxIdle;
  const unsigned MemoryShare;
  std::mutex Mutex;
  std::map<Key, Mapping> Known;
  std::map<Device *, Idle> IdleOf;
};

/// Part of another process's memory on a device, mapped while this lives.
class ImportedPart {
  Imports *From = nullptr;
  Imports::Entry *E = nullptr;
  uintptr_t Begin = 0;

  friend class Imports;
  ImportedPart(Imports &From, Imports::Entry &E, uintptr_t Begin)
      : From(&From), E(&E), Begin(Begin) {}

public:
  ImportedPart() = default;
  ImportedPart(ImportedPart &&O) noexcept
      : From(std::exchange(O.From, nullptr)), E(O.E), Begin(O.Begin) {}
  ImportedPart &operator=(ImportedPart &&O) noexcept {
    std::swap(From, O.From);
    std::swap(E, O.E);
    std::swap(Begin, O.Begin);
    return *this;
  }
  ~ImportedPart() {
    if (From)
      From->drop(*E);
  }

  /// Where the part (not its allocation) begins on the device.
  uintptr_t address() const { return Begin; }
};

} // namespace accx

#endif // ACCX_TRANSFER_IMPORTS_H
