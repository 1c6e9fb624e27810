//===- Worker.cpp - The thread that runs a device's queued work -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Worker.h.
//
//===----------------------------------------------------------------------===//

#include "device/Worker.h"

#include "event/Progress.h"
#include "support/BlockedSignals.h"

#include <pthread.h>

using namespace accx;

Worker::Worker(const std::string &Name, std::chrono::microseconds Patience)
    : Patience(Patience) {
  {
    const BlockedSignals Blocked;
    Thread = std::thread([this] { run(); });
  }
  pthread_setname_np(Thread.native_handle(), Name.substr(0, 15).c_str());
}

Worker::~Worker() {
  {
    std::lock_guard Lock(Mutex);
    Stop = true;
  }
  Wake.notify_one();
  Thread.join();
}

std::shared_ptr<Completion> Worker::enqueue(Operation Op) {
  auto End = std::make_shared<Completion>();
  {
    std::lock_guard Lock(Mutex);
    if (Items.empty() && !Running && Patience.count()) {
      Begin = Clock::now();
      HasLeft = false;
    }
    Items.push_back({std::move(Op), End});
  }
  Wake.notify_one();
  return End;
}

void Worker::wait(const Completion &End) {
  if (!End.done()) {
    std::unique_lock Lock(Mutex);
    if (!HasLeft)
      IsPatient = Clock::now() - Begin <= Patience;
    while (!End.done() && !Running && !Items.empty())
      runFirst(Lock);
    HasLeft = true;
    const bool IsThreadsTurn = !Running && (!Items.empty() || Stop);
    Lock.unlock();
    if (IsThreadsTurn)
      Wake.notify_one();
  }
  End.wait();
}

void Worker::drain() {
  std::unique_lock Lock(Mutex);
  Drained.wait(Lock, [&] { return Items.empty() && !Running; });
}

bool Worker::idle() {
  std::lock_guard Lock(Mutex);
  return Items.empty() && !Running;
}

/// Takes the first operation and runs it without the lock.
void Worker::runFirst(std::unique_lock<std::mutex> &Lock) {
  Item Next = std::move(Items.front());
  Items.pop_front();
  Running = true;
  Runner.store(std::this_thread::get_id(), std::memory_order_relaxed);
  Lock.unlock();
  Status Result = Next.Op();
  // What the operation holds goes before others learn that it is over.
  Next.Op = nullptr;
  Lock.lock();
  Running = false;
  Runner.store({}, std::memory_order_relaxed);
  // With the lock: who learns of the end finds nothing running.
  Next.End->finish(std::move(Result));
  if (Items.empty())
    Drained.notify_all();
}

/// A thread that begins what another is about to wait for has two threads do
/// the work of one, and with teams of their own two keep each other from cores.
void Worker::leaveToWaiter(std::unique_lock<std::mutex> &Lock) {
  if (!IsPatient || HasLeft || !Patience.count())
    return;
  if (!Wake.wait_until(Lock, Begin + Patience, [&] {
        return Running || Items.empty() || HasLeft || Stop;
      }))
    IsPatient = false;
}

void Worker::run() {
  Progress::enterOwnThread();
  std::unique_lock Lock(Mutex);
  while (true) {
    Wake.wait(Lock, [&] { return !Running && (!Items.empty() || Stop); });
    if (Items.empty())
      return;
    leaveToWaiter(Lock);
    while (!Running && !Items.empty())
      runFirst(Lock);
  }
}
