//===- Engine.h - Moves messages on -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All state of messages belongs to the engine. One thread at a time has it, the
// one that is in progress(); others leave commands for it and never wait. So
// the runtime's threads, which must not call MPI at most thread levels, hand
// over pieces, and whoever may call MPI moves them.
//
//   accx_stream::start --command--> inbox --> progress(): commands, tasks,
//                                              requests of MPI, time-outs
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_ENGINE_H
#define ACCX_MPI_ENGINE_H

#include "Requests.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accx::mpi {

using Clock = std::chrono::steady_clock;

/// Something that is moved on until there is nothing left of it.
class Task {
public:
  virtual ~Task() = default;
  /// Does what can be done now; false: there is nothing left to do.
  virtual bool advance(Clock::time_point Now) = 0;
  /// MPI is about to be finalized: fails what waits for the other side to
  /// begin, or, with \p All, everything.
  virtual void close(bool All) = 0;
};

/// Never destroyed.
class Engine {
public:
  static Engine &get();

  /// Gets ready at first use. 0, or -EINVAL: MPI is not initialized, or
  /// finalized already.
  int open();
  /// MPI is about to be finalized: waits for what is under way, for a while,
  /// and fails the rest. Called where MPI may be.
  void close();

  /// \p Command is carried out by who has the engine, in the order of calls.
  /// False, and it is dropped: MPI is finalized.
  bool post(std::function<void()> Command);
  /// Moves everything on, if the calling thread may. As accx_progress_fn: 0 if
  /// nothing is under way that it may move, 2 if something ended or came, else
  /// 1.
  int progress(bool Waiting);

  /// For commands, tasks and functions of requests, that is, with the engine:
  Requests &requests() { return Under; }
  void add(std::shared_ptr<Task> T) { Tasks.push_back(std::move(T)); }
  bool isClosing() const { return State.load() == Closing; }

private:
  Engine() = default;
  bool step();
  bool takeInbox();
  void closeTasks(bool All);

  enum { Unused, Open, Closing, Closed };
  std::atomic<int> State{Unused};
  std::mutex Opening;
  std::mutex InboxMutex;
  std::vector<std::function<void()>> Inbox; ///< Guarded by InboxMutex.
  /// Set by who has the engine; guards what follows.
  std::atomic<bool> Taken{false};
  Requests Under;
  std::vector<std::shared_ptr<Task>> Tasks;
};

} // namespace accx::mpi

#endif // ACCX_MPI_ENGINE_H
