//===- Prof.h - Events of OpenACC's profiling interface ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events for the callbacks of acc_prof.h. A construct opens an EventScope that
// says what its thread is in; the scopes and events inside take place, queue
// and parent from it. Without callbacks a scope costs one relaxed load.
//
// Never trigger an event with a lock held that a routine of the program takes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_PROF_H
#define ACCX_REPORT_PROF_H

#include "report/Source.h"

#include <acc_prof.h>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace accx::prof {

namespace detail {
/// Bit of each event that has a callback.
extern std::atomic<uint32_t> Wanted;
} // namespace detail

/// Whether any callback is registered.
inline bool enabled() {
  return detail::Wanted.load(std::memory_order_relaxed) != 0;
}

/// A device as tools see it.
struct DeviceFacts {
  acc_device_t Type = acc_device_none;
  int Number = 0;
  acc_device_api Api = acc_device_api_none;
  void *Device = nullptr, *Context = nullptr, *Queue = nullptr;
};
/// Tells of device \p Id and its queue \p Async; called for every event.
using Describer = DeviceFacts (*)(int Id, int64_t Async);
void setDescriber(Describer Function);

/// A construct or routine.
struct ConstructFacts {
  acc_construct_t Kind;
  int Device;
  const Ident *Loc = nullptr; ///< May be null.
  /// Number of the queue, or acc_async_sync.
  int64_t Async = acc_async_sync;
};

/// A variable, or memory.
struct DataFacts {
  int Device;
  const void *Name = nullptr; ///< A map item's record, or null.
  size_t Bytes = 0;
  const void *Host = nullptr, *OnDevice = nullptr;
  bool Implicit = true;
};

struct LaunchFacts {
  int Device;
  const char *Kernel;
  size_t Gangs, Workers, VectorLength;
};

/// From one of its functions to destruction: a start event and its end. Call
/// one of them, if enabled().
class EventScope {
  struct Open;
  Open *O = nullptr;

  [[gnu::cold]] void end();

public:
  EventScope() = default;
  ~EventScope() {
    if (O) [[unlikely]]
      end();
  }
  EventScope(const EventScope &) = delete;
  EventScope &operator=(const EventScope &) = delete;

  /// The calling thread is in the construct while the scope lives. Inside of
  /// another construct this is a step of that one.
  [[gnu::cold]] void construct(acc_event_t Start, const ConstructFacts &Facts);
  /// The same without events: for routines that only cause others.
  [[gnu::cold]] void inside(const ConstructFacts &Facts);
  /// A step of the thread's construct; without one, of no queue. \p Device:
  /// where there is no construct.
  [[gnu::cold]] void step(acc_event_t Start, int Device, bool Implicit);
  [[gnu::cold]] void data(acc_event_t Start, const DataFacts &Facts);
  [[gnu::cold]] void launch(acc_event_t Start, const LaunchFacts &Facts);
};

/// An event that has no end: create, delete, alloc, free.
[[gnu::cold]] void dataEvent(acc_event_t Event, const DataFacts &Facts);
/// Of the whole process; no event comes after it.
void runtimeShutdown(int Device);

/// \name Registration; see acc_prof.h
/// @{
void registerCallback(acc_event_t Event, acc_prof_callback Callback,
                      acc_register_t What);
void unregisterCallback(acc_event_t Event, acc_prof_callback Callback,
                        acc_register_t What);
/// Calls the callbacks of Info.event_type, in its order, unless they are
/// switched off.
void callAll(acc_prof_info &Info, acc_event_info &Event, acc_api_info &Api);
/// @}

} // namespace accx::prof

#endif // ACCX_REPORT_PROF_H
