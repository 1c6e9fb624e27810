//===- Events.cpp - The program's events ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of accx/event.h that are no transfers.
//
//===----------------------------------------------------------------------===//

#include "abi/Libomp.h"
#include "abi/NextTarget.h"
#include "abi/Operations.h"
#include "device/QueuePoint.h"
#include "event/Progress.h"
#include "event/UserEvent.h"

#include <cerrno>

using namespace accx;
using acc::eventOf;

//===----------------------------------------------------------------------===//
// Asking and waiting
//===----------------------------------------------------------------------===//

ACCX_ABI int accx_event_wait(int Num, const accx_event_t *Events) {
  std::vector<EventRef> All;
  return acc::takeEvents(Num, Events, All) ? acc::waitAndTell(All) : -EINVAL;
}

ACCX_ABI int accx_event_status(accx_event_t E) {
  if (!E)
    return -EINVAL;
  Event &Of = *eventOf(E);
  int Status = Of.status();
  if (Status == Event::UnderWay && Progress::helps()) {
    Progress::run();
    Status = Of.status();
  }
  return acc::tell(Of, Status);
}

ACCX_ABI const char *accx_event_message(accx_event_t E) {
  return E ? eventOf(E)->message() : "";
}

ACCX_ABI int accx_event_times(accx_event_t E, uint64_t Ns[4]) {
  if (!E || !Ns)
    return -EINVAL;
  for (int I = 0; I < 4; ++I)
    Ns[I] = eventOf(E)->time(static_cast<Event::Time>(I));
  return 0;
}

ACCX_ABI int accx_event_callback(accx_event_t E,
                                 void (*Call)(accx_event_t, int, void *),
                                 void *Data) {
  if (!E || !Call)
    return -EINVAL;
  eventOf(E)->then(
      [=](Event &Of) { Call(&Of, acc::tell(Of, Of.status()), Data); });
  return 0;
}

ACCX_ABI int accx_event_fulfill(accx_event_t E, uintptr_t Handle) {
  if (!E || !omp_fulfill_event)
    return -EINVAL;
  eventOf(E)->then([=](Event &) { omp_fulfill_event(Handle); });
  return 0;
}

ACCX_ABI int accx_event_release(accx_event_t E) {
  if (E)
    eventOf(E)->release();
  return 0;
}

ACCX_ABI int accx_event_retain(accx_event_t E) {
  if (!E)
    return -EINVAL;
  eventOf(E)->retain();
  return 0;
}

ACCX_ABI int accx_event_create_user(accx_event_t *E) {
  if (!E)
    return -EINVAL;
  *E = new UserEvent;
  return 0;
}

ACCX_ABI int accx_event_complete(accx_event_t E, int Status) {
  if (!E || !eventOf(E)->isUsers() || Status > 0)
    return -EINVAL;
  return eventOf(E)->finish(Status, Status ? "the program ended it with " +
                                                 std::to_string(Status)
                                           : std::string())
             ? 0
             : -EALREADY;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

namespace {

/// What is queued next on \p Queue, by the holder of its Order, comes after
/// \p For.
void holdBack(const acc::Routine &Self, AsyncQueue &Queue,
              const std::vector<EventRef> &For) {
  acc::setPlace(Queue, Self);
  Queue.waitFor(For);
}

} // namespace

ACCX_ABI int accx_event_of_queue(int Argument, accx_event_t *E) {
  ACCX_ROUTINE(accx_event_of_queue);
  if (!E)
    return -EINVAL;
  *E = nullptr;
  AsyncQueue *Queue = nullptr;
  const acc::OperationCall Call = {Self, Argument, 0, nullptr, E};
  if (const int Code = Call.findQueue(acc::currentDevice(Self), Queue))
    return Code;
  if (!Queue) {
    auto Done = EventRef::adopt(new Event);
    Done->finish(0);
    *E = Done.take();
    return 0;
  }
  auto *Point = new QueuePoint;
  Point->set(*Queue, Queue->mark());
  *E = Point;
  return 0;
}

ACCX_ABI int accx_queue_wait(int Argument, int Num,
                             const accx_event_t *Events) {
  ACCX_ROUTINE(accx_queue_wait);
  std::vector<EventRef> For;
  AsyncQueue *Queue = nullptr;
  if (!acc::takeEvents(Num, Events, For))
    return -EINVAL;
  const acc::OperationCall Call = {Self, Argument, Num, Events, nullptr};
  if (const int Code = Call.findQueue(acc::currentDevice(Self), Queue))
    return Code;
  if (!Queue)
    return acc::waitAndTell(For);
  std::lock_guard Lock(Queue->Order);
  holdBack(Self, *Queue, For);
  return 0;
}

ACCX_ABI int accx_next_target(int Argument, int Num, const accx_event_t *Wait,
                              accx_event_t *E) {
  ACCX_ROUTINE(accx_next_target);
  std::vector<EventRef> For;
  AsyncQueue *Queue = nullptr;
  // The event may take the place of one that is waited for.
  const bool MakesSense =
      Argument != acc_async_sync && acc::takeEvents(Num, Wait, For);
  if (E)
    *E = nullptr;
  if (!MakesSense)
    return -EINVAL;
  const acc::OperationCall Call = {Self, Argument, Num, Wait, E};
  if (const int Code = Call.findQueue(acc::currentDevice(Self), Queue))
    return Code;
  if (!Queue) {
    // The construct runs on this thread, before it does anything else.
    const int Code = acc::waitAndTell(For);
    if (E) {
      auto Done = EventRef::adopt(new Event);
      Done->finish(Code ? -ECANCELED : 0, "what it waits for failed");
      *E = Done.take();
    }
    return Code;
  }
  {
    std::lock_guard Lock(Queue->Order);
    holdBack(Self, *Queue, For);
  }
  auto Point = E ? EventRef::adopt(new QueuePoint) : EventRef();
  if (E)
    *E = EventRef(Point).take();
  setNextTarget(*Queue, acc::queueNumber(Argument, Self), std::move(Point));
  return 0;
}
