//===- FaultQueues.cpp - Queues and events that fail on demand ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of AsyncQueue.h in place of the wrapped plugin's.
//
//===----------------------------------------------------------------------===//

#include "FaultPlugin.h"
#include "Faults.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace fault {

/// Calls that nobody took. Counting orders no threads, as that would hide races
/// from the thread sanitizer.
static std::atomic<unsigned long> NumRecords{0}, NumWaits{0}, NumQueries{0},
    NumMeetings{0};

static void note(std::atomic<unsigned long> &Calls) {
  Calls.fetch_add(1, std::memory_order_relaxed);
}

accx_fault_event_calls takeEventCalls() {
  auto Take = [](std::atomic<unsigned long> &Calls) {
    return Calls.exchange(0, std::memory_order_relaxed);
  };
  return {Take(NumRecords), Take(NumWaits), Take(NumQueries),
          Take(NumMeetings)};
}

static accx_status report(Failure F) {
  return F.Code <= ACCX_NOT_READY ? F.Code : fail(F.Code, F.Text);
}

accx_status queueCreate(accx_device Device, accx_queue *Queue) {
  if (accx_status S = count("queue_create", Device))
    return S;
  *Queue = reinterpret_cast<accx_queue>(new AsyncQueue(Device, Options.Delay));
  return ACCX_OK;
}

void queueDestroy(accx_queue Queue) { delete toQueue(Queue); }

accx_status queueWait(accx_queue Queue) {
  Failure F = toQueue(Queue)->wait();
  if (F.Code != ACCX_OK)
    return report(std::move(F));
  return count("queue_wait", toQueue(Queue)->device());
}

accx_status queueQuery(accx_queue Queue) {
  forgetText();
  return report(toQueue(Queue)->query());
}

accx_status queueStart(accx_queue Queue) {
  toQueue(Queue)->start();
  return ACCX_OK;
}

accx_status queuesMeet(const accx_queue *Queues, uint32_t Num) {
  note(NumMeetings);
  if (accx_status S = count("queues_meet", nullptr))
    return S;
  std::vector<std::shared_ptr<Moment>> Moments;
  for (uint32_t I = 0; I < Num; ++I) {
    AsyncQueue *Q = toQueue(Queues[I]);
    auto Own = Moments.emplace_back(std::make_shared<Moment>());
    Q->pushAlways([Own, Q] { Own->happen(Q->failure()); });
  }
  for (uint32_t I = 0; I < Num; ++I)
    toQueue(Queues[I])->pushAlways([Moments] {
      for (const auto &When : Moments)
        When->wait();
    });
  return ACCX_OK;
}

accx_status queueCheck(accx_queue Queue) {
  note(NumQueries);
  forgetText();
  return report(toQueue(Queue)->failure());
}

accx_status eventCreate(accx_device Device, accx_event *Event) {
  if (accx_status S = count("event_create", Device))
    return S;
  *Event = reinterpret_cast<accx_event>(new AsyncEvent);
  return ACCX_OK;
}

void eventDestroy(accx_event Event) { delete toEvent(Event); }

accx_status eventRecord(accx_event Event, accx_queue Queue) {
  note(NumRecords);
  if (accx_status S = count("event_record", nullptr))
    return S;
  toEvent(Event)->record(toQueue(Queue));
  return ACCX_OK;
}

accx_status eventWait(accx_event Event, accx_queue Queue) {
  note(NumWaits);
  if (accx_status S = count("event_wait", nullptr))
    return S;
  auto When = toEvent(Event)->moment();
  if (!When)
    return ACCX_OK;
  if (Queue)
    toQueue(Queue)->pushAlways([When] { When->wait(); });
  else
    When->wait();
  return ACCX_OK;
}

accx_status eventSync(accx_event Event) {
  if (accx_status S = count("event_sync", nullptr))
    return S;
  if (auto When = toEvent(Event)->moment())
    When->wait();
  return ACCX_OK;
}

accx_status eventQuery(accx_event Event) {
  note(NumQueries);
  forgetText();
  auto When = toEvent(Event)->moment();
  if (When && !When->happened())
    return ACCX_NOT_READY;
  return When ? report(When->failure()) : ACCX_OK;
}

} // namespace fault
