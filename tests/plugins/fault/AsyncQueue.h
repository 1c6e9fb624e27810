//===- AsyncQueue.h - Queues that really are asynchronous -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In-order queues with a thread each, and events between them, so that what
// the runtime does with a GPU's queues can be tested without one.
//
//===----------------------------------------------------------------------===//
//
// Work reads its host memory when it runs, not when it is queued: staging
// memory that goes too early shows under the address sanitizer. An error stays
// with its queue: later work of that queue is dropped until a wait or a query
// returned the error. Two calls on one queue at once, and device memory that
// goes while a queued copy still uses it, end the program with a message.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FAULT_ASYNCQUEUE_H
#define ACCX_TESTS_FAULT_ASYNCQUEUE_H

#include "accx/plugin.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace fault {

/// What happened on a queue.
struct Failure {
  accx_status Code = ACCX_OK;
  std::string Text;
};

/// One recorded state of an event; waiters hold on to it while the event may
/// be recorded anew.
class Moment {
  std::atomic<bool> Happened{false};
  Failure Before;

public:
  /// \p F: what failed before the event, if anything.
  void happen(Failure F = {}) {
    Before = std::move(F);
    Happened.store(true);
    Happened.notify_all();
  }
  void wait() const { Happened.wait(false); }
  bool happened() const { return Happened.load(); }
  /// Once it happened.
  const Failure &failure() const { return Before; }
};

struct Bytes {
  const void *Begin = nullptr;
  size_t Size = 0;

  bool overlaps(const Bytes &O) const {
    const auto *A = static_cast<const char *>(Begin);
    const auto *B = static_cast<const char *>(O.Begin);
    return A < B + O.Size && B < A + Size;
  }
};

/// Device bytes that queued work uses, which the queue keeps from going, and
/// host bytes that it writes.
struct Uses {
  Bytes Device[2];
  Bytes Written;
};

class AsyncQueue {
public:
  using Work = std::function<Failure()>;

  AsyncQueue(accx_device Device, unsigned DelayMicroseconds);
  ~AsyncQueue();

  accx_device device() const { return Device; }

  /// Queues \p Run. \p Held: it starts when something else is asked of the
  /// queue, or another one that is not held.
  void push(Work Run, const Uses &U = {}, bool Held = false);
  /// Lets go what is held.
  void start();
  /// Queues something that runs even if the queue has failed.
  void pushAlways(std::function<void()> Run);
  /// Waits until nothing that is queued still writes any of \p Host.
  void awaitWrites(const Bytes &Host);
  /// Waits until the queue is empty, and takes its error.
  Failure wait();
  /// ACCX_NOT_READY, or as wait().
  Failure query();
  /// What failed and nobody was told. Any thread may ask.
  Failure failure();

private:
  struct Item {
    Work Run;
    bool Always;
    Uses Used;
  };
  class CallScope;

  void run();
  void letGo();

  accx_device Device;
  unsigned Delay;
  std::atomic<bool> InCall{false};
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<Item> Items;
  size_t NumHeld = 0; ///< Of the last items.
  bool Running = false;
  Bytes Writing; ///< By what runs.
  bool Stop = false;
  Failure Error;
  std::thread Thread;
};

class AsyncEvent {
  std::mutex Mutex;
  std::shared_ptr<Moment> Last;

public:
  void record(AsyncQueue *Queue);
  /// Null if it was never recorded.
  std::shared_ptr<Moment> moment();
};

/// Ends the program if queued work uses any of these device bytes.
void checkUnused(const void *Begin, size_t Size, const char *By);

} // namespace fault

#endif // ACCX_TESTS_FAULT_ASYNCQUEUE_H
