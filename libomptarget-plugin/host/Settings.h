//===- Settings.h - Environment variables of the host plugin ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment asks of the host plugin, read and checked once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_SETTINGS_H
#define ACCX_PLUGIN_HOST_SETTINGS_H

#include "Status.h"

#include <cstdint>
#include <optional>

namespace accx::host {

struct Settings {
  /// ACCX_HOST_DEVICES
  uint32_t NumDevices = 4;
  /// It was set: each device has a share of the cores.
  bool DevicesGiven = false;
  /// ACCX_HOST_UNIFIED: device code works on host memory itself.
  bool Unified = false;
  /// ACCX_HOST_MEMORY: bytes of each device; the machine's if unset.
  uint64_t MemoryBytes = 0;
  /// ACCX_HOST_BIND: executor threads are bound to cores. Off when the user
  /// placed OpenMP's threads himself.
  bool Bind = true;
  /// ACCX_HOST_STREAM: arrays of more bytes are written past the cache; 0: none
  /// are. It follows from the machine's caches if unset.
  std::optional<uint64_t> StreamBytes;

  /// ACCX_CHECK: 0: kernels access what they want; 1: the first access of host
  /// memory ends the program; 2: each is told of. Unset: as 1, and silent where
  /// kernels have no checks.
  std::optional<uint32_t> Check;

  /// Reads the environment. A value that makes no sense is a failure that names
  /// the variable.
  accx_status read();
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_SETTINGS_H
