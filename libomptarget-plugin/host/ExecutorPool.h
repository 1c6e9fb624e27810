//===- ExecutorPool.h - The executors of a device ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds an executor for a caller: the one it had before if possible.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_EXECUTORPOOL_H
#define ACCX_PLUGIN_HOST_EXECUTORPOOL_H

#include "Executor.h"
#include "Lock.h"

#include <list>

namespace accx::host {

/// The executors of one device. A caller gets the executor of its last kernel
/// while that is idle, so that the kernel finds its data in the same cores'
/// caches; else any idle one; else a new one, up to twice the cores; else it
/// waits in line. Thread-safe.
///
/// A line that does not move could be waiting for itself (a kernel that starts
/// a kernel): then the limit gives way.
class ExecutorPool {
public:
  ExecutorPool(const Placement &Cores, uint32_t Device);
  ~ExecutorPool();

  accx_status run(const Kernel &K, const accx_launch &L);
  const Placement &placement() const { return Cores; }
  uint32_t device() const { return Device; }

  void lockForFork() { Guard.lock(); }
  void unlockAfterFork() { Guard.unlock(); }
  /// In the child of a fork: the threads are gone.
  void forgetThreads();

private:
  struct Waiter {
    Futex Called{0};
    Executor *Given = nullptr;
  };

  Executor *acquire();
  Executor *claimIdle();
  Executor *addNew();
  Executor *waitInLine(std::unique_lock<Lock> &Locked);
  void callFirst(Executor *E);
  void release(Executor *E);

  const Placement &Cores;
  const uint32_t Device;
  /// Distinguishes this pool, and this pool before a fork, from every other.
  uint64_t Serial;
  Lock Guard;
  std::vector<Executor *> Executors;
  std::list<Waiter *> Line;
  /// Line.size(), readable without the lock.
  std::atomic<unsigned> LineLength{0};
  /// Kernels that ended; tells whether the line can still move.
  std::atomic<uint64_t> NumReleased{0};
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_EXECUTORPOOL_H
