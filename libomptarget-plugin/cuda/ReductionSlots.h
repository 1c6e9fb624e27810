//===- ReductionSlots.h - Launch environments of reductions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that reduce across teams get two counters, zero at the start, and a
// buffer for the teams' partial results, with tickets before it
// (accx/kernel_desc.h).
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_REDUCTIONSLOTS_H
#define ACCX_PLUGIN_CUDA_REDUCTIONSLOTS_H

#include "DriverTypes.h"
#include "Status.h"

#include <vector>

namespace accx::cuda {

class Device;

/// The device runtime's record for a launch.
struct LaunchEnvironment {
  uint32_t ReductionCounter;
  uint32_t ReductionIterationCounter;
  CUdeviceptr ReductionBuffer;
};
static_assert(sizeof(LaunchEnvironment) == 16, "the device runtime's layout");

/// Of one queue, whose launches run one after the other: they share the buffer,
/// and zeroed counters are made for many launches at once. The context is
/// current in all calls.
class ReductionSlots {
public:
  ReductionSlots(Device &D, CUstream Stream) : D(D), Stream(Stream) {}
  ~ReductionSlots();

  /// A fresh record with a buffer of at least \p Bytes.
  accx_status take(uint64_t Bytes, CUdeviceptr &Record);

private:
  static constexpr unsigned NumSlots = 512;
  accx_status refill();

  Device &D;
  const CUstream Stream;
  CUdeviceptr Slots = 0;
  unsigned NextSlot = NumSlots;
  CUdeviceptr Buffer = 0;
  uint64_t BufferBytes = 0;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_REDUCTIONSLOTS_H
