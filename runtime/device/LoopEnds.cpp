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

/// So many parts follow one another directly.
constexpr size_t MaxDirect = 3;
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
  const bool Many = Queues.size() > MaxDirect;
  auto Made = std::make_shared<LoopEnd>();
  LoopEnd &End = *Made;
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
  return Made;
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

/// Ends the program if a part's queue failed. The one that waits for all others
/// comes last, as it fails with each of them.
static void checkParts(const LoopEnd &End, bool Waits) {
  for (size_t I = 1; I <= End.Parts.size(); ++I) {
    const LoopEnd::Part &P = End.Parts[I % End.Parts.size()];
    if (Waits)
      (void)P.Passed->wait();
    if (!P.Passed->failed())
      continue;
    if (const QueueOutcome O = P.Queue->wait(*P.Passed); O.Result.failed())
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
      for (const LoopEnd::Part &P : End->toFollow())
        (void)P.Passed->holdBack(Owner, Queue);
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
