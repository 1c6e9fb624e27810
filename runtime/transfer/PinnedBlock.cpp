//===- PinnedBlock.cpp - Host memory for pieces of transfers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transfer/PinnedBlock.h"

#include "device/Device.h"

#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

using namespace accx;

namespace {

constexpr size_t Alignment = 4096;
/// Idle bytes of one device that are kept.
constexpr size_t MaxIdleBytes = size_t(256) << 20;

struct IdleBlock {
  void *Data;
  accx_event Event;
};

/// Of one device, by size. Never destroyed, as plugins take back what they gave
/// when they end.
struct IdleBlocks {
  std::mutex Mutex;
  struct OfDevice {
    std::map<size_t, std::vector<IdleBlock>> BySize;
    size_t Bytes = 0;
  };
  std::map<Device *, OfDevice> Devices;

  static IdleBlocks &get() {
    static IdleBlocks &All = *new IdleBlocks;
    return All;
  }
};

/// Few sizes, so that blocks serve again.
size_t sizeClass(size_t Size) {
  constexpr size_t Large = size_t(16) << 20, Unit = size_t(1) << 20;
  if (Size > Large)
    return (Size + Unit - 1) / Unit * Unit;
  return std::bit_ceil(Size < Alignment ? Alignment : Size);
}

void release(Device *D, IdleBlock B) {
  if (!D)
    return std::free(B.Data);
  (void)D->release(B.Data, ACCX_MEMORY_HOST);
  D->plugin().api().event_destroy(B.Event);
}

/// Null data: no memory.
IdleBlock create(Device *D, size_t Size) {
  if (!D)
    return {std::aligned_alloc(Alignment, Size), nullptr};
  IdleBlock B = {};
  if (D->plugin().api().event_create(D->handle(), &B.Event) != ACCX_OK)
    return {};
  if (auto Memory = D->allocate(Size, ACCX_MEMORY_HOST); Memory.ok()) {
    B.Data = *Memory;
    return B;
  }
  D->plugin().api().event_destroy(B.Event);
  return {};
}

} // namespace

PinnedBlock::PinnedBlock(Device *D, size_t Wanted)
    : D(D), Size(sizeClass(Wanted)) {
  IdleBlocks &All = IdleBlocks::get();
  {
    std::lock_guard Lock(All.Mutex);
    auto &Own = All.Devices[D];
    if (auto It = Own.BySize.find(Size);
        It != Own.BySize.end() && !It->second.empty()) {
      Data = It->second.back().Data;
      Event = It->second.back().Event;
      It->second.pop_back();
      Own.Bytes -= Size;
      return;
    }
  }
  const IdleBlock New = create(D, Size);
  Data = New.Data;
  Event = New.Event;
}

void PinnedBlock::give() {
  if (!Data) {
    if (Event)
      D->plugin().api().event_destroy(Event);
    return;
  }
  IdleBlocks &All = IdleBlocks::get();
  {
    std::lock_guard Lock(All.Mutex);
    auto &Own = All.Devices[D];
    if (Own.Bytes + Size <= MaxIdleBytes) {
      Own.BySize[Size].push_back({Data, Event});
      Own.Bytes += Size;
      return;
    }
  }
  release(D, {Data, Event});
}

PinnedBlock &PinnedBlock::operator=(PinnedBlock &&O) noexcept {
  if (this != &O) {
    give();
    D = O.D;
    Data = std::exchange(O.Data, nullptr);
    Event = std::exchange(O.Event, nullptr);
    Size = O.Size;
  }
  return *this;
}
