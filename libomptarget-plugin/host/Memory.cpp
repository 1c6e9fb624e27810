//===- Memory.cpp - A device's memory budget and allocations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aligned blocks with exact accounting.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <cinttypes>
#include <cstdlib>
#include <sys/mman.h>

using namespace accx;
using namespace accx::host;

static constexpr size_t Alignment = 256;

void host::adviseHugePages(void *Address, size_t Size) {
  constexpr uintptr_t Page = 4096, Large = uintptr_t(4) << 20;
  if (Size < Large)
    return;
  uintptr_t Begin = (reinterpret_cast<uintptr_t>(Address) + Page - 1) & -Page;
  uintptr_t End = (reinterpret_cast<uintptr_t>(Address) + Size) & -Page;
  madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_HUGEPAGE);
}

/// Pinned host memory is not the device's.
static bool isCounted(accx_memory_kind Kind) {
  return Kind != ACCX_MEMORY_HOST;
}

Allocations::~Allocations() {
  for (Shard &S : Shards)
    for (auto &[Address, B] : S.Blocks)
      std::free(Address);
}

Allocations::Shard &Allocations::shardOf(const void *Address) {
  // The low bits are zero and blocks of one size class lie apart by a power of
  // two: multiply, and take bits that depend on all of them.
  uint64_t Hash = reinterpret_cast<uintptr_t>(Address) / Alignment *
                  UINT64_C(0x9E3779B97F4A7C15);
  return Shards[Hash >> 60];
}

accx_status Allocations::allocate(size_t Size, accx_memory_kind Kind,
                                  void **Address) {
  if (Size == 0)
    return fail(ACCX_ERROR_INVALID, "allocation of 0 bytes");
  if (isCounted(Kind) && !Memory.take(Size))
    return fail(ACCX_ERROR_OUT_OF_MEMORY,
                "cannot allocate %zu bytes: %" PRIu64 " of %" PRIu64
                " bytes of the device are free",
                Size, Memory.available(), Memory.limit());

  void *Block = nullptr;
  if (posix_memalign(&Block, Alignment, Size) != 0) {
    if (isCounted(Kind))
      Memory.give(Size);
    return fail(ACCX_ERROR_OUT_OF_MEMORY,
                "cannot allocate %zu bytes: the machine is out of memory",
                Size);
  }

  adviseHugePages(Block, Size);
  Shard &S = shardOf(Block);
  std::lock_guard Locked(S.Guard);
  S.Blocks.emplace(Block, Allocations::Block{Size, Kind});
  *Address = Block;
  return ACCX_OK;
}

accx_status Allocations::release(void *Address, accx_memory_kind Kind) {
  Shard &S = shardOf(Address);
  size_t Size = 0;
  {
    std::lock_guard Locked(S.Guard);
    auto It = S.Blocks.find(Address);
    if (It == S.Blocks.end() || It->second.Kind != Kind)
      return fail(ACCX_ERROR_INVALID,
                  "%p is no block of this device and kind of memory", Address);
    Size = It->second.Size;
    // Before the block goes: its address may come back at once to another
    // thread.
    S.Blocks.erase(It);
  }
  std::free(Address);
  if (isCounted(Kind))
    Memory.give(Size);
  return ACCX_OK;
}

void Allocations::lockForFork() {
  for (Shard &S : Shards)
    S.Guard.lock();
}

void Allocations::unlockAfterFork() {
  for (Shard &S : Shards)
    S.Guard.unlock();
}
