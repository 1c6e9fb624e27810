//===- QueueClock.h - What of other queues a point comes after --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of a queue is numbered. A clock has for each queue how much of its work
// lies before a point. A queue that waits on the device takes over the clock of
// what it waits for, so that it need not wait again for what that came after.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_QUEUECLOCK_H
#define ACCX_DEVICE_QUEUECLOCK_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace accx {

class AsyncQueue;

/// Not thread-safe.
class QueueClock {
  using Reached = std::pair<const AsyncQueue *, uint64_t>;
  /// In the order of the addresses.
  std::vector<Reached> All;

  static auto find(auto &In, const AsyncQueue *Q) {
    return std::ranges::lower_bound(In, Q, {}, &Reached::first);
  }

public:
  /// The first \p Work operations of \p Q lie before, too.
  void add(const AsyncQueue *Q, uint64_t Work) {
    auto At = find(All, Q);
    if (At == All.end() || At->first != Q)
      All.insert(At, {Q, Work});
    else
      At->second = std::max(At->second, Work);
  }
  void add(const QueueClock &Other) {
    for (const auto &[Q, Work] : Other.All)
      add(Q, Work);
  }
  /// Whether everything before \p Other lies before this.
  bool includes(const QueueClock &Other) const {
    return std::ranges::all_of(Other.All, [&](const Reached &R) {
      const auto At = find(All, R.first);
      return At != All.end() && At->first == R.first && At->second >= R.second;
    });
  }
};

} // namespace accx

#endif // ACCX_DEVICE_QUEUECLOCK_H
