//===- Sharing.h - Memory that processes have in common ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which addresses are memory of a GPU; memory of windows for other processes,
// and theirs for this one.
//
//===----------------------------------------------------------------------===//
//
// Only chunks of windows are given away: they are made so that a file
// descriptor can stand for them, and live on while another process has them
// mapped. The driver's older way (cuIpc), which takes what cuMemAlloc gives, is
// not used: there nothing may be freed before every other process is done.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_SHARING_H
#define ACCX_PLUGIN_CUDA_SHARING_H

#include "Driver.h"

#include <map>
#include <mutex>

namespace accx::cuda {

class Device;
class SpreadRanges;

/// See accx_plugin::memory_find. Memory of the program's own, and globals of
/// kernels, are the device's, too, and so is spread memory that it is a device
/// of. Managed memory is not: the host uses it in place. Outside of windows the
/// driver is asked for both ends.
accx_status find(Device &D, SpreadRanges &Spread, const void *Address,
                 size_t Size);

/// Ends what Windows::exportAt() made; nothing for -1.
void closeDescriptor(int Descriptor);

/// Memory of other processes that a device has mapped. Thread-safe.
class ImportedMemory {
public:
  explicit ImportedMemory(Device &D) : D(D) {}

  accx_status open(const accx_exported &Memory, void **Address);
  accx_status close(void *Address);
  /// The context is current.
  void releaseAll();

private:
  Device &D;
  std::mutex Lock;
  std::map<CUdeviceptr, size_t> Mapped;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_SHARING_H
