//===- LaunchTimes.h - How long kernels took --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last time of each kernel that a queue's thread, or its caller, has run.
// What takes less than handing it to a thread costs is better run at once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_LAUNCHTIMES_H
#define ACCX_DEVICE_LAUNCHTIMES_H

#include "accx/plugin.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace accx {

/// Thread-safe. Kernels share places: who came last has it.
class LaunchTimes {
  using Clock = std::chrono::steady_clock;
  /// A hand-over to a thread, and back to who waits, on busy cores several
  /// times over.
  static constexpr std::chrono::microseconds Short{200};

  struct Place {
    std::atomic<accx_kernel> Kernel{nullptr};
    std::atomic<Clock::rep> Time{0};
  };
  std::array<Place, 64> Places;

  Place &placeOf(accx_kernel Kernel) {
    const auto Key = reinterpret_cast<uintptr_t>(Kernel);
    return Places[(Key * 0x9e3779b97f4a7c15u >> 32) % Places.size()];
  }

public:
  /// Whether \p Kernel took little time when it ran last, or never ran: a
  /// thread that runs kernels has a team of its own, which stays.
  bool isShort(accx_kernel Kernel) {
    const Place &P = placeOf(Kernel);
    return P.Kernel.load(std::memory_order_relaxed) != Kernel ||
           Clock::duration(P.Time.load(std::memory_order_relaxed)) <= Short;
  }

  /// Runs \p Launch, which is \p Kernel's.
  template <typename Fn> auto timed(accx_kernel Kernel, Fn Launch) {
    const Clock::time_point Begin = Clock::now();
    auto Result = Launch();
    Place &P = placeOf(Kernel);
    P.Time.store((Clock::now() - Begin).count(), std::memory_order_relaxed);
    P.Kernel.store(Kernel, std::memory_order_relaxed);
    return Result;
  }
};

} // namespace accx

#endif // ACCX_DEVICE_LAUNCHTIMES_H
