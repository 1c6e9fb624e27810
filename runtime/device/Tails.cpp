//===- Tails.cpp - What constructs leave behind on queues -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tails are kept until the queue is known to have passed them: at waits, and by
// events behind some of them.
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"

#include <utility>

using namespace accx;

namespace {

/// So many constructs share an event that tells that the queue passed them. It
/// also parts launches that would start together: those that hold nothing else
/// count as a part of one.
constexpr unsigned TailsPerFence = 128;
constexpr unsigned PartsOfTail = 8;
/// So many times as many, where launches are put off.
constexpr unsigned MoreIfHeld = 8;
/// Constructs that may be under way; beyond, who queues more waits.
constexpr size_t MaxTails = size_t(1) << 14;

} // namespace

void AsyncQueue::takeTails(uint64_t NumTails, TailList &Out) {
  std::erase_if(Writes, [=](const HostBytes &W) { return W.Tail < NumTails; });
  for (uint64_t First = TailsIn - Tails.size(); First < NumTails; ++First) {
    Out.push_back(std::move(Tails.front()));
    Tails.pop_front();
  }
  while (!Fences.empty() && Fences.front()->NumTails <= NumTails)
    Fences.pop_front();
  if (Tails.empty())
    SinceFence = 0;
}

void AsyncQueue::takePassed(TailList &Out) {
  // Those of failed work stay until a wait has told whose it is.
  while (!Fences.empty() && Fences.front()->done() && !Fences.front()->failed())
    takeTails(Fences.front()->NumTails, Out);
}

const char *AsyncQueue::oldestPlace() const {
  return Tails.empty() ? Source.load(std::memory_order_relaxed)
                       : Tails.front()->Source;
}

void AsyncQueue::leave(std::unique_ptr<Tail> T) {
  TailList Passed;
  QueueEventRef Oldest;
  bool Counts = T->hasMemory();
  {
    std::lock_guard Lock(Issue);
    Tails.push_back(std::move(T));
    // Its event makes the plugin pass on what it gathered.
    if (Shared.load(std::memory_order_relaxed)) [[unlikely]] {
      Counts = true;
      (void)markLocked();
    }
    ++TailsIn;
    SinceFence += Counts ? PartsOfTail : 1;
    if (SinceFence < TailsPerFence * PartsOfTail * (Holds ? MoreIfHeld : 1))
      return;
  }
  {
    const auto Lock = lockForMark();
    SinceFence = 0;
    Fences.push_back(markLocked());
    takePassed(Passed);
    if (Tails.size() > MaxTails)
      Oldest = Fences.front();
  }
  if (!Oldest)
    return;
  (void)Oldest->wait(); // Waits for the queue find the same.
  std::lock_guard Lock(Issue);
  takePassed(Passed);
}

void AsyncQueue::reap() {
  TailList Passed;
  const auto Lock = lockForMark();
  if (!Tails.empty() && (Fences.empty() || Fences.back()->NumTails < TailsIn))
    Fences.push_back(markLocked());
  takePassed(Passed);
}

void AsyncQueue::passed(const QueueEvent &E) {
  TailList Passed;
  std::lock_guard Lock(Issue);
  takeTails(E.NumTails, Passed);
}
