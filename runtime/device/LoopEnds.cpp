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

using namespace accx;

namespace {

/// So many parts follow one another directly.
constexpr size_t MaxDirect = 3;
/// Asynchronous queues ask for failures no more often.
constexpr std::chrono::milliseconds AskTime(1);

} // namespace

LoopEnd LoopEnd::of(std::span<AsyncQueue *const> Queues) {
  const bool Many = Queues.size() > MaxDirect;
  LoopEnd End;
  AsyncQueue &First = *Queues.front();
  std::lock_guard Order(First.Order);
  End.Parts.resize(1);
  for (AsyncQueue *Q : Queues.subspan(1)) {
    End.Parts.push_back({Q, Q->mark()});
    if (Many)
      First.waitFor(End.Parts.back().Passed);
  }
  End.Parts.front() = {&First, First.mark()};
  // A failure may leave out what the queue's thread has yet to do.
  End.Meets = Many && End.Parts.front().Passed->isOnDevice();
  return End;
}

void LoopEnd::holdBack(AsyncQueue &Queue) const {
  for (const Part &P : toFollow())
    if (P.Queue != &Queue)
      Queue.waitFor(P.Passed);
}

bool LoopEnd::done() const {
  return std::all_of(Parts.begin(), Parts.end(),
                     [](const Part &P) { return P.Passed->done(); });
}

bool LoopEnd::implies(const LoopEnd &Before) const {
  return std::all_of(
      Before.Parts.begin(), Before.Parts.end(), [this](const Part &Old) {
        return std::any_of(Parts.begin(), Parts.end(), [&](const Part &New) {
          // Another thread's loop may have come later, and be known before.
          return New.Queue == Old.Queue && New.Passed->implies(*Old.Passed);
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

/// Ends the program if \p P's queue failed.
static void checkPart(const LoopEnd::Part &P) {
  if (!P.Passed->failed())
    return;
  if (const QueueOutcome O = P.Queue->wait(*P.Passed); O.Result.failed())
    reportAsyncFailure(P.Queue->device(), O);
}

void LoopEnds::dropDone() {
  std::lock_guard Lock(Mutex);
  std::erase_if(Ends, [](const Known &K) { return K.End->done(); });
  Some.store(!Ends.empty(), std::memory_order_release);
}

bool LoopEnds::isTimeToAsk() {
  const auto Now = std::chrono::steady_clock::now();
  if (Now - LastAsked < AskTime)
    return false;
  LastAsked = Now;
  return true;
}

void LoopEnds::follow(const Plugin &Owner, accx_queue Queue) {
  std::vector<std::shared_ptr<const LoopEnd>> Before;
  AsyncQueue *const Async = AsyncQueue::of(Queue);
  bool Asks = false;
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
    Asks = !Async || (!Before.empty() && isTimeToAsk());
  }
  for (const auto &End : Before) {
    if (Async)
      End->holdBack(*Async);
    else if (Queue)
      for (const LoopEnd::Part &P : End->toFollow())
        (void)P.Passed->holdBack(Owner, Queue);
    else
      for (const LoopEnd::Part &P : End->Parts)
        (void)P.Passed->wait();
    if (Asks)
      for (const LoopEnd::Part &P : End->Parts)
        checkPart(P);
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
    for (const LoopEnd::Part &P : End->Parts)
      checkPart(P);
}
