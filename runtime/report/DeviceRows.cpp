//===- DeviceRows.cpp - The trace's row of each device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DeviceRows.h.
//
//===----------------------------------------------------------------------===//

#include "report/DeviceRows.h"

using namespace accx;

bool DeviceRows::has(const FinishedActivity &Activity) {
  const int Device = Activity.Info.Device;
  return Device >= 0 && Device < NumDevices &&
         (Activity.Kind == ActivityKind::Launch ||
          Activity.Kind == ActivityKind::Transfer);
}

DeviceRows::Row DeviceRows::take(const FinishedActivity &Activity) {
  const int Device = Activity.Info.Device;
  const uint64_t End = Activity.Begin + Activity.Nanoseconds;
  for (int K = 0; K < RowsEach; ++K) {
    const int Index = Device * RowsEach + K;
    uint64_t Last = Ends[Index].load(std::memory_order_relaxed);
    // Beyond the last row slices may overlap.
    while (Activity.Begin >= Last || K == RowsEach - 1) {
      if (!Ends[Index].compare_exchange_weak(Last, End,
                                             std::memory_order_relaxed))
        continue;
      Row R;
      R.Thread = FirstThread + Index;
      if (Last == 0) {
        R.NewName = "device " + std::to_string(Device);
        if (K > 0)
          R.NewName += " (" + std::to_string(K + 1) + ")";
      }
      return R;
    }
  }
  return Row();
}
