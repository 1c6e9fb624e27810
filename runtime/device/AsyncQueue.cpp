//===- AsyncQueue.cpp - In-order queues that outlive constructs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"

#include "device/Device.h"
#include "event/Progress.h"
#include "report/Activity.h"
#include "support/Backoff.h"
#include "support/Environment.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

using namespace accx;

thread_local constinit int64_t asyncScope::detail::Current = None;

namespace {

/// Copies from pageable memory up to this size the driver only stages.
constexpr size_t StagedBytes = size_t(64) << 10;
/// Copies to pageable memory beyond this size the driver waits for.
constexpr size_t DeliveredBytes = size_t(4) << 10;
/// A wait asks the queue again and again for so long.
constexpr std::chrono::microseconds PollTime(50);
/// Who queues work of a thread comes to wait for it within so long, or does
/// something else meanwhile.
constexpr std::chrono::microseconds WaiterTime(100);
/// Ranges of host bytes to be written that are told apart.
constexpr size_t MaxWrites = 64;

size_t span(size_t Pitch, const accx_copy &C) {
  return C.height > 1 ? Pitch * (C.height - 1) + C.width : C.width;
}

} // namespace

//===----------------------------------------------------------------------===//
// QueueEvent
//===----------------------------------------------------------------------===//

namespace {

/// The plugins' events that nobody uses, which are kept: to make one costs as
/// much as to queue a copy. Never destroyed, as events go while the process
/// ends.
class EventPool {
  std::mutex Mutex;
  std::map<const Device *, std::vector<accx_event>> Idle;

public:
  static EventPool &get() {
    static EventPool &All = *new EventPool;
    return All;
  }
  Status take(Device &D, accx_event &E) {
    {
      std::lock_guard Lock(Mutex);
      if (auto &Own = Idle[&D]; !Own.empty()) {
        E = Own.back();
        Own.pop_back();
        return Status();
      }
    }
    return D.plugin().check(D.plugin().api().event_create(D.handle(), &E));
  }
  void give(Device &D, accx_event E) {
    std::lock_guard Lock(Mutex);
    Idle[&D].push_back(E);
  }
};

} // namespace

QueueEvent::~QueueEvent() {
  if (Native)
    EventPool::get().give(D, Native);
}

bool QueueEvent::done() const {
  if (Reached && !Reached->done())
    return false;
  // A failure is an end too.
  return !Native || D.plugin().api().event_query(Native) != ACCX_NOT_READY;
}

bool QueueEvent::failed() const {
  if (!Native || (Reached && !Reached->done()))
    return false;
  const accx_status Code = D.plugin().api().event_query(Native);
  return Code != ACCX_OK && Code != ACCX_NOT_READY;
}

Status QueueEvent::outcome() const {
  if (Before.failed())
    return Status(Before.code(), Before.text());
  return Native ? D.plugin().check(D.plugin().api().event_query(Native))
                : Status();
}

Status QueueEvent::wait() const {
  if (Reached)
    Reached->wait();
  return Native ? D.plugin().check(D.plugin().api().event_sync(Native))
                : Status();
}

void QueueEvent::await() const {
  for (Backoff Pauses; !done(); Pauses.pause(Progress::spin()))
    if (Progress::run())
      Pauses.reset();
}

Status QueueEvent::holdBack(const Plugin &Owner, accx_queue Queue) const {
  if (!Native || &D.plugin() != &Owner)
    return wait();
  // Recorded is what it has to be before the device can wait for it.
  if (Reached)
    Reached->wait();
  return Owner.check(Owner.api().event_wait(Native, Queue));
}

//===----------------------------------------------------------------------===//
// Queuing
//===----------------------------------------------------------------------===//

AsyncQueue::AsyncQueue(Device &D, accx_queue Native, unsigned Index)
    : D(D), Native(Native), Index(Index) {}

/// Whether the caller could not go on at once: the driver would block, or
/// would read host memory too early.
bool AsyncQueue::takesTime(const accx_copy &C) {
  const size_t Bytes = C.width * C.height;
  if (C.direction == ACCX_FROM_DEVICE) {
    const auto Begin = reinterpret_cast<uintptr_t>(C.dst);
    if (Writes.size() == MaxWrites) {
      HostBytes All = Writes.front();
      for (const HostBytes &W : Writes)
        All = {std::min(All.Begin, W.Begin), std::max(All.End, W.End), TailsIn,
               NumIssued};
      Writes.assign(1, All);
    }
    Writes.push_back(
        {Begin, Begin + span(C.dst_pitch, C), TailsIn, NumIssued + 1});
    return Bytes > DeliveredBytes || C.height > 1;
  }
  if (C.direction != ACCX_TO_DEVICE)
    return false;
  if (Bytes > StagedBytes || othersWriteHost())
    return true;
  const auto Begin = reinterpret_cast<uintptr_t>(C.src);
  const uintptr_t End = Begin + span(C.src_pitch, C);
  return std::any_of(Writes.begin(), Writes.end(), [&](const HostBytes &W) {
    return W.Begin < End && Begin < W.End;
  });
}

