//===- AsyncQueue.cpp - Queues that really are asynchronous ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AsyncQueue.h.
//
//===----------------------------------------------------------------------===//

#include "AsyncQueue.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <utility>

using namespace fault;

namespace {

/// All device bytes that queued copies use.
std::mutex InUseMutex;
std::list<Bytes> &InUse = *new std::list<Bytes>;

[[noreturn]] void broken(const char *Rule) {
  std::fprintf(stderr, "fault plugin: rule broken: %s\n", Rule);
  std::abort();
}

void addUse(Bytes D) {
  if (!D.Size)
    return;
  std::lock_guard Lock(InUseMutex);
  InUse.push_back(D);
}

void dropUse(Bytes D) {
  if (!D.Size)
    return;
  std::lock_guard Lock(InUseMutex);
  for (auto It = InUse.begin(); It != InUse.end(); ++It)
    if (It->Begin == D.Begin && It->Size == D.Size) {
      InUse.erase(It);
      return;
    }
}

} // namespace

void fault::checkUnused(const void *Begin, size_t Size, const char *By) {
  const auto From = reinterpret_cast<uintptr_t>(Begin);
  std::lock_guard Lock(InUseMutex);
  for (const Bytes &D : InUse) {
    const auto Used = reinterpret_cast<uintptr_t>(D.Begin);
    if (Used < From + Size && From < Used + D.Size) {
      std::fprintf(stderr, "fault plugin: %s while a queued copy uses it\n",
                   By);
      broken("device memory outlives the work that uses it");
    }
  }
}

/// The plugin ABI forbids calls on one queue that overlap in time.
class AsyncQueue::CallScope {
  AsyncQueue &Q;

public:
  explicit CallScope(AsyncQueue &Q) : Q(Q) {
    if (Q.InCall.exchange(true))
      broken("calls on one queue must not overlap");
  }
  ~CallScope() { Q.InCall.store(false); }
};

AsyncQueue::AsyncQueue(accx_device Device, unsigned DelayMicroseconds)
    : Device(Device), Delay(DelayMicroseconds), Thread([this] { run(); }) {}

AsyncQueue::~AsyncQueue() {
  {
    std::lock_guard Lock(Mutex);
    Stop = true;
    NumHeld = 0;
  }
  Changed.notify_all();
  Thread.join();
}

/// With Mutex held.
void AsyncQueue::letGo() {
  if (std::exchange(NumHeld, 0))
    Changed.notify_all();
}

void AsyncQueue::push(Work Run, const Uses &U, bool Held) {
  CallScope Call(*this);
  for (const Bytes &D : U.Device)
    addUse(D);
  {
    std::lock_guard Lock(Mutex);
    Items.push_back({std::move(Run), false, U});
    NumHeld = Held ? NumHeld + 1 : 0;
  }
  Changed.notify_all();
}

void AsyncQueue::start() {
  CallScope Call(*this);
  std::lock_guard Lock(Mutex);
  letGo();
}

void AsyncQueue::pushAlways(std::function<void()> Run) {
  CallScope Call(*this);
  {
    std::lock_guard Lock(Mutex);
    Items.push_back({[Run = std::move(Run)] {
                       Run();
                       return Failure();
                     },
                     true,
                     {}});
    NumHeld = 0;
  }
  Changed.notify_all();
}

void AsyncQueue::awaitWrites(const Bytes &Host) {
  CallScope Call(*this);
  std::unique_lock Lock(Mutex);
  letGo();
  Changed.wait(Lock, [&] {
    return !Writing.overlaps(Host) &&
           std::none_of(Items.begin(), Items.end(), [&](const Item &I) {
             return I.Used.Written.overlaps(Host);
           });
  });
}

Failure AsyncQueue::wait() {
  CallScope Call(*this);
  std::unique_lock Lock(Mutex);
  letGo();
  Changed.wait(Lock, [&] { return Items.empty() && !Running; });
  return std::exchange(Error, Failure());
}

Failure AsyncQueue::query() {
  CallScope Call(*this);
  std::lock_guard Lock(Mutex);
  letGo();
  if (!Items.empty() || Running)
    return {ACCX_NOT_READY, ""};
  return std::exchange(Error, Failure());
}

Failure AsyncQueue::failure() {
  std::lock_guard Lock(Mutex);
  return Error;
}

void AsyncQueue::run() {
  std::unique_lock Lock(Mutex);
  while (true) {
    Changed.wait(Lock, [&] { return Items.size() > NumHeld || Stop; });
    if (Items.empty())
      return;
    Item Next = std::move(Items.front());
    Items.pop_front();
    const bool Dropped = Error.Code != ACCX_OK && !Next.Always;
    Running = true;
    Writing = Next.Used.Written;
    Lock.unlock();
    Failure Result;
    if (!Dropped) {
      if (Delay && !Next.Always)
        std::this_thread::sleep_for(std::chrono::microseconds(Delay));
      Result = Next.Run();
    }
    Next.Run = nullptr;
    for (const Bytes &D : Next.Used.Device)
      dropUse(D);
    Lock.lock();
    if (Result.Code != ACCX_OK)
      Error = std::move(Result);
    Running = false;
    Writing = {};
    Changed.notify_all();
  }
}

void AsyncEvent::record(AsyncQueue *Queue) {
  auto Next = std::make_shared<Moment>();
  {
    std::lock_guard Lock(Mutex);
    Last = Next;
  }
  if (Queue)
    Queue->pushAlways([Next, Queue] { Next->happen(Queue->failure()); });
  else
    Next->happen();
}

std::shared_ptr<Moment> AsyncEvent::moment() {
  std::lock_guard Lock(Mutex);
  return Last;
}
