//===- LoopEnds.h - Distributed loops under way -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a distributed loop are on queues of several devices when its
// construct ends, and nobody waits for them. Whatever the devices do next has
// to come after all of them.
//
//===----------------------------------------------------------------------===//
//
// Each device that can see what the loop touches holds its end: a point of each
// part's queue. Work that is queued on the device then follows the points, on
// the device where the plugin can do that. Loops that follow each other on the
// same queues imply the ones before, so a time loop leaves one end.
//
// A point is marked when somebody asks for it, behind what is on the queue by
// then: the next loop's queues meet without.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_LOOPENDS_H
#define ACCX_DEVICE_LOOPENDS_H

#include "device/AsyncQueue.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accx {

/// Where the parts of one loop end.
struct LoopEnd {
  struct Part {
    AsyncQueue *Queue;
    QueueClock After;
    /// Null: nobody has asked.
    mutable QueueEventRef Marked;
  };
  std::vector<Part> Parts;

  /// The end of what is on \p Queues so far, a part each.
  static std::shared_ptr<const LoopEnd> of(std::span<AsyncQueue *const> Queues);

  QueueEventRef pointOf(const Part &P) const;
  /// Whether it is known by now that \p P failed.
  bool hasFailed(const Part &P) const;
  /// Later work of \p Queue, by the holder of its Order, starts after this.
  void holdBack(AsyncQueue &Queue) const;
  /// Whether this has been called before: at most one asks for failures.
  bool isAsked() const {
    return Asked.exchange(true, std::memory_order_relaxed);
  }
  bool done() const;
  /// Whether work behind this is behind \p Before, too.
  bool implies(const LoopEnd &Before) const;

private:
  QueueEventRef markedOf(const Part &P) const;

  mutable std::atomic<bool> Asked{false};
  mutable std::mutex Points;
};

/// The ends of one device. Thread-safe.
class LoopEnds {
  struct Known {
    std::shared_ptr<const LoopEnd> End;
    /// Queues of the plugin, or handles of asynchronous ones, that follow it.
    std::vector<accx_queue> Followers;
  };
  std::mutex Mutex;
  std::vector<Known> Ends;
  std::atomic<bool> Some{false};

  void dropDone();

public:
  bool any() const { return Some.load(std::memory_order_acquire); }
  void add(std::shared_ptr<const LoopEnd> End);
  /// Later work of \p Queue, the caller's and of \p Owner's, starts after all
  /// ends. With a null queue it blocks until then. Ends the program if a loop
  /// is known to have failed, which is asked now and then.
  void follow(const Plugin &Owner, accx_queue Queue);
  /// Ends the program if a loop that is under way failed.
  void check();
};

} // namespace accx

#endif // ACCX_DEVICE_LOOPENDS_H