Status AsyncQueue::issueCopy(const accx_copy &Copy,
                             std::function<Status(accx_queue)> Op) {
  startWaits();
  std::unique_lock Lock(Issue);
  const bool Long = takesTime(Copy);
  if (takesDirectly() && !Long) {
    (void)takeNumber();
    return Op(Native);
  }
  if (Copy.direction != ACCX_TO_DEVICE || Foreign.empty()) {
    post(std::move(Op));
    Lock.unlock();
    settleShared();
    return Status();
  }
  post([Op = std::move(Op), After = std::move(Foreign)](accx_queue Queue) {
    for (const QueueEventRef &E : After)
      if (Status S = E->wait(); S.failed())
        return S;
    return Op(Queue);
  });
  Foreign.clear();
  Lock.unlock();
  settleShared();
  return Status();
}

void AsyncQueue::issueHost(std::function<Status()> Op) {
  startWaits();
  std::unique_lock Lock(Issue);
  post([this, Op = std::move(Op)](accx_queue Queue) {
    if (Queue)
      if (Status S = D.plugin().check(D.plugin().api().queue_wait(Queue));
          S.failed())
        return S;
    return Op();
  });
  Lock.unlock();
  settleShared();
}

bool AsyncQueue::mayHold() const {
  return Native && D.plugin().putsOff() &&
         !Shared.load(std::memory_order_relaxed) &&
         Environment::get().Sync != "1";
}

void AsyncQueue::startHeld() {
  std::lock_guard Lock(Issue);
  startLocked();
}

void AsyncQueue::startLocked() {
  if (!std::exchange(Holds, false))
    return;
  if (Status S = D.plugin().queueStart(Native); S.failed())
    fail(std::move(S), Source.load(std::memory_order_relaxed));
}

std::shared_ptr<Completion>
AsyncQueue::post(std::function<Status(accx_queue)> Op, bool Always) {
  const uint64_t Number = takeNumber();
  // What comes may block the thread.
  startLocked();
  if (!Thread)
    Thread = std::make_unique<Worker>(
        "accx-q" + std::to_string(D.id()) + "." + std::to_string(Index),
        Native ? std::chrono::microseconds() : WaiterTime);
  Pending.fetch_add(1, std::memory_order_relaxed);
  return Thread->enqueue([this, Op = std::move(Op), Always,
                          Of = Source.load(std::memory_order_relaxed),
                          Number] { return run(Op, Always, Of, Number); });
}

/// On the queue's thread. After a failure nothing more runs: it would work on
/// what the failed work should have made.
Status AsyncQueue::run(const std::function<Status(accx_queue)> &Op, bool Always,
                       const char *Of, uint64_t Number) {
  RunNumber = Number;
  if (Always || !leavesOut())
    if (Status S = Op(Native); S.failed()) {
      std::lock_guard Lock(Issue);
      fail(std::move(S), Of);
    }
  accx_order_before(&Pending);
  Pending.fetch_sub(1, std::memory_order_release);
  return Status();
}

