//===- ProfCallbacks.cpp - Callbacks of OpenACC's profiling interface -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who is registered for which event, and who is switched off. Lists are copied
// for a call, so that a callback may register and unregister.
//
//===----------------------------------------------------------------------===//

#include "report/Prof.h"

#include <algorithm>
#include <mutex>
#include <vector>

using namespace accx;

constinit std::atomic<uint32_t> accx::prof::detail::Wanted{0};

namespace {

struct Registered {
  acc_prof_callback Function;
  unsigned Count = 1;
  bool Enabled = true;
};

struct EventList {
  std::vector<Registered> Callbacks; ///< In the order of calls.
  bool Enabled = true;
};

struct Lists {
  std::mutex Mutex;
  /// That of acc_ev_none switches all others.
  EventList Of[acc_ev_last];
};

/// Never destroyed: threads of the program may offload while it exits.
Lists &lists() {
  static auto *const All = new Lists;
  return *All;
}

constinit thread_local bool ThreadEnabled = true;
/// What a callback does triggers nothing.
constinit thread_local bool InCallback = false;

/// Events that end something: their callbacks come in reverse order.
constexpr bool isEnd(acc_event_t Event) {
  return Event == acc_ev_device_init_end ||
         Event == acc_ev_device_shutdown_end ||
         (Event >= acc_ev_enter_data_end && Event % 2 == 1);
}
static_assert(isEnd(acc_ev_wait_end) && isEnd(acc_ev_enqueue_launch_end) &&
              isEnd(acc_ev_update_end) && !isEnd(acc_ev_wait_start) &&
              !isEnd(acc_ev_runtime_shutdown) && !isEnd(acc_ev_delete) &&
              !isEnd(acc_ev_free) && !isEnd(acc_ev_enter_data_start));

bool isEvent(acc_event_t Event) {
  return Event >= acc_ev_none && Event < acc_ev_last;
}

Registered *find(EventList &List, acc_prof_callback Callback) {
  auto It =
      std::find_if(List.Callbacks.begin(), List.Callbacks.end(),
                   [=](const Registered &R) { return R.Function == Callback; });
  return It == List.Callbacks.end() ? nullptr : &*It;
}

/// Call with the mutex held.
void publishWanted(const Lists &All) {
  uint32_t Bits = 0;
  for (int Event = acc_ev_none + 1; Event < acc_ev_last; ++Event)
    if (!All.Of[Event].Callbacks.empty())
      Bits |= uint32_t(1) << Event;
  prof::detail::Wanted.store(Bits, std::memory_order_release);
}

void add(acc_event_t Event, acc_prof_callback Callback) {
  Lists &All = lists();
  std::lock_guard Lock(All.Mutex);
  EventList &List = All.Of[Event];
  if (Registered *R = find(List, Callback)) {
    ++R->Count;
    return;
  }
  List.Callbacks.insert(
      isEnd(Event) ? List.Callbacks.begin() : List.Callbacks.end(), {Callback});
  publishWanted(All);
}

void remove(acc_event_t Event, acc_prof_callback Callback) {
  Lists &All = lists();
  std::lock_guard Lock(All.Mutex);
  EventList &List = All.Of[Event];
  Registered *R = find(List, Callback);
  if (!R || --R->Count)
    return;
  List.Callbacks.erase(List.Callbacks.begin() + (R - List.Callbacks.data()));
  publishWanted(All);
}

void toggle(acc_event_t Event, acc_prof_callback Callback, bool On) {
  Lists &All = lists();
  std::lock_guard Lock(All.Mutex);
  EventList &List = All.Of[Event];
  if (!Callback)
    List.Enabled = On;
  else if (Registered *R = find(List, Callback))
    R->Enabled = On;
}

void change(acc_event_t Event, acc_prof_callback Callback, acc_register_t What,
            bool On) {
  if (!isEvent(Event))
    return;
  switch (What) {
  case acc_reg:
    if (Event != acc_ev_none && Callback)
      On ? add(Event, Callback) : remove(Event, Callback);
    return;
  case acc_toggle:
    if (Event != acc_ev_none || !Callback)
      toggle(Event, Callback, On);
    return;
  case acc_toggle_per_thread:
    if (Event == acc_ev_none && !Callback)
      ThreadEnabled = On;
    return;
  }
}

} // namespace

void prof::registerCallback(acc_event_t Event, acc_prof_callback Callback,
                            acc_register_t What) {
  change(Event, Callback, What, true);
}

void prof::unregisterCallback(acc_event_t Event, acc_prof_callback Callback,
                              acc_register_t What) {
  change(Event, Callback, What, false);
}

void prof::callAll(acc_prof_info &Info, acc_event_info &Event,
                   acc_api_info &Api) {
  if (!ThreadEnabled || InCallback)
    return;
  std::vector<Registered> Calls;
  {
    Lists &All = lists();
    std::lock_guard Lock(All.Mutex);
    const EventList &List = All.Of[Info.event_type];
    if (!All.Of[acc_ev_none].Enabled || !List.Enabled)
      return;
    Calls = List.Callbacks;
  }
  InCallback = true;
  for (const Registered &R : Calls)
    if (R.Enabled)
      R.Function(&Info, &Event, &Api);
  InCallback = false;
}
