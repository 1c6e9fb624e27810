//===- LoopEnds.cpp - Distributed loops under way -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets work of devices follow loops of which they run parts.
//
//===----------------------------------------------------------------------===//

#include "device/LoopEnds.h"

#include "device/Device.h"

#include <algorithm>
#include <chrono>

using namespace accx;

namespace {

/// To ask whether work failed takes as long as to queue some.
constexpr std::chrono::microseconds AskEvery(100);

/// Whether nobody has asked for AskEvery.
bool isTimeToAsk() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::rep> Next{0};
  const Clock::duration Now = Clock::now().time_since_epoch();
  if (Now.count() < Next.load(std::memory_order_relaxed))
    return false;
  Next.store((Now + Clock::duration(AskEvery)).count(),
             std::memory_order_relaxed);
  return true;
}

} // namespace

std::shared_ptr<const LoopEnd>
LoopEnd::of(std::span<AsyncQueue *const> Queues) {
  auto End = std::make_shared<LoopEnd>();
  for (AsyncQueue *Q : Queues)
    End->Parts.push_back({Q, Q->clock(), nullptr});
  return End;
}

QueueEventRef LoopEnd::markedOf(const Part &P) const {
  std::lock_guard Lock(Points);
  return P.Marked;
}

QueueEventRef LoopEnd::pointOf(const Part &P) const {
  std::lock_guard Lock(Points);
  if (!P.Marked)
    P.Marked = P.Queue->mark();
  return P.Marked;
}

bool LoopEnd::hasFailed(const Part &P) const {
  const QueueEventRef E = markedOf(P);
  return E ? E->failed() : P.Queue->isKnownToFail();
}

void LoopEnd::holdBack(AsyncQueue &Queue) const {
  for (const Part &P : Parts)
    if (P.Queue != &Queue && !Queue.isBehind(P.After))
      Queue.waitFor(pointOf(P));
}

bool LoopEnd::done() const {
  return std::all_of(Parts.begin(), Parts.end(), [this](const Part &P) {
    const QueueEventRef E = markedOf(P);
    return E && E->done();
  });
}

bool LoopEnd::implies(const LoopEnd &Before) const {
  return std::all_of(
      Before.Parts.begin(), Before.Parts.end(), [this](const Part &Old) {
        return std::any_of(Parts.begin(), Parts.end(), [&](const Part &New) {
          // Another thread's loop may have come later, and be known before.
          return New.Queue == Old.Queue && New.After.includes(Old.After);
        });
      });
}

void LoopEnds::add(std::shared_ptr<const LoopEnd> End) {
  std::lock_guard Lock(Mutex);
  std::erase_if(Ends, [&](const Known &K) {
    return End->implies(*K.End) || K.End->done();
  });
  Ends.push_back({std::move(End), {}});
  Some.store(true, std::memory_order_release);
}

/// Ends the program if a part's queue failed. The first one comes last: it is
/// where graphs of all parts start, and fails with each of them.
static void checkParts(const LoopEnd &End, bool Waits) {
  for (size_t I = 1; I <= End.Parts.size(); ++I) {
    const LoopEnd::Part &P = End.Parts[I % End.Parts.size()];
    if (Waits)
      (void)End.pointOf(P)->wait();
    if (!End.hasFailed(P))
      continue;
    if (const QueueOutcome O = P.Queue->wait(*End.pointOf(P));
        O.Result.failed())
      reportAsyncFailure(P.Queue->device(), O);
  }
}

void LoopEnds::dropDone() {
  std::lock_guard Lock(Mutex);
  std::erase_if(Ends, [](const Known &K) { return K.End->done(); });
  Some.store(!Ends.empty(), std::memory_order_release);
}

void LoopEnds::follow(const Plugin &Owner, accx_queue Queue) {
  std::vector<std::shared_ptr<const LoopEnd>> Before;
  AsyncQueue *const Async = AsyncQueue::of(Queue);
  {
    std::lock_guard Lock(Mutex);
    for (Known &K : Ends) {
      if (std::find(K.Followers.begin(), K.Followers.end(), Queue) !=
          K.Followers.end())
        continue;
      Before.push_back(K.End);
      if (Queue)
        K.Followers.push_back(Queue);
    }
  }
  // A queue that waits for one that failed has failed, too: whose failure it is
  // can be told only before it waits. The first to follow may ask.
  for (const auto &End : Before) {
    if (!Async || (!End->isAsked() && isTimeToAsk()))
      checkParts(*End, /*Waits=*/!Queue);
    if (Async)
      End->holdBack(*Async);
    else if (Queue)
      for (const LoopEnd::Part &P : End->Parts)
        (void)End->pointOf(P)->holdBack(Owner, Queue);
  }
  if (!Queue)
    dropDone();
}

void LoopEnds::check() {
  std::vector<std::shared_ptr<const LoopEnd>> All;
  {
    std::lock_guard Lock(Mutex);
    for (const Known &K : Ends)
      All.push_back(K.End);
  }
  for (const auto &End : All)
    checkParts(*End, /*Waits=*/false);
}
