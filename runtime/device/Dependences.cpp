//===- Dependences.cpp - Queues that wait for one another -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Later work of a queue after earlier work of another, work that two queues
// have in common, and how a failure of the one is told by the other's waits.
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"
#include "device/Device.h"

#include <algorithm>
#include <functional>

using namespace accx;

QueueClock AsyncQueue::clock() {
  std::lock_guard Lock(Issue);
  return clockLocked();
}

const QueueClock &AsyncQueue::clockLocked() {
  // What the program itself gives to a native queue is not counted.
  if (Shared.load(std::memory_order_relaxed)) [[unlikely]]
    ++NumIssued;
  Clock.add(this, NumIssued - NumWaits);
  return Clock;
}

/// Whether copies to the host are under way, as far as is known.
bool AsyncQueue::writesHost() {
  std::erase_if(Writes,
                [this](const HostBytes &W) { return W.Number <= NumEnded; });
  return !Writes.empty();
}

/// Whether copies from the host have to be held back. Asks until one point is
/// not done.
bool AsyncQueue::othersWriteHost() {
  while (!Foreign.empty() && Foreign.back()->done())
    Foreign.pop_back();
  return !Foreign.empty();
}

/// Adds \p E, which stands for the points before it.
static void keepLast(std::vector<QueueEventRef> &Points,
                     const QueueEventRef &E) {
  std::erase_if(Points,
                [&](const QueueEventRef &Old) { return E->implies(*Old); });
  Points.push_back(E);
}

void AsyncQueue::waitFor(const QueueEventRef &E) {
  std::unique_lock Lock(Issue);
  if (clockLocked().includes(E->After))
    return;
  waitNow(E);
  Lock.unlock();
  settleShared();
}

/// \p E is not late.
void AsyncQueue::waitNow(const QueueEventRef &E) {
  const bool OnDevice = Native && E->Native && &E->D.plugin() == &D.plugin();
  auto Wait = [this, E, OnDevice](accx_queue Queue) {
    return OnDevice ? E->holdBack(D.plugin(), Queue) : E->wait();
  };
  if (OnDevice && takesDirectly() && (!E->Reached || E->Reached->done())) {
    (void)takeNumber();
    if (Status S = Wait(Native); S.failed()) {
      fail(std::move(S), Source.load(std::memory_order_relaxed));
    } else {
      ++NumWaits;
      Clock.add(E->After);
    }
  } else if (!E->done()) {
    post(std::move(Wait));
  }
  if (Native && E->WritesHost)
    keepLast(Foreign, E);
}

/// Whether this queue's later work comes after everything on \p Q by now, as
/// nothing was given to \p Q since this queue waited for it, or since all of it
/// was seen to have ended.
bool AsyncQueue::hasWaitedFor(AsyncQueue &Q) {
  QueueEventRef Last;
  {
    std::lock_guard Lock(Issue);
    for (const Dependence &D : Upstream)
      if (D.Q == &Q)
        Last = D.E;
  }
  std::lock_guard Lock(Q.Issue);
  // What the program itself gives to a native queue is not counted.
  if (Q.Shared.load(std::memory_order_relaxed))
    return false;
  return (Last && Last->NumIssued == Q.NumIssued) ||
         (Q.NumEnded == Q.NumIssued && !Q.hasFailed());
}

void AsyncQueue::waitFor(AsyncQueue &Q) {
  if (hasWaitedFor(Q) || putOffWaitFor(Q))
    return;
  const QueueEventRef E = Q.mark();
  waitFor(E);
  dependOn(Q, E);
}

void AsyncQueue::dependOn(AsyncQueue &Q, const QueueEventRef &E) {
  std::lock_guard Lock(Issue);
  dependOnLocked(Q, E);
}

void AsyncQueue::dependOnLocked(AsyncQueue &Q, const QueueEventRef &E) {
  std::erase_if(Upstream, [&](const Dependence &Old) { return Old.Q == &Q; });
  Upstream.push_back({&Q, E, ++NumIssued});
  ++NumWaits;
}

//===----------------------------------------------------------------------===//
// Waits that are put off
//===----------------------------------------------------------------------===//

/// The point after everything so far, which may be late; null if who waits for
/// it has to do so at once.
QueueEventRef AsyncQueue::markForLater() {
  const auto Lock = lockForMark();
  QueueEventRef E = markLocked(/*MayBeLate=*/true);
  return E == Late || (E->isOnDevice() && !E->WritesHost) ? E : nullptr;
}

/// What later work comes after, that of waits that were put off, too.
QueueClock AsyncQueue::laterClock() {
  std::lock_guard Lock(Issue);
  QueueClock All = clockLocked();
  for (const Dependence &On : PutOff)
    All.add(On.E->After);
  return All;
}

bool AsyncQueue::comesAfter(const QueueClock &Before) {
  {
    std::lock_guard Lock(Issue);
    if (clockLocked().includes(Before))
      return true;
    if (PutOff.empty())
      return false;
  }
  return laterClock().includes(Before);
}

