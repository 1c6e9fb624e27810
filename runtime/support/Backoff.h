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
#include <thread>

namespace accx {

class Backoff {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin = Clock::now();

public:
  /// Looking without a pause.
  static constexpr std::chrono::microseconds Spin{50};
  static constexpr std::chrono::microseconds Longest{1000};

  /// Something went on.
  void reset() { Begin = Clock::now(); }
  /// Zero: look again at once.
  std::chrono::microseconds next() const {
    const auto Waited = std::chrono::duration_cast<std::chrono::microseconds>(
        Clock::now() - Begin);
    return Waited < Spin ? std::chrono::microseconds(0)
                         : std::clamp(Waited / 16, std::chrono::microseconds(5),
                                      Longest);
  }
  void pause() const {
    if (const auto For = next(); For.count())
      std::this_thread::sleep_for(For);
    else
      std::this_thread::yield();
  }
};

} // namespace accx

#endif // ACCX_SUPPORT_BACKOFF_H
