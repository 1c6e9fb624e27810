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
// The copies of all such constructs, of all threads, go to one queue, where the
// plugin may pack those of constructs in a row. An event behind them is
// recorded when somebody has to come after them, no sooner: it ends a pack.
//
// The directory has the entries settled when such a construct ends, as those of
// asynchronous constructs are. Whatever Device queues then follows the copies,
// by events on the device. Who gives addresses away, or takes memory back,
// waits until they have ended.
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

/// Those of one device. Thread-safe; calls no lock's holder.
class Trailing {
  Plugin &Owner;
  std::mutex Mutex;
  accx_queue Queue = nullptr; ///< From the first copy on.
  accx_event End = nullptr;
  /// End tells of all copies.
  bool IsMarked = false;
  /// Queues whose later work waits for that.
  std::vector<accx_queue> Followers;
  /// Of the first one: a map item's name record, and an Ident's place, or null.
  const void *Name = nullptr;
  const char *Source = nullptr;
  /// There are copies that are not known to have ended.
  std::atomic<bool> Some{false};

  bool follows(accx_queue Other) const {
    return std::find(Followers.begin(), Followers.end(), Other) !=
           Followers.end();
  }
  Status open(accx_device Device);
  accx_status mark();
  void forget();
  QueueOutcome failure(Status S);

public:
  explicit Trailing(Plugin &Owner) : Owner(Owner) {}

  bool any() const { return Some.load(std::memory_order_acquire); }

  /// Queues \p Copy, whose host memory the plugin reads at once. \p ItemName
  /// and \p Place, the construct's, are for messages.
  Status copy(accx_device Device, const accx_copy &Copy, const void *ItemName,
              const char *Place);
  /// Lets later work of \p Other, the caller's queue, start after all copies.
  /// Tells if one of them failed: what was done on its data is wrong, and the
  /// program has to end. With a null queue that is all it does.
  QueueOutcome follow(accx_queue Other);
  /// Everything on \p Other was waited for. Tells as follow() if it followed
  /// copies that failed.
  QueueOutcome ended(accx_queue Other);
  /// Blocks until all copies have ended, well or not.
  void settle();
};

} // namespace accx

#endif // ACCX_DEVICE_TRAILING_H
