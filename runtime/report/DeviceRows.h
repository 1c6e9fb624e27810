//===- DeviceRows.h - The trace's row of each device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and transfers stand in the row of their device, whichever thread they
// are of. Slices of one row may not overlap, so that a device has further rows
// where several threads feed it at once:
//
//   device 0       [ kernel ]   [ to device ]
//   device 0 (2)       [ from device ]
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_DEVICEROWS_H
#define ACCX_REPORT_DEVICEROWS_H

#include "report/Listeners.h"

#include <array>
#include <atomic>
#include <string>

namespace accx {

/// Thread-safe, without a lock.
class DeviceRows {
public:
  struct Row {
    /// In place of a thread's number; no thread has it.
    int Thread = 0;
    /// Of a row that nobody had before; else empty.
    std::string NewName;
  };

  /// Whether an activity belongs into a device's row.
  static bool has(const FinishedActivity &Activity);
  /// Its row.
  Row take(const FinishedActivity &Activity);

private:
  static constexpr int NumDevices = 256, RowsEach = 8;
  /// Linux has no thread beyond 2^22.
  static constexpr int FirstThread = 1 << 23;

  /// When the last activity of a row ended; 0: it has none.
  std::array<std::atomic<uint64_t>, NumDevices * RowsEach> Ends{};
};

} // namespace accx

#endif // ACCX_REPORT_DEVICEROWS_H
