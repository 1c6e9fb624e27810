//===- Event.h - What ends, well or not -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of an operation as a value that others wait for: status, text, times
// and callbacks. Knows neither devices nor queues.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_EVENT_EVENT_H
#define ACCX_EVENT_EVENT_H

#include "accx/thread_order.h"
#include "support/Error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace accx {
class AsyncQueue;
class QueueEvent;
} // namespace accx

/// What accx_event_t points to: the program's name for accx::Event.
struct accx_event_object {}; // NOLINT(readability-identifier-naming)

namespace accx {

/// Counts references; see EventRef.
class Event : public accx_event_object {
public:
  static constexpr int UnderWay = 1;
  enum Time { Queued, Submitted, Started, Ended };
  using Callback = std::function<void(Event &)>;

  Event();
  virtual ~Event() { drop(); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  void retain() { References.fetch_add(1, std::memory_order_relaxed); }
  /// The same unless it is about to go.
  bool tryRetain() {
    unsigned Now = References.load(std::memory_order_relaxed);
    while (Now && !References.compare_exchange_weak(Now, Now + 1,
                                                    std::memory_order_relaxed))
      ;
    return Now != 0;
  }
  void release() {
    if (References.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// 0, UnderWay, or a negative error number. Looks again where nobody tells.
  int status() {
    const int S = Current.load(std::memory_order_acquire);
    return S == UnderWay ? look() : seen(S);
  }
  bool done() { return status() != UnderWay; }
  /// Of an event that failed; empty otherwise.
  const char *message() const;
  /// Nanoseconds of the steady clock; 0: not yet.
  uint64_t time(Time T) const {
    return Times[T].load(std::memory_order_relaxed);
  }
  /// Sets it to now, unless it is set.
  void stamp(Time T);

  /// Ends it, the first time, and calls callbacks. False if it had ended.
  bool finish(int Code, std::string Text = {});
  /// Calls \p Then once when it has ended, now if it has.
  void then(Callback Then);
  /// Blocks, looking where nobody tells; runs progress functions meanwhile.
  int wait();

  /// Keeps \p Data, which \p Drop takes back when the event goes. Once: false
  /// the second time.
  bool attach(void *Data, void (*Drop)(void *));
  void *attached() const { return Attached.load(std::memory_order_acquire); }

  /// The program ends it: accx_event_complete may.
  virtual bool isUsers() const { return false; }
  /// The queue that fails with it, and the number of that failure: who is told
  /// tells the queue. Both are set before it fails.
  std::atomic<AsyncQueue *> Of{nullptr};
  std::atomic<uint64_t> FailureId{0};
  /// Of the end of what is on a queue, which devices may wait for; null if it
  /// is something else.
  virtual const std::shared_ptr<QueueEvent> *queuePoint() { return nullptr; }

protected:
  /// Finds out whether it has ended, and finishes it then. For events that
  /// nobody finishes otherwise.
  virtual void poll() {}
  /// Whether poll() has to be called.
  bool NeedsPoll = false;

private:
  int look();
  /// What a thread saw the event to be.
  int seen(int Code) const {
    accx_order_after(this);
    return Code;
  }
  void drop();

  std::atomic<int> Current{UnderWay};
  std::atomic<unsigned> References{1};
  std::atomic<uint64_t> Times[4] = {};
  std::mutex Mutex;
  std::string Text;
  std::vector<Callback> Calls;
  std::atomic<void *> Attached{nullptr};
  void (*DropAttached)(void *) = nullptr; ///< Guarded by Mutex.
  bool Ending = false;
  friend class Progress;
};

/// A reference to an event.
class EventRef {
  Event *E = nullptr;

public:
  EventRef() = default;
  /// Takes over a reference.
  static EventRef adopt(Event *E) {
    EventRef R;
    R.E = E;
    return R;
  }
  explicit EventRef(Event *Of) : E(Of) {
    if (E)
      E->retain();
  }
  EventRef(const EventRef &O) : EventRef(O.E) {}
  EventRef(EventRef &&O) noexcept : E(std::exchange(O.E, nullptr)) {}
  EventRef &operator=(EventRef O) noexcept {
    std::swap(E, O.E);
    return *this;
  }
  ~EventRef() {
    if (E)
      E->release();
  }
  Event *get() const { return E; }
  Event *operator->() const { return E; }
  Event &operator*() const { return *E; }
  explicit operator bool() const { return E != nullptr; }
  /// Gives the reference away.
  Event *take() { return std::exchange(E, nullptr); }
};

/// Blocks until all have ended. Empty, or why what waits for them must not be
/// done.
std::string awaitEvents(const std::vector<EventRef> &Events);

} // namespace accx

#endif // ACCX_EVENT_EVENT_H
