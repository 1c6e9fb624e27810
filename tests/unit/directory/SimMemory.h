// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory made of plain arrays that notices every wrong access.

#ifndef ACCX_TESTS_DIRECTORY_SIMMEMORY_H
#define ACCX_TESTS_DIRECTORY_SIMMEMORY_H

#include "directory/Directory.h"

#include <map>
#include <vector>

namespace accx::test {

/// Addresses are made up. Memory that was never committed or was released has
/// no bytes, and new memory holds garbage.
class SimMemory : public DeviceMemory {
public:
  struct Limits {
    size_t Granularity = 64;
    uint64_t Capacity = uint64_t(1) << 30;
    /// Added to the address of every reservation.
    size_t Skew = 0;
    bool CanReserve = true;
  };

  SimMemory() = default;
  explicit SimMemory(Limits L) : L(L) {}
  ~SimMemory() override;

  size_t granularity() const override { return L.Granularity; }
  uint64_t capacity() const override { return L.Capacity; }
  Expected<uintptr_t> reserve(size_t Size) override;
  void unreserve(uintptr_t Address, size_t Size) override;
  Status commit(uintptr_t Address, size_t Size) override;
  void decommit(uintptr_t Address, size_t Size) override;
  Expected<uintptr_t> allocate(size_t Size) override;
  void release(uintptr_t Address) override;

  /// \p Size usable bytes at \p Address, or null.
  uint8_t *at(uintptr_t Address, size_t Size);
  /// Committed and allocated bytes.
  uint64_t held() const { return Held; }

  /// The commit or allocation after \p N more fails; -1: none.
  int FailAfter = -1;
  bool Failed = false;
  unsigned Reserves = 0, Commits = 0, Allocations = 0, Releases = 0;
  /// Misuse: overlapping commits, releases of what is not there.
  unsigned Errors = 0;

private:
  struct Region {
    std::vector<uint8_t> Bytes;
    std::vector<bool> Usable; ///< By page; empty for an allocation.
  };
  bool fails();
  void scribble(uint8_t *Begin, size_t Size);
  Region *find(uintptr_t Address, uintptr_t &Begin);

  Limits L;
  std::map<uintptr_t, Region> Regions;
  uintptr_t Last = 0;
  Region *LastRegion = nullptr;
  uintptr_t Next = uintptr_t(1) << 44;
  uint64_t Held = 0;
  uint8_t Garbage = 1;
};

} // namespace accx::test

#endif // ACCX_TESTS_DIRECTORY_SIMMEMORY_H
