//===- FilePool.cpp - Threads that read and write files -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FilePool.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FilePool.h"

#include "support/BlockedSignals.h"
#include "transfer/FileSettings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <sched.h>
#include <string>

using namespace accx;

bool accx::startThread(const char *Name, std::function<void()> Body,
                       pthread_t &Out) {
  struct Start {
    std::string Name;
    std::function<void()> Body;
  };
  auto *S = new Start{Name, std::move(Body)};
  auto Enter = [](void *Given) -> void * {
    const std::unique_ptr<Start> S(static_cast<Start *>(Given));
    pthread_setname_np(pthread_self(), S->Name.substr(0, 15).c_str());
    S->Body();
    return nullptr;
  };
  const BlockedSignals Blocked;
  if (pthread_create(&Out, nullptr, Enter, S) == 0)
    return true;
  delete S;
  return false;
}

/// What memory a thread had last: two blocks in turns, and some that it took
/// from others.
class FilePool::Recent {
  std::array<const void *, 4> Blocks = {};
  size_t Oldest = 0;

public:
  bool has(const void *Memory) const {
    return Memory && std::ranges::find(Blocks, Memory) != Blocks.end();
  }
  void add(const void *Memory) {
    if (Memory && !has(Memory))
      Blocks[Oldest++ % Blocks.size()] = Memory;
  }
};

FilePool &FilePool::get() {
  static FilePool &Pool = *new FilePool(FileSettings::get().Threads);
  return Pool;
}

void FilePool::run(Job J, const void *Memory) {
  std::unique_lock Lock(Mutex);
  if (Idle <= Jobs.size() && Threads.size() < Limit && !Stop) {
    const std::string Name = "accx-file" + std::to_string(Threads.size());
    pthread_t Thread;
    if (startThread(Name.c_str(), [this] { loop(); }, Thread))
      Threads.push_back(Thread);
  }
  if (Threads.empty()) {
    Lock.unlock();
    J();
    return;
  }
  Jobs.push_back({std::move(J), Memory});
  NumJobs.store(Jobs.size(), std::memory_order_relaxed);
  const bool IsSeen = Looking >= Jobs.size();
  Lock.unlock();
  if (!IsSeen)
    Wake.notify_one();
}

void FilePool::stop() {
  std::unique_lock Lock(Mutex);
  if (Threads.empty())
    return;
  Stop = true;
  std::vector<pthread_t> Ending = std::move(Threads);
  Threads.clear();
  Lock.unlock();
  Wake.notify_all();
  for (pthread_t Thread : Ending)
    pthread_join(Thread, nullptr);
  Lock.lock();
  Stop = false;
}

/// To wake a thread costs as much as to read 64 KiB, and more work often comes
/// at once.
void FilePool::look(std::unique_lock<std::mutex> &Lock) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds Moment(100);
  ++Looking;
  Lock.unlock();
  const auto End = Clock::now() + Moment;
  while (NumJobs.load(std::memory_order_relaxed) == 0 && Clock::now() < End)
    sched_yield();
  Lock.lock();
  --Looking;
}

/// The first job with memory of the thread's own, or else the oldest. No job
/// is passed over for long: large operations bring preferred ones all the time.
FilePool::Job FilePool::take(Recent &Own) {
  auto Found = std::ranges::find_if(
      Jobs, [&](const Waiting &W) { return Own.has(W.Memory); });
  if (Found == Jobs.end() || PassedOver >= 2 * Limit)
    Found = Jobs.begin();
  PassedOver = Found == Jobs.begin() ? 0 : PassedOver + 1;
  Own.add(Found->Memory);
  Job J = std::move(Found->Run);
  Jobs.erase(Found);
  NumJobs.store(Jobs.size(), std::memory_order_relaxed);
  return J;
}

void FilePool::loop() {
  Recent Own;
  std::unique_lock Lock(Mutex);
  for (bool IsNew = true;; IsNew = false) {
    ++Idle;
    if (!IsNew && Jobs.empty() && !Stop && FileSettings::hasManyCores())
      look(Lock);
    Wake.wait(Lock, [&] { return !Jobs.empty() || Stop; });
    --Idle;
    if (Jobs.empty())
      return;
    Job J = take(Own);
    Lock.unlock();
    J();
    // What the work holds goes before others learn that the thread is free.
    J = nullptr;
    Lock.lock();
  }
}
