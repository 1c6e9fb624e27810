//===- Windows.h - Reserved addresses of a device ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address windows: reserved at once, given memory part by part.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_WINDOWS_H
#define ACCX_PLUGIN_HOST_WINDOWS_H

#include "Memory.h"

#include <map>

namespace accx::host {

/// The reservations of one device and their committed parts. The system gives
/// pages on first touch anyway, so committing is accounting, and the check that
/// the caller's own accounting is right. Thread-safe.
class Windows {
public:
  /// Unit of commits; the size of the pages that the system may use here.
  static constexpr size_t Granularity = size_t(2) << 20;

  explicit Windows(Budget &Memory) : Memory(Memory) {}
  ~Windows();

  accx_status reserve(size_t Size, void *Hint, void **Address);
  accx_status release(void *Address, size_t Size);
  accx_status commit(void *Address, size_t Size);
  accx_status decommit(void *Address, size_t Size);

  void lockForFork() { Guard.lock(); }
  void unlockAfterFork() { Guard.unlock(); }

private:
  struct Window {
    uintptr_t End;
    /// Start -> end of the parts that have memory; disjoint, never adjacent.
    std::map<uintptr_t, uintptr_t> Committed;
  };
  /// The window that holds all of [Begin, End), or null.
  Window *find(uintptr_t Begin, uintptr_t End);

  Budget &Memory;
  Lock Guard;
  std::map<uintptr_t, Window> Reserved;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_WINDOWS_H
