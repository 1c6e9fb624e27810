//===- Backoff.h - Pauses of who looks again and again ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pauses grow with the time waited, by a sixteenth of it: what is looked for is
// found that much late at most, and long waits cost next to nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_BACKOFF_H
#define ACCX_SUPPORT_BACKOFF_H

#include <algorithm>
#include <chrono>
#include <sys/prctl.h>
#include <thread>

namespace accx {

/// While it lives, sleeps of the calling thread end when they should. The usual
/// slack, 50 us, is longer than most pauses.
class ShortSleeps {
  int Before = -1;

public:
  void begin() {
    if (Before >= 0)
      return;
    Before = std::max(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 0);
    prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0);
  }
  ShortSleeps() = default;
  ~ShortSleeps() {
    if (Before > 0)
      prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(Before), 0, 0, 0);
  }
  ShortSleeps(const ShortSleeps &) = delete;
  ShortSleeps &operator=(const ShortSleeps &) = delete;
};

/// Used by one thread.
class Backoff {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin = Clock::now();
  ShortSleeps Exact;

public:
  /// Looking without a pause.
  static constexpr std::chrono::microseconds Spin{50};
  /// The same for messages. Their other sides are processes, which often answer
  /// within so long, and each of several threads that slept would be late by as
  /// long as the system takes to wake it: a copy of 512 MiB between two GPUs
  /// ends in time.
  static constexpr std::chrono::microseconds MessageSpin{2000};
  static constexpr std::chrono::microseconds Longest{1000};

  /// Something went on.
  void reset() { Begin = Clock::now(); }
  /// Zero: look again at once. Otherwise the thread is about to sleep so long.
  std::chrono::microseconds next(std::chrono::microseconds For = Spin) {
    const auto Waited = std::chrono::duration_cast<std::chrono::microseconds>(
        Clock::now() - Begin);
    if (Waited < For)
      return std::chrono::microseconds(0);
    Exact.begin();
    return std::clamp(Waited / 16, std::chrono::microseconds(5), Longest);
  }
  /// Looks without a pause \p For so long.
  void pause(std::chrono::microseconds For = Spin) {
    if (const auto Sleep = next(For); Sleep.count())
      std::this_thread::sleep_for(Sleep);
    else
      std::this_thread::yield();
  }
};

} // namespace accx

#endif // ACCX_SUPPORT_BACKOFF_H
