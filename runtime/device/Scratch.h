//===- Scratch.h - Short-lived device memory --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory that lives for one launch: private arguments and workspaces.
// Blocks are kept by size class, so that a launch does not pay for the driver's
// allocator.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_SCRATCH_H
#define ACCX_DEVICE_SCRATCH_H

#include "accx/plugin.h"
#include "support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace accx {

class Device;

/// One block of a pool.
struct ScratchBlock {
  void *Address = nullptr;
  unsigned Class = 0;
};

/// Thread-safe. Blocks of up to MaxKept bytes are kept for reuse; the pool
/// gives them back in trim().
class ScratchPool {
  static constexpr unsigned MinClass = 8; ///< 256 bytes
  static constexpr unsigned MaxClass = 47;
  static constexpr size_t MaxKept = size_t(64) << 20;

  Device &D;
  const accx_memory_kind Kind;
  std::mutex Mutex;
  std::array<std::vector<void *>, MaxClass + 1> Idle;

public:
  ScratchPool(Device &D, accx_memory_kind Kind) : D(D), Kind(Kind) {}
  Expected<ScratchBlock> take(size_t Size);
  void give(ScratchBlock Block);
  /// Gives idle blocks back to the device.
  void trim();
};

} // namespace accx

#endif // ACCX_DEVICE_SCRATCH_H
