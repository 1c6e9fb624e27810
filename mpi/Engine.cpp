//===- Engine.cpp - Moves messages on -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"

#include "Node.h"
#include "Settings.h"
#include "Threads.h"
#include "support/Backoff.h"

#include <accx/channel.h>

#include <cerrno>
#include <utility>

using namespace accx::mpi;

namespace {

/// What MPI_Finalize waits at most for messages, if no time-out is set.
constexpr std::chrono::seconds Last{10};

int progressFunction(int Waiting) {
  return Engine::get().progress(Waiting != 0);
}

} // namespace

Engine &Engine::get() {
  static Engine &All = *new Engine;
  return All;
}

int Engine::open() {
  const int Now = State.load(std::memory_order_acquire);
  if (Now == Open)
    return 0;
  if (Now != Unused)
    return -EINVAL;
  std::lock_guard Lock(Opening);
  if (State.load() == Unused) {
    int Is = 0, Was = 0;
    PMPI_Initialized(&Is);
    PMPI_Finalized(&Was);
    if (!Is || Was)
      return -EINVAL;
    closeAtFinalize();
    (void)Settings::get();
    State.store(Open, std::memory_order_release);
    __accx_progress_add(progressFunction);
  }
  return State.load() == Open ? 0 : -EINVAL;
}

bool Engine::post(std::function<void()> Command) {
  {
    std::lock_guard Lock(InboxMutex);
    if (State.load(std::memory_order_relaxed) == Closed)
      return false;
    Inbox.push_back(std::move(Command));
  }
  // Where the runtime's thread may not call MPI there is no use in waking it.
  if (threadLevel() == MPI_THREAD_MULTIPLE)
    __accx_progress_wake();
  return true;
}

bool Engine::takeInbox() {
  std::vector<std::function<void()>> Now;
  {
    std::lock_guard Lock(InboxMutex);
    Now.swap(Inbox);
  }
  for (const auto &Command : Now)
    Command();
  return !Now.empty();
}

/// Whether anything ended or came.
bool Engine::step() {
  bool GotOn = takeInbox();
  const auto Now = Clock::now();
  // Tasks may add others.
  for (size_t I = 0; I < Tasks.size(); ++I) {
    const std::shared_ptr<Task> T = Tasks[I];
    if (!T->advance(Now))
      Tasks[I] = nullptr;
  }
  std::erase(Tasks, nullptr);
  GotOn |= Under.test();
  return GotOn;
}

int Engine::progress(bool Waiting) {
  const int Now = State.load(std::memory_order_acquire);
  if ((Now != Open && Now != Closing) || !mayCallMpi(Waiting))
    return 0;
  if (Taken.exchange(true, std::memory_order_acquire))
    return 1; // Another thread moves them, or this one, further up.
  // A few rounds: what ends lets others begin, and the runtime start more.
  bool GotOn = false;
  for (int Round = 0; Round < 8 && step(); ++Round)
    GotOn = true;
  bool Left = !Tasks.empty() || Under.areAwaited();
  Taken.store(false, std::memory_order_release);
  if (!Left) {
    std::lock_guard Lock(InboxMutex);
    Left = !Inbox.empty();
  }
  return GotOn ? 2 : Left;
}

void Engine::closeTasks(bool All) {
  for (const auto &T : std::vector(Tasks))
    T->close(All);
}

void Engine::close() {
  std::unique_lock Lock(Opening);
  if (State.load() != Open) {
    State.store(Closed);
    return;
  }
  State.store(Closing);
  Lock.unlock();
  post([this] { closeTasks(false); });
  const auto Timeout = Settings::get().Timeout;
  const auto Until = Clock::now() + (Timeout.count() ? Timeout : Last);
  accx::Backoff Pauses;
  while (progress(true) && Clock::now() < Until)
    Pauses.pause();
  post([this] { closeTasks(true); });
  (void)progress(true);
  __accx_progress_remove(progressFunction);
  std::lock_guard InboxLock(InboxMutex);
  State.store(Closed);
}
