//===- LaunchTimes.h - How long kernels took --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last times of each kernel that a queue's thread, or its caller, has run.
// What takes less than handing it to a thread costs is better run at once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_LAUNCHTIMES_H
#define ACCX_DEVICE_LAUNCHTIMES_H

#include "accx/plugin.h"

#include <algorithm>
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
    /// The shorter of the last two times.
    std::atomic<Clock::rep> Time{0};
    std::atomic<Clock::rep> Last{0};
  };
  std::array<Place, 64> Places;

  Place &placeOf(accx_kernel Kernel) {
    const auto Key = reinterpret_cast<uintptr_t>(Kernel);
    return Places[(Key * 0x9e3779b97f4a7c15u >> 32) % Places.size()];
  }

public:
  /// Whether one of \p Kernel's last two launches took little time: any may be
  /// interrupted. A first one may take long, and its caller may not wait.
  bool isShort(accx_kernel Kernel) {
    const Place &P = placeOf(Kernel);
    return P.Kernel.load(std::memory_order_relaxed) == Kernel &&
           Clock::duration(P.Time.load(std::memory_order_relaxed)) <= Short;
  }

  /// Runs \p Launch, which is \p Kernel's.
  template <typename Fn> auto timed(accx_kernel Kernel, Fn Launch) {
    const Clock::time_point Begin = Clock::now();
    auto Result = Launch();
    const Clock::rep Took = (Clock::now() - Begin).count();
    Place &P = placeOf(Kernel);
    const bool IsKnown = P.Kernel.load(std::memory_order_relaxed) == Kernel;
    const Clock::rep Before =
        IsKnown ? P.Last.load(std::memory_order_relaxed) : Took;
    P.Last.store(Took, std::memory_order_relaxed);
    P.Time.store(std::min(Took, Before), std::memory_order_relaxed);
    P.Kernel.store(Kernel, std::memory_order_relaxed);
    return Result;
  }
};

} // namespace accx

#endif // ACCX_DEVICE_LAUNCHTIMES_H