/// Later work starts after everything on \p Q so far, but the plugin hears of
/// it when there is some. False if that cannot be.
bool AsyncQueue::putOffWaitFor(AsyncQueue &Q) {
  if (!mayPutOffWaits() || !Q.mayPutOffWaits() || &Q.D.plugin() != &D.plugin())
    return false;
  if (comesAfter(Q.laterClock()))
    return true;
  const QueueEventRef E = Q.markForLater();
  if (!E)
    return false;
  std::lock_guard Lock(Issue);
  dependOnLocked(Q, E);
  std::erase_if(PutOff, [&](const Dependence &Old) { return Old.Q == &Q; });
  PutOff.push_back(Upstream.back());
  HasPutOff.store(true, std::memory_order_relaxed);
  return true;
}

/// Whether \p E is known to be over; else it is recorded from now on.
bool AsyncQueue::isOverOrRecorded(const QueueEventRef &E) {
  std::lock_guard Lock(Issue);
  if (NumEnded >= E->NumIssued && !Failure.failed())
    return true;
  if (E == Late)
    recordLate();
  return false;
}

void AsyncQueue::startPutOff() {
  for (;;) {
    std::unique_lock Lock(Issue);
    if (PutOff.empty())
      return;
    const Dependence Next = PutOff.front();
    Lock.unlock();
    const bool IsOver = Next.Q->isOverOrRecorded(Next.E);
    Lock.lock();
    // Another thread may have been faster.
    if (PutOff.empty() || PutOff.front().E != Next.E)
      continue;
    PutOff.erase(PutOff.begin());
    HasPutOff.store(!PutOff.empty(), std::memory_order_relaxed);
    if (IsOver)
      Clock.add(Next.E->After);
    else if (!clockLocked().includes(Next.E->After))
      waitNow(Next.E);
  }
}

std::unique_lock<std::mutex> AsyncQueue::lockForMark() {
  for (;;) {
    startWaits();
    std::unique_lock Lock(Issue);
    if (PutOff.empty())
      return Lock;
  }
}

/// Whether everything up to \p E, a point of this queue's, is over.
bool AsyncQueue::hasPassed(const QueueEvent &E) {
  std::unique_lock Lock(Issue);
  if (NumEnded >= E.NumIssued)
    return true;
  if (Late.get() != &E) {
    Lock.unlock();
    return E.done();
  }
  // Nothing was queued since.
  const accx_status Code = D.plugin().api().queue_query(Native);
  if (Code == ACCX_OK)
    NumEnded = E.NumIssued;
  return Code != ACCX_NOT_READY; // A failure is an end too.
}

