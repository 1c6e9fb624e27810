//===- Geometry.h - How many blocks and threads a launch gets ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns clauses, trip count, the kernel's own limits and the device's occupancy
// into a grid and a block.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_GEOMETRY_H
#define ACCX_PLUGIN_CUDA_GEOMETRY_H

#include "Status.h"
#include "accx/kernel_desc.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace accx::cuda {

/// What LLVM's compiler left beside a kernel (`<kernel>_kernel_environment`),
/// as far as launches need it.
struct KernelEnvironment {
  enum : uint8_t { Bare = 0, Generic = 1, Spmd = 2, GenericSpmd = 3 };

  uint8_t UseGenericStateMachine;
  uint8_t MayUseNestedParallelism;
  /// Bare: there was no record, the kernel is none of OpenMP's.
  uint8_t Mode;
  /// 1: the kernel itself waits for what is queued before (accx/kernel_desc.h).
  uint8_t Waits;
  /// Below 1: not limited.
  int32_t MinThreads, MaxThreads, MinTeams, MaxTeams;
  int32_t ReductionDataSize, ReductionBufferLength;
  void *Ident, *DynamicEnvironment;

  bool needsReductionBuffer() const {
    return Mode != Bare && ReductionDataSize > 0 && ReductionBufferLength > 0;
  }
};
static_assert(sizeof(KernelEnvironment) == 48 &&
                  offsetof(KernelEnvironment, MinThreads) == 4 &&
                  offsetof(KernelEnvironment, Waits) == ACCX_ENVIRONMENT_WAITS,
              "the device runtime's layout");

struct DeviceLimits {
  uint32_t Multiprocessors;
  uint32_t WarpSize;
  uint32_t MaxThreads; ///< of a block
  uint64_t MaxBlocks;
  /// The user's bounds for launches without a descriptor (OMP_NUM_TEAMS,
  /// OMP_TEAMS_THREAD_LIMIT).
  uint32_t MaxTeams = UINT32_MAX;
  uint32_t MaxTeamThreads = UINT32_MAX;
};

struct LaunchShape {
  uint32_t Grid[3];
  uint32_t Block[3];
};

/// How many blocks of so many threads one multiprocessor holds at a time.
using Occupancy = std::function<uint32_t(uint32_t Threads)>;

/// \p FunctionMaxThreads is the compiled code's own limit of a block. Loops
/// that need more than \p Waves times the blocks the device holds at once
/// stride.
LaunchShape chooseShape(const accx_launch &Launch, const KernelEnvironment &Env,
                        uint32_t FunctionMaxThreads, const DeviceLimits &Device,
                        uint32_t Waves, const Occupancy &BlocksAtOnce);

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_GEOMETRY_H
