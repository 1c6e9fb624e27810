//===- Lock.h - Mutual exclusion that survives fork() -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small lock for tables that are held while the process forks.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_LOCK_H
#define ACCX_PLUGIN_HOST_LOCK_H

#include <atomic>
#include <cstdint>
#include <mutex>

namespace accx::host {

/// To be used with std::lock_guard. Unlike std::mutex it may be unlocked in the
/// child of a fork by definition, and many can be held at once under tools that
/// watch the order of mutexes.
class Lock {
  enum : uint32_t { Free, Held, Awaited };
  std::atomic<uint32_t> State{Free};

public:
  void lock() {
    uint32_t Old = Free;
    if (State.compare_exchange_strong(Old, Held, std::memory_order_acquire))
      return;
    while (State.exchange(Awaited, std::memory_order_acquire) != Free)
      State.wait(Awaited, std::memory_order_relaxed);
  }
  void unlock() {
    if (State.exchange(Free, std::memory_order_release) == Awaited)
      State.notify_one();
  }
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_LOCK_H
