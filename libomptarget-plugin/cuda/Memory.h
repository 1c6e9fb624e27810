//===- Memory.h - Allocations and pinned memory -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory outside of windows, pinned host memory, and pinning what the
// program allocated.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_MEMORY_H
#define ACCX_PLUGIN_CUDA_MEMORY_H

#include "Device.h"

#include <atomic>
#include <cstdint>

namespace accx::cuda {

/// How often device memory was given back: graphs with copies know memory.
inline std::atomic<uint64_t> NumFrees{0};

/// Memory for both sides is pinned host memory that the device reads and writes
/// over the bus; never managed memory, whose pages would travel behind the
/// runtime's back.
accx_status allocate(Device &D, size_t Size, accx_memory_kind Kind,
                     void **Address);
accx_status release(Device &D, void *Address, accx_memory_kind Kind);

accx_status pin(Device &D, void *Host, size_t Size, void **DeviceAddress);
accx_status unpin(Device &D, void *Host);

/// Whether [\p Host, \p Host + \p Size) is memory that the driver does not
/// know: neither pinned nor managed. It is asked for both ends.
bool isPageable(const void *Host, size_t Size);
/// Whether it is pinned memory of allocate(); costs little.
bool isOurPinned(const void *Host, size_t Size);

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_MEMORY_H
