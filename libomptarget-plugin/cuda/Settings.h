//===- Settings.h - Environment variables of the CUDA plugin ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment asks of the CUDA plugin, read and checked once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_SETTINGS_H
#define ACCX_PLUGIN_CUDA_SETTINGS_H

#include "Status.h"

#include <cstdint>
#include <string>

namespace accx::cuda {

struct Settings {
  /// ACCX_CUDA_DRIVER: the driver's library; empty is libcuda.so.1.
  std::string DriverPath;
  /// ACCX_CUDA_SPIN: microseconds a wait asks the device without a pause.
  uint64_t SpinMicroseconds = 10000;
  /// ACCX_CUDA_COPY_THREADS: threads that copy pageable memory, two times. 0 or
  /// 1: the driver copies. Unset: half of the processors that the process may
  /// use, at most 8.
  uint64_t CopyThreads = 0;
  /// ACCX_CUDA_STAGED_IN, ACCX_CUDA_STAGED_OUT: from so many bytes to and from
  /// the device on through the crew's buffers.
  uint64_t StagedIn = uint64_t(8) << 20;
  uint64_t StagedOut = uint64_t(6) << 20;
  /// ACCX_CUDA_PIECE_BYTES: copies of up to this size go through pinned memory
  /// and are packed; 0 is never.
  uint64_t PieceBytes = 16 << 10;
  /// ACCX_CUDA_WAVES: loops that need more than so many times the blocks that
  /// the device runs at once stride.
  uint64_t Waves = 3;
  /// ACCX_GRAPH: launches that repeat become graphs after so many; 0 is never.
  uint64_t GraphAfter = 64;
  /// ACCX_GRAPH_GAP: microseconds in which the next launch has to come. Who
  /// launches more rarely does other work in between, during which the device
  /// is to be busy.
  uint64_t GraphGap = 20;
  /// ACCX_CUDA_SHARE: devices that each GPU stands for.
  uint64_t Share = 1;
  /// OMP_NUM_TEAMS, OMP_TEAMS_THREAD_LIMIT: the user's bounds.
  uint32_t MaxTeams = UINT32_MAX;
  uint32_t MaxTeamThreads = UINT32_MAX;
  /// LIBOMPTARGET_STACK_SIZE, LIBOMPTARGET_HEAP_SIZE: bytes of a device
  /// thread's stack and of the device's malloc; 0 is the driver's default.
  uint64_t StackBytes = 0;
  uint64_t HeapBytes = 0;
  /// LIBOMPTARGET_DEVICE_RTL_DEBUG: bits for the device runtime.
  uint64_t DeviceDebug = 0;

  /// Reads the environment. A value that makes no sense is a failure that names
  /// the variable.
  accx_status read();
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_SETTINGS_H
