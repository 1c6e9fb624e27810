//===- Event.cpp - What ends, well or not ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "event/Event.h"

#include "event/Progress.h"
#include "support/Backoff.h"

#include <chrono>

using namespace accx;

Event::Event() { stamp(Queued); }

void Event::drop() {
  if (DropAttached)
    DropAttached(Attached.load(std::memory_order_relaxed));
}

bool Event::attach(void *Data, void (*Drop)(void *)) {
  std::lock_guard Lock(Mutex);
  if (DropAttached || !Data || !Drop)
    return false;
  DropAttached = Drop;
  Attached.store(Data, std::memory_order_release);
  return true;
}

void Event::stamp(Time T) {
  const auto Now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
  uint64_t Unset = 0;
  Times[T].compare_exchange_strong(Unset, static_cast<uint64_t>(Now.count()),
                                   std::memory_order_relaxed);
}

const char *Event::message() const {
  // Written before the status, and never again.
  return Current.load(std::memory_order_acquire) < 0 ? Text.c_str() : "";
}

bool Event::finish(int Code, std::string Message) {
  EventRef Self(this); // Callbacks may give back the last one.
  std::vector<Callback> Then;
  {
    std::lock_guard Lock(Mutex);
    if (Ending)
      return false;
    Ending = true;
    Text = std::move(Message);
    stamp(Submitted);
    stamp(Started);
    stamp(Ended);
    Then.swap(Calls);
    accx_order_before(this);
    // Sequentially consistent: notify_all() looks for waiters next.
    Current.store(Code, std::memory_order_seq_cst);
  }
  Current.notify_all();
  for (const Callback &Call : Then)
    Call(*this);
  return true;
}

void Event::then(Callback Then) {
  {
    std::lock_guard Lock(Mutex);
    if (!Ending) {
      Calls.push_back(std::move(Then));
      Then = nullptr;
    }
  }
  if (Then)
    Then(*this);
  else if (NeedsPoll)
    Progress::get().watch(EventRef(this));
}

int Event::look() {
  if (NeedsPoll)
    poll();
  return seen(Current.load(std::memory_order_acquire));
}

int Event::wait() {
  if (!NeedsPoll && !Progress::helps()) {
    Current.wait(UnderWay, std::memory_order_acquire);
    return seen(Current.load(std::memory_order_acquire));
  }
  Backoff Pauses;
  for (;;) {
    if (const int S = status(); S != UnderWay)
      return S;
    if (Progress::run())
      Pauses.reset();
    Pauses.pause(Progress::spin());
  }
}

std::string accx::awaitEvents(const std::vector<EventRef> &Events) {
  for (const EventRef &E : Events)
    if (E->wait() < 0)
      return std::string("not done, as what it waits for failed: ") +
             E->message();
  return {};
}
