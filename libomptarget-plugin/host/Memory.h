//===- Memory.h - A device's memory budget and allocations ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host device has of memory, and the blocks handed out of it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_MEMORY_H
#define ACCX_PLUGIN_HOST_MEMORY_H

#include "Lock.h"
#include "Status.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace accx::host {

/// The memory of one device: a limit and what is taken of it. Thread-safe.
class Budget {
  const uint64_t Limit;
  std::atomic<uint64_t> Taken{0};

public:
  explicit Budget(uint64_t Limit) : Limit(Limit) {}

  /// Takes \p Size bytes, or nothing: then false.
  bool take(uint64_t Size) {
    uint64_t Old = Taken.load(std::memory_order_relaxed);
    do {
      if (Size > Limit - Old)
        return false;
    } while (!Taken.compare_exchange_weak(Old, Old + Size,
                                          std::memory_order_relaxed));
    return true;
  }
  void give(uint64_t Size) { Taken.fetch_sub(Size, std::memory_order_relaxed); }
  uint64_t limit() const { return Limit; }
  uint64_t available() const {
    return Limit - Taken.load(std::memory_order_relaxed);
  }
};

/// Asks for pages of 2 MiB for memory that is about to be filled. Only large
/// parts gain: the first touch of one such page costs as much as that of
/// hundreds of small ones.
void adviseHugePages(void *Address, size_t Size);

/// The live blocks of one device. A table beside the blocks, rather than a
/// header in front of each, so that a wrong address given to release() is
/// reported and not followed. Thread-safe.
class Allocations {
public:
  explicit Allocations(Budget &Memory) : Memory(Memory) {}
  ~Allocations();

  accx_status allocate(size_t Size, accx_memory_kind Kind, void **Address);
  accx_status release(void *Address, accx_memory_kind Kind);

  /// Calls \p Visit with the address and size of every block.
  template <typename F> void forEach(F Visit) {
    for (Shard &S : Shards) {
      std::lock_guard Locked(S.Guard);
      for (const auto &[Address, B] : S.Blocks)
        Visit(Address, B.Size);
    }
  }

  /// Around fork(): nobody is inside the table while the process is copied.
  void lockForFork();
  void unlockAfterFork();

private:
  struct Block {
    size_t Size;
    accx_memory_kind Kind;
  };
  struct alignas(64) Shard {
    Lock Guard;
    std::unordered_map<void *, Block> Blocks;
  };

  Shard &shardOf(const void *Address);

  Budget &Memory;
  std::array<Shard, 16> Shards;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_MEMORY_H