/// Whether what waits were put off for is over; then they are no longer needed.
bool AsyncQueue::haveOthersPassed() {
  std::vector<Dependence> All;
  {
    std::lock_guard Lock(Issue);
    All = PutOff;
  }
  for (const Dependence &On : All)
    if (!On.Q->hasPassed(*On.E))
      return false;
  std::lock_guard Lock(Issue);
  for (const Dependence &On : All)
    if (std::erase_if(PutOff, [&](const Dependence &D) { return D.E == On.E; }))
      Clock.add(On.E->After);
  HasPutOff.store(!PutOff.empty(), std::memory_order_relaxed);
  return true;
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

bool AsyncQueue::isBehind(const QueueClock &Before) {
  std::lock_guard Lock(Issue);
  return clockLocked().includes(Before);
}

bool AsyncQueue::isKnownToFail() {
  std::lock_guard Lock(Issue);
  return Failure.failed() || (takesDirectly() && D.plugin().queuesMeet() &&
                              D.plugin().queueCheck(Native).failed());
}

bool AsyncQueue::canMeet(std::span<AsyncQueue *const> Queues) {
  const Plugin &P = Queues.front()->D.plugin();
  return P.queuesMeet() &&
         std::all_of(Queues.begin(), Queues.end(), [&](AsyncQueue *Q) {
           return Q->mayPutOffWaits() && &Q->D.plugin() == &P;
         });
}

bool AsyncQueue::meet(std::span<AsyncQueue *const> Queues) {
  std::vector<AsyncQueue *> InOrder(Queues.begin(), Queues.end());
  std::sort(InOrder.begin(), InOrder.end(), std::less<>());
  for (AsyncQueue *Q : InOrder)
    Q->startWaits();
  std::vector<std::unique_lock<std::mutex>> Locks;
  QueueClock All;
  for (AsyncQueue *Q : InOrder) {
    Locks.emplace_back(Q->Issue);
    All.add(Q->clockLocked());
  }
  const auto AreAll = [&](auto Fn) {
    return std::all_of(Queues.begin(), Queues.end(), Fn);
  };
  // As an earlier meeting has left them.
  if (AreAll([&](AsyncQueue *Q) { return Q->Clock.includes(All); }))
    return true;
  // Copies from the host may have to wait for what others write there.
  if (!canMeet(Queues) || !AreAll([](AsyncQueue *Q) {
        return Q->takesDirectly() && Q->PutOff.empty() && !Q->writesHost() &&
               !Q->othersWriteHost();
      }))
    return false;
  if (!AreAll([](AsyncQueue *Q) { return Q->NumEnded == Q->NumIssued; })) {
    std::vector<accx_queue> Natives;
    for (AsyncQueue *Q : Queues) {
      (void)Q->takeNumber();
      ++Q->NumWaits;
      Natives.push_back(Q->Native);
    }
    AsyncQueue &First = *Queues.front();
    if (Status S = First.D.plugin().queuesMeet(Natives); S.failed()) {
      First.fail(std::move(S), First.Source.load(std::memory_order_relaxed));
      return true;
    }
  }
  for (AsyncQueue *Q : Queues)
    Q->Clock.add(All);
  return true;
}

bool AsyncQueue::meetForCopy(AsyncQueue &Other) {
  bool AnyHeld = false;
  for (auto [Q, With] : {std::pair(this, &Other), std::pair(&Other, this)}) {
    Q->HasPeers |= Q->Peer && Q->Peer != With;
    Q->Peer = With;
    std::lock_guard Lock(Q->Issue);
    AnyHeld |= Q->Holds;
  }
  AsyncQueue *const Both[] = {this, &Other};
  return AnyHeld && !HasPeers && !Other.HasPeers && meet(Both);
}

/// Where two queues meet: who comes second runs what both waited for.
struct AsyncQueue::Meeting {
  std::function<Status()> Op;
  std::atomic<bool> IsFirst{true};
  /// A queue has failed: there is nothing to be done with what it left.
  std::atomic<bool> IsOff{false};
  Completion Done;
};

/// On the thread of this queue; the outcome is told if the queue \p Tells.
Status AsyncQueue::attend(Meeting &M, bool Tells, accx_queue Queue) {
  Status Own;
  if (Failed.load(std::memory_order_relaxed))
    M.IsOff = true;
  else if (Queue)
    Own = D.plugin().check(D.plugin().api().queue_wait(Queue));
  if (Own.failed())
    M.IsOff = true;
  accx_order_before(&M);
  if (M.IsFirst.exchange(false)) {
    M.Done.wait();
  } else {
    accx_order_after(&M);
    M.Done.finish(M.IsOff ? Status() : M.Op());
  }
  const Status &Result = M.Done.result();
  return Tells && Result.failed() && Own.ok()
             ? Status(Result.code(), Result.text())
             : std::move(Own);
}

QueueEventRef AsyncQueue::postMeeting(std::shared_ptr<Meeting> M, bool Tells) {
  auto E = std::make_shared<QueueEvent>(D);
  std::lock_guard Lock(Issue);
  E->Reached = post([this, M = std::move(M), Tells](
                        accx_queue Queue) { return attend(*M, Tells, Queue); },
                    /*Always=*/true);
  E->NumTails = TailsIn;
  E->NumIssued = NumIssued;
  E->After = clockLocked();
  return E;
}

void AsyncQueue::meet(AsyncQueue &Other, std::function<Status()> Op) {
  startWaits();
  Other.startWaits();
  auto M = std::make_shared<Meeting>();
  M->Op = std::move(Op);
  const QueueEventRef Own = postMeeting(M, /*Tells=*/true),
                      Others = Other.postMeeting(M, /*Tells=*/false);
  dependOn(Other, Others);
  Other.dependOn(*this, Own);
  settleShared();
  Other.settleShared();
}

/// After another queue's work that waited for \p E is done.
QueueOutcome AsyncQueue::askFailure(const QueueEventRef &E) {
  if (isOverOrRecorded(E))
    return withUpstream({}, E->NumIssued);
  (void)E->wait(); // Lets the thread notice, too.
  std::unique_lock Lock(Issue);
  QueueOutcome Own = takeFailure(E->NumIssued);
  // The plugin's queue is the thread's as long as that has work, which may take
  // its time; the point tells of what came before it.
  if (Own.Result.ok() && E->Native && !idle())
    if (const accx_status Code = D.plugin().api().event_query(E->Native);
        Code != ACCX_NOT_READY)
      Own = {D.plugin().check(Code), oldestPlace(), D.id()};
  Lock.unlock();
  return withUpstream(std::move(Own), E->NumIssued);
}

QueueOutcome AsyncQueue::knownFailure() {
  std::lock_guard Lock(Issue);
  return takeKnownFailure();
}

/// Work that came to the queue later may wait for what is far from done: of
/// that only what is known is asked.
QueueOutcome AsyncQueue::withUpstream(QueueOutcome Own, uint64_t UpTo) {
  std::vector<Dependence> Before, Later;
  {
    std::lock_guard Lock(Issue);
    for (Dependence &D : Upstream)
      (D.At <= UpTo ? Before : Later).push_back(D);
    Upstream = Later;
  }
  for (const Dependence &Other : Before)
    if (Own.Result.ok())
      Own = Other.Q->askFailure(Other.E);
  for (const Dependence &Other : Later)
    if (Own.Result.ok())
      Own = Other.Q->knownFailure();
  return Own;
}
