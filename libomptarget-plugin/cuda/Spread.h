//===- Spread.h - Memory of several GPUs at one address ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of addresses that several GPUs use, parts of which are each one's.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_SPREAD_H
#define ACCX_PLUGIN_CUDA_SPREAD_H

#include "Driver.h"

#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace accx::cuda {

class Device;

/// One reservation a range; neighbouring parts of one GPU, which several
/// devices may be, are one allocation of that GPU. All GPUs are granted access
/// at once: the first grant of a process costs milliseconds, each later one a
/// part of one. Thread-safe.
///
///   GPUs    |    0    |    1    |    0    |    1    |   mapped
///   range   [=======================================]   granted to 0 and 1
class SpreadRanges {
public:
  accx_status allocate(std::span<Device *const> Devices,
                       std::span<const accx_spread_part> Parts, size_t Size,
                       void **Address);
  accx_status release(Device &First, void *Address);
  /// Whether all of it is in one range, which \p D is a device of.
  bool holds(const Device &D, const void *Address, size_t Size);

private:
  /// Addresses with what is mapped at them.
  struct Range {
    size_t Size = 0;
    std::vector<size_t> Mapped; ///< Bytes, in order.
    std::vector<CUdevice> Gpus;
  };
  static void unmap(CUdeviceptr Base, const Range &R);
  static accx_status mapParts(std::span<Device *const> Devices,
                              std::span<const accx_spread_part> Parts,
                              CUdeviceptr Base, Range &R);

  std::mutex Lock;
  std::map<CUdeviceptr, Range> Ranges;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_SPREAD_H
