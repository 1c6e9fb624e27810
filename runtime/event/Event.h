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

#include "support/Error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace accx {
class AsyncQueue;
class Event;
} // namespace accx

/// What accx_event_t points to: the program's name for accx::Event.
struct accx_event_s {};

namespace accx {

/// Counts references; see EventRef.
class Event : public accx_event_s {
public:
  static constexpr int UnderWay = 1;
  enum Time { Queued, Submitted, Started, Ended };
  using Callback = std::function<void(Event &)>;

  Event();
  virtual ~Event();
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  void retain() { References.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (References.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// 0, UnderWay, or a negative error number. Looks again where nobody tells.
  int status() {
    const int S = Current.load(std::memory_order_acquire);
    return S == UnderWay ? look() : S;
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

  /// The program ends it: accx_event_complete may.
  bool IsUsers = false;
  /// The queue that fails with it, if any: who is told of the failure tells the
  /// queue.
  AsyncQueue *Of = nullptr;

protected:
  /// Finds out whether it has ended, and finishes it then. For events that
  /// nobody finishes otherwise.
  virtual void poll() {}
  /// Whether poll() has to be called.
  bool NeedsPoll = false;

private:
  int look();

  std::atomic<int> Current{UnderWay};
  std::atomic<unsigned> References{1};
  std::atomic<uint64_t> Times[4] = {};
  std::mutex Mutex;
  std::string Text;
  std::vector<Callback> Calls;
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

} // namespace accx

#endif // ACCX_EVENT_EVENT_H
