//===- Worker.h - The thread that runs a device's queued work ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In-order queues, served by one thread a device. Whatever is asynchronous is
// an operation on a queue; its completion is an event others can wait for.
// Who waits may run the operations itself while the thread has not begun.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_WORKER_H
#define ACCX_DEVICE_WORKER_H

#include "accx/thread_order.h"
#include "support/Error.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace accx {

/// The end of a queued operation. Shared by the queue and everybody who waits.
class Completion {
  std::atomic<uint32_t> Done{0};
  Status Result;

public:
  bool done() const {
    if (!Done.load(std::memory_order_acquire))
      return false;
    accx_order_after(this);
    return true;
  }
  void wait() const {
    Done.wait(0, std::memory_order_acquire);
    accx_order_after(this);
  }
  /// The operation's error; read after done().
  const Status &result() const { return Result; }
  void finish(Status S) {
    Result = std::move(S);
    accx_order_before(this);
    // Sequentially consistent: notify_all() looks for waiters next, and must
    // not miss one who looked at the flag before this store.
    Done.store(1, std::memory_order_seq_cst);
    Done.notify_all();
  }
};

/// One thread that runs operations in the order in which they were queued.
/// Thread-safe.
class Worker {
  using Clock = std::chrono::steady_clock;

public:
  using Operation = std::function<Status()>;

  /// \p Name is the thread's name for debuggers, at most 15 characters. Where
  /// those who queue came to wait() within \p Patience the last time, the
  /// thread leaves them so long to do so again.
  explicit Worker(const std::string &Name,
                  std::chrono::microseconds Patience = {});
  /// Runs what is still queued, then ends the thread.
  ~Worker();

  /// Queues \p Op and returns at once.
  std::shared_ptr<Completion> enqueue(Operation Op);
  /// Waits for \p End, an operation's. What comes before and itself run on the
  /// calling thread, unless one runs elsewhere already.
  void wait(const Completion &End);
  /// Blocks until nothing is queued or running. Not from the worker itself.
  void drain();
  /// Whether nothing is queued or running.
  bool idle();
  /// Whether the caller is one of the operations.
  bool isCurrentThread() const {
    return std::this_thread::get_id() == Runner.load(std::memory_order_relaxed);
  }

private:
  struct Item {
    Operation Op;
    std::shared_ptr<Completion> End;
  };
  void run();
  void leaveToWaiter(std::unique_lock<std::mutex> &Lock);
  void runFirst(std::unique_lock<std::mutex> &Lock);

  std::mutex Mutex;
  std::condition_variable Wake;
  std::condition_variable Drained;
  std::deque<Item> Items;
  bool Running = false;
  bool Stop = false;
  const std::chrono::microseconds Patience;
  /// Whether a waiter is expected, has come and left something; when there was
  /// something to do again.
  bool IsPatient = true;
  bool HasLeft = false;
  Clock::time_point Begin;
  /// Who runs an operation.
  std::atomic<std::thread::id> Runner{};
  std::thread Thread;
};

} // namespace accx

#endif // ACCX_DEVICE_WORKER_H
