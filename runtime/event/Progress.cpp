//===- Progress.cpp - The thread that looks after events ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "event/Progress.h"

#include "support/Backoff.h"
#include "support/BlockedSignals.h"

#include <algorithm>
#include <pthread.h>

using namespace accx;

std::atomic<unsigned> Progress::NumFunctions{0};
thread_local constinit bool Progress::IsOwnThread = false;

Progress &Progress::get() {
  static Progress &All = *new Progress;
  return All;
}

/// With Mutex held.
void Progress::start() {
  if (Thread.joinable())
    return;
  {
    const BlockedSignals Blocked;
    Thread = std::thread([this] { loop(); });
  }
  pthread_setname_np(Thread.native_handle(), "accx-events");
}

void Progress::stop() {
  std::thread Ended;
  {
    std::lock_guard Lock(Mutex);
    Stop = true;
    Ended.swap(Thread);
  }
  Wake.notify_all();
  if (Ended.joinable())
    Ended.join();
  std::lock_guard Lock(Mutex);
  Stop = false;
}

void Progress::watch(EventRef E) {
  {
    std::lock_guard Lock(Mutex);
    Watched.push_back(std::move(E));
    start();
  }
  wake();
}

void Progress::wake() {
  if (Called.exchange(true))
    return;
  bool Asleep = false;
  {
    std::lock_guard Lock(Mutex);
    start();
    Asleep = Sleeping;
  }
  if (Asleep)
    Wake.notify_one();
}

void Progress::add(Function Fn) {
  std::lock_guard Lock(FunctionsMutex);
  Functions.push_back(Fn);
  NumFunctions.store(static_cast<unsigned>(Functions.size()));
}

void Progress::remove(Function Fn) {
  std::unique_lock Lock(FunctionsMutex);
  std::erase(Functions, Fn);
  NumFunctions.store(static_cast<unsigned>(Functions.size()));
  NoneRuns.wait(Lock, [&] { return Running == 0; });
}

Progress::Found Progress::runFunctions(int Waiting) {
  std::vector<Function> Now;
  {
    std::lock_guard Lock(FunctionsMutex);
    Now = Functions;
    ++Running;
  }
  int Most = Nothing;
  for (Function Fn : Now)
    Most = std::max(Most, Fn(Waiting));
  std::lock_guard Lock(FunctionsMutex);
  if (--Running == 0)
    NoneRuns.notify_all();
  return static_cast<Found>(std::min<int>(Most, GotOn));
}

Progress::Found Progress::lookOnce() {
  const Found Most = NumFunctions.load() != 0 ? runFunctions(0) : Nothing;
  std::vector<EventRef> Now;
  {
    std::lock_guard Lock(Mutex);
    Now = Watched;
  }
  bool Ended = false;
  for (const EventRef &E : Now)
    Ended |= E->done();
  if (!Ended)
    return Now.empty() ? Most : std::max(Most, UnderWay);
  std::vector<EventRef> Gone; // Released without the lock.
  std::lock_guard Lock(Mutex);
  for (EventRef &E : Watched)
    if (E->Current.load(std::memory_order_acquire) != Event::UnderWay)
      Gone.push_back(std::move(E));
  std::erase_if(Watched, [](const EventRef &E) { return !E; });
  return GotOn;
}

void Progress::loop() {
  enterOwnThread();
  Backoff Pauses;
  for (;;) {
    const bool Wanted = Called.exchange(false);
    const Found Most = lookOnce();
    if (Wanted || Most == GotOn)
      Pauses.reset();
    const auto For = Pauses.next(spin());
    if (Most != Nothing && !For.count())
      std::this_thread::yield();
    std::unique_lock Lock(Mutex);
    if (Stop)
      return;
    if (Most != Nothing && !For.count())
      continue;
    Sleeping = true;
    const auto IsCalled = [&] { return Stop || Called.load(); };
    if (Most != Nothing)
      Wake.wait_for(Lock, For, IsCalled);
    else
      Wake.wait(Lock, IsCalled);
    Sleeping = false;
    if (Most == Nothing)
      Pauses.reset();
  }
}
