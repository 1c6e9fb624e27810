//===- Scratch.cpp - Short-lived device memory ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scratch.h.
//
//===----------------------------------------------------------------------===//

#include "device/Scratch.h"

#include "device/Device.h"

#include <algorithm>
#include <bit>

using namespace accx;

Expected<ScratchBlock> ScratchPool::take(size_t Size) {
  unsigned Class = std::max<unsigned>(
      std::bit_width(std::max(Size, size_t(1)) - 1), MinClass);
  if (Class > MaxClass)
    return Status(ErrorCode::OutOfMemory,
                  std::to_string(Size) + " bytes for one launch");
  {
    std::lock_guard Lock(Mutex);
    if (!Idle[Class].empty()) {
      void *Address = Idle[Class].back();
      Idle[Class].pop_back();
      return ScratchBlock{Address, Class};
    }
  }
  auto Address = D.allocate(size_t(1) << Class, Kind);
  if (!Address.ok())
    return Address.takeStatus();
  return ScratchBlock{*Address, Class};
}

void ScratchPool::give(ScratchBlock Block) {
  if (!Block.Address)
    return;
  if (size_t(1) << Block.Class <= MaxKept) {
    std::lock_guard Lock(Mutex);
    Idle[Block.Class].push_back(Block.Address);
    return;
  }
  // A block that cannot be freed is lost with its device; the next use of the
  // device says so.
  (void)D.release(Block.Address, Kind);
}

void ScratchPool::trim() {
  std::lock_guard Lock(Mutex);
  for (auto &Class : Idle) {
    for (void *Address : Class)
      (void)D.release(Address, Kind);
    Class.clear();
  }
}
