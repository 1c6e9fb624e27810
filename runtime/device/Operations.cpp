//===- Operations.cpp - Events and queues ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host does in a queue's order and what of a queue waits for events;
// how failures of either stop what depends on them.
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"
#include "device/Device.h"
#include "event/Progress.h"

#include <cerrno>

using namespace accx;

std::pair<Status, uint64_t> AsyncQueue::lastFailure() {
  std::lock_guard Lock(Issue);
  return {Status(ErrorCode::Unknown, FailureText), FailureId};
}

/// Makes the queue fail; the number of the failure that it has then. \p Of is
/// the operation's source record: the queue has gone on.
uint64_t AsyncQueue::failAs(const std::string &Text, const char *Of) {
  std::lock_guard Lock(Issue);
  fail(Status(ErrorCode::Unknown, Text), Of);
  return FailureId;
}

void AsyncQueue::told(uint64_t Id) {
  std::lock_guard Lock(Issue);
  if (Failure.failed() && Id == FailureId)
    forget();
}

/// Ends \p E, of an operation of place \p Place; a failure is the queue's, too.
void AsyncQueue::end(Event &E, OperationEnd With, const char *Place) {
  if (With.Code == 0)
    return (void)E.finish(0);
  E.FailureId.store(failAs(With.Text, Place), std::memory_order_relaxed);
  E.Of.store(this, std::memory_order_relaxed);
  E.finish(With.Code, std::move(With.Text));
}

/// Looks for the end of an operation that the device has yet to reach.
class AsyncQueue::Resting final : public Event {
  AsyncQueue &Q;
  const EventRef End;
  const char *const Place;
  std::mutex Mutex;
  OperationEnd With; ///< Guarded by Mutex.

  void poll() override {
    std::unique_lock Lock(Mutex, std::try_to_lock);
    if (!Lock || !With.Rest || !With.Rest(With))
      return;
    With.Rest = nullptr;
    Q.NumResting.fetch_sub(1, std::memory_order_relaxed);
    Q.end(*End, {With.Code, With.Text, nullptr}, Place);
    finish(0);
  }

public:
  Resting(AsyncQueue &Q, EventRef End, OperationEnd With, const char *Place)
      : Q(Q), End(std::move(End)), Place(Place), With(std::move(With)) {
    NeedsPoll = true;
  }
};

/// Operations that may be at rest; each keeps pinned memory.
static constexpr unsigned MaxResting = 8;

void AsyncQueue::issueOperation(EventRef End, std::vector<EventRef> For,
                                Operation Op) {
  auto Run =
      [this, End = std::move(End), For = std::move(For), Op = std::move(Op),
       Place = Source.load(std::memory_order_relaxed)](accx_queue Queue) {
        if (leavesOut()) {
          auto [Why, Id] = lastFailure();
          End->Of.store(this, std::memory_order_relaxed);
          End->FailureId.store(Id, std::memory_order_relaxed);
          End->finish(-ECANCELED,
                      "not done, as its queue failed before: " + Why.text());
          return Status();
        }
        if (std::string Why = awaitEvents(For); !Why.empty()) {
          end(*End, {-ECANCELED, std::move(Why), nullptr}, Place);
          return Status();
        }
        End->stamp(Event::Submitted);
        // Without more behind it a thread less is concerned.
        const bool MayRest =
            Pending.load(std::memory_order_relaxed) > 1 &&
            NumResting.load(std::memory_order_relaxed) < MaxResting;
        OperationEnd With = Op(Queue, MayRest);
        if (With.Code || !With.Rest) {
          end(*End, std::move(With), Place);
          return Status();
        }
        NumResting.fetch_add(1, std::memory_order_relaxed);
        Progress::get().watch(
            EventRef::adopt(new Resting(*this, End, std::move(With), Place)));
        return Status();
      };
  startWaits();
  std::unique_lock Lock(Issue);
  post(std::move(Run), /*Always=*/true);
  Lock.unlock();
  settleShared();
}

void AsyncQueue::waitFor(const std::vector<EventRef> &For) {
  std::vector<EventRef> OnHost;
  for (const EventRef &E : For) {
    if (E->status() == 0)
      continue;
    const QueueEventRef *Point = E->queuePoint();
    if (Point && (*Point)->isOnDevice() && !Failed.load())
      waitFor(*Point);
    else
      OnHost.push_back(E);
  }
  if (OnHost.empty())
    return;
  startWaits();
  std::unique_lock Lock(Issue);
  post([OnHost = std::move(OnHost)](accx_queue) {
    std::string Why = awaitEvents(OnHost);
    return Why.empty() ? Status() : Status(ErrorCode::Unknown, std::move(Why));
  });
  Lock.unlock();
  settleShared();
}
