//===- Trailing.h - Copies that end after their construct -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A construct that only brings small data to the device need not wait: the
// plugin has read the host's bytes, and nobody has the device's addresses yet.
// What it must not lose is the order: work queued elsewhere comes after the
// copies.
//
//===----------------------------------------------------------------------===//
//
// The directory has the entries settled when such a construct ends, as those of
// asynchronous constructs are. Whatever Device queues then follows all trails,
// by events on the device; work of the same queue does anyway. Who gives
// addresses away, or takes memory back, waits until the trails have ended.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_TRAILING_H
#define ACCX_DEVICE_TRAILING_H

#include "device/Plugin.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace accx {

/// What became of queued work, and where in the program what failed was queued:
/// an Ident's record, or null.
struct QueueOutcome {
  Status Result;
  const char *Source = nullptr;
  int Device = -1; ///< Whose work that was, if it may be another's.
};

/// The trails of one device. Thread-safe; calls no lock's holder.
class Trailing {
  struct Trail {
    accx_queue Queue;
    accx_event End;
    /// Queues whose later work waits for the end.
    std::vector<accx_queue> Followers;
    const void *Name;   ///< A map item's name record.
    const char *Source; ///< An Ident's place, or null.

    bool follows(accx_queue Queue) const {
      return std::find(Followers.begin(), Followers.end(), Queue) !=
             Followers.end();
    }
  };
  Plugin &Owner;
  std::mutex Mutex;
  std::vector<Trail> Trails;
  std::vector<accx_event> Idle;
  std::atomic<bool> Some{false};

  using Iterator = std::vector<Trail>::iterator;
  Iterator remove(Iterator T);
  QueueOutcome failure(Iterator T, Status S);

public:
  explicit Trailing(Plugin &Owner) : Owner(Owner) {}

  bool any() const { return Some.load(std::memory_order_acquire); }

  /// Lets the copies that were queued on \p Queue, the caller's, trail. \p Name
  /// and \p Source are for messages: one of the items, and the construct's
  /// place. False if they have to be waited for.
  bool leave(accx_device Device, accx_queue Queue, const void *Name,
             const char *Source);
  /// Lets later work of \p Queue, the caller's, start after all trails. Tells
  /// if one of them failed: what was done on its data is wrong, and the program
  /// has to end. With a null queue that is all it does.
  QueueOutcome follow(accx_queue Queue);
  /// Everything on \p Queue was waited for. Tells as follow() if a trail failed
  /// on it, or one that it followed.
  QueueOutcome ended(accx_queue Queue);
  /// Blocks until all trails have ended, well or not.
  void settle();
};

} // namespace accx

#endif // ACCX_DEVICE_TRAILING_H