void AsyncQueue::fail(Status S, const char *Of) {
  Latest = nullptr;
  if (Failure.failed())
    return;
  Failure = std::move(S);
  FailureText = Failure.text();
  FailureSource = Of;
  ++FailureId;
  Failed.store(true, std::memory_order_release);
  D.NumFailedQueues.fetch_add(1, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Points and waits
//===----------------------------------------------------------------------===//

QueueEventRef AsyncQueue::mark() {
  const auto Lock = lockForMark();
  return markLocked();
}

/// Without waits that were put off.
QueueEventRef AsyncQueue::markLocked(bool MayBeLate) {
  const QueueClock &Now = clockLocked();
  const auto IsStillLast = [&] {
    return Latest && Latest->NumIssued == NumIssued &&
           Latest->NumTails == TailsIn;
  };
  if (!MayBeLate || !IsStillLast())
    recordLate();
  if (IsStillLast())
    return Latest;
  auto E = Latest = std::make_shared<QueueEvent>(D);
  E->After = Now;
  E->NumTails = TailsIn;
  E->WritesHost = !Native || writesHost() || othersWriteHost();
  const bool Direct = idle();
  if (Direct && Failure.failed()) {
    E->Before = Status(Failure.code(), FailureText);
    E->FailureId = FailureId;
  }
  if (MayBeLate && Direct && !E->WritesHost && !E->Before.failed()) {
    Late = E;
    E->NumIssued = NumIssued;
    return E;
  }
  if (Native && !record(*E, Direct))
    E->After = {}; // Who waits for it waits for nothing.
  if (!Direct)
    E->Reached = post(
        [this, E](accx_queue Queue) {
          if (leavesOut())
            std::tie(E->Before, E->FailureId) = lastFailure();
          return E->Native ? D.plugin().check(D.plugin().api().event_record(
                                 E->Native, Queue))
                           : Status();
        },
        /*Always=*/true);
  E->NumIssued = NumIssued;
  return E;
}

/// Gives \p E an event of the plugin's, which the queue's thread is to record
/// if that is not done \p Now. False if the queue failed.
bool AsyncQueue::record(QueueEvent &E, bool Now) {
  Status S = EventPool::get().take(D, E.Native);
  if (S.ok() && Now)
    S = D.plugin().check(D.plugin().api().event_record(E.Native, Native));
  if (S.ok())
    return true;
  fail(std::move(S), Source.load(std::memory_order_relaxed));
  return false;
}

void AsyncQueue::settleThread() {
  Worker *W;
  {
    std::lock_guard Lock(Issue);
    W = Thread.get();
  }
  if (W && !W->isCurrentThread())
    W->drain();
}

Expected<void *> AsyncQueue::share() {
  void *NativeDevice = nullptr, *Context = nullptr, *Queue = nullptr;
  if (!Native)
    return Queue;
  std::lock_guard InOrder(Order);
  Shared.store(true, std::memory_order_relaxed);
  startWaits();
  settleThread();
  std::lock_guard Lock(Issue);
  (void)markLocked();
  if (Status S = D.plugin().check(D.plugin().api().native_handles(
          D.handle(), Native, &NativeDevice, &Context, &Queue));
      S.failed())
    return S;
  return Queue;
}

bool AsyncQueue::isCurrentThread() {
  std::lock_guard Lock(Issue);
  return Thread && Thread->isCurrentThread();
}

QueueOutcome AsyncQueue::wait() {
  // Small results come faster without an event, and short work is over soon.
  using Clock = std::chrono::steady_clock;
  QueueOutcome Outcome;
  if (Native) {
    for (const auto End = Clock::now() + PollTime; Clock::now() < End;)
      if (done(Outcome))
        return Outcome;
  } else if (done(Outcome)) {
    return Outcome;
  }
  return wait(*mark());
}

/// The caller would only wait, with threads that are awake.
void AsyncQueue::runUpTo(const QueueEvent &E) {
  Worker *W;
  {
    std::lock_guard Lock(Issue);
    W = Thread.get();
  }
  if (W && E.Reached)
    W->wait(*E.Reached);
}

QueueOutcome AsyncQueue::wait(const QueueEvent &E) {
  Status Synced;
  {
    ActivityInfo Activity;
    Activity.Device = D.id();
    Activity.What = "wait for queue";
    Activity.Queue = Index;
    ActivityScope Scope(ActivityKind::Wait, Activity);
    if (Progress::helps()) [[unlikely]]
      E.await();
    else if (!Native)
      runUpTo(E);
    Synced = E.wait();
  }
  TailList Passed;
  QueueOutcome Own;
  {
    std::lock_guard Lock(Issue);
    Own = takeFailure(E.NumIssued);
    if (Own.Result.ok() && Synced.failed())
      Own = {std::move(Synced), oldestPlace(), D.id()};
    if (Own.Result.ok())
      NumEnded = std::max(NumEnded, E.NumIssued);
    takeTails(E.NumTails, Passed);
  }
  return withUpstream(std::move(Own), E.NumIssued);
}

bool AsyncQueue::done(QueueOutcome &Outcome) {
  TailList Passed;
  uint64_t Asked = 0;
  if (HasPutOff.load(std::memory_order_relaxed) && !haveOthersPassed())
    return false;
  {
    std::lock_guard Lock(Issue);
    if (!idle() || !PutOff.empty())
      return false;
    const accx_status Code =
        Native ? D.plugin().api().queue_query(Native) : ACCX_OK;
    if (Code == ACCX_NOT_READY)
      return false;
    if (Status S = D.plugin().check(Code); S.failed())
      fail(std::move(S), oldestPlace());
    Outcome = takeKnownFailure();
    Asked = NumIssued;
    if (Outcome.Result.ok())
      NumEnded = NumIssued;
    takeTails(TailsIn, Passed);
  }
  Outcome = withUpstream(std::move(Outcome), Asked);
  return true;
}

/// Of a queue that was asked, or knows already.
QueueOutcome AsyncQueue::takeKnownFailure() {
  if (!Failure.failed())
    return {};
  QueueOutcome O = {std::move(Failure), FailureSource, D.id()};
  forget();
  return O;
}

/// What is queued by now worked on what the failed work should have made.
void AsyncQueue::forget() {
  Failure = Status();
  Latest = nullptr;
  D.NumFailedQueues.fetch_sub(1, std::memory_order_relaxed);
  SkipUpTo.store(NumIssued, std::memory_order_relaxed);
  Failed.store(false, std::memory_order_release);
}

/// Everything that was queued as one of the first \p UpTo is done. The plugin's
/// queue is asked too, as events may not tell, and a queue may need a moment
/// longer than its last event.
QueueOutcome AsyncQueue::takeFailure(uint64_t UpTo) {
  if (Failure.failed())
    return takeKnownFailure();
  if (!Native || !idle())
    return {};
  const accx_plugin &Api = D.plugin().api();
  const accx_status Code =
      UpTo == NumIssued ? Api.queue_wait(Native) : Api.queue_query(Native);
  if (Code == ACCX_OK || Code == ACCX_NOT_READY)
    return {};
  Latest = nullptr;
  return {D.plugin().check(Code), oldestPlace(), D.id()};
}
