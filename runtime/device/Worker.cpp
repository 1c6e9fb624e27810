//===- Worker.cpp - The thread that runs a device's queued work -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Worker.h.
//
//===----------------------------------------------------------------------===//

#include "device/Worker.h"

#include <pthread.h>
#include <signal.h>

using namespace accx;

Worker::Worker(const std::string &Name) {
  // Signals belong to the program's own threads.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Thread = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
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
    Items.push_back({std::move(Op), End});
  }
  Wake.notify_one();
  return End;
}

void Worker::drain() {
  std::unique_lock Lock(Mutex);
  Drained.wait(Lock, [&] { return Items.empty() && !Running; });
}

bool Worker::idle() {
  std::lock_guard Lock(Mutex);
  return Items.empty() && !Running;
}

void Worker::run() {
  std::unique_lock Lock(Mutex);
  while (true) {
    Wake.wait(Lock, [&] { return !Items.empty() || Stop; });
    if (Items.empty())
      return;
    Item Next = std::move(Items.front());
    Items.pop_front();
    Running = true;
    Lock.unlock();
    Status Result = Next.Op();
    // What the operation holds goes before others learn that it is over.
    Next.Op = nullptr;
    Next.End->finish(std::move(Result));
    Next.End.reset();
    Lock.lock();
    Running = false;
    if (Items.empty())
      Drained.notify_all();
  }
}
