//===- Device.h - One device and what is mapped on it -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device as the rest of the runtime sees it: memory, transfers and launches
// over its plugin, each reported to tools, plus the mapping directory with its
// mutex.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_DEVICE_H
#define ACCX_DEVICE_DEVICE_H

#include "device/Arrivals.h"
#include "device/LaunchTimes.h"
#include "device/LoopEnds.h"
#include "device/Plugin.h"
#include "device/Scratch.h"
#include "device/Trailing.h"
#include "directory/Directory.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

namespace accx {

class AsyncQueue;
class Worker;
struct Ident;

/// The directory's device memory, drawn from a plugin.
class PluginMemory final : public DeviceMemory {
  Plugin &P;
  accx_device Handle;
  accx_device_info Info;
  int Id;
  /// Their memory must not go before they end.
  Trailing &Trails;

public:
  PluginMemory(Plugin &P, accx_device Handle, const accx_device_info &Info,
               int Id, Trailing &Trails)
      : P(P), Handle(Handle), Info(Info), Id(Id), Trails(Trails) {}
  size_t granularity() const override;
  uint64_t capacity() const override { return Info.memory_bytes; }
  Expected<uintptr_t> reserve(size_t Size) override;
  void unreserve(uintptr_t Address, size_t Size) override;
  Status commit(uintptr_t Address, size_t Size) override;
  void decommit(uintptr_t Address, size_t Size) override;
  Expected<uintptr_t> allocate(size_t Size) override;
  void release(uintptr_t Address) override;
};

/// A device that was opened. Thread-safe. Lives until the process ends.
class Device {
  Plugin &P;
  accx_device Handle;
  accx_device_info Info;
  int Id;
  Trailing Trails;
  LoopEnds Loops;
  PluginMemory Memory;
  ScratchPool Scratch, SharedScratch;

  Device(Plugin &P, accx_device Handle, const accx_device_info &Info, int Id);

public:
  /// Opens device \p Ordinal of \p P as the program's device \p Id.
  static Expected<std::unique_ptr<Device>> open(Plugin &P, uint32_t Ordinal,
                                                int Id);
  ~Device();

  int id() const { return Id; }
  Plugin &plugin() const { return P; }
  accx_device handle() const { return Handle; }
  const accx_device_info &info() const { return Info; }
  bool unified() const { return Info.features & ACCX_FEATURE_UNIFIED; }

  /// \name Memory
  /// @{
  Expected<void *> allocate(size_t Size, accx_memory_kind Kind);
  Status release(void *Address, accx_memory_kind Kind);
  ScratchPool &scratch() { return Scratch; }
  /// Of memory that the host reaches, too.
  ScratchPool &sharedScratch() { return SharedScratch; }
  /// @}

  /// \name Queued work
  /// A queue of the pool is the calling thread's until it is given back. Null
  /// for plugins that do everything at once. All of these also take an
  /// asynchronous queue's handle(): then host memory has to live until the
  /// queue is past, and failures may come at the wait only.
  /// @{
  Expected<accx_queue> takeQueue();
  void giveQueue(accx_queue Queue);
  /// Waits for everything on \p Queue; the error of queued work comes here.
  Status wait(accx_queue Queue);

  /// A contiguous or pitched copy; see accx_copy. \p Name is a map item's name
  /// record for messages.
  Status copy(accx_queue Queue, const accx_copy &Copy,
              const void *Name = nullptr);
  /// The same to a peer by a queue of the plugin's, which launches that were
  /// put off are on: it may wait with these.
  Status copyLater(accx_queue Queue, const accx_copy &Copy);
  Status toDevice(accx_queue Queue, uintptr_t Dst, const void *Src, size_t Size,
                  const void *Name = nullptr);
  Status fromDevice(accx_queue Queue, void *Dst, uintptr_t Src, size_t Size,
                    const void *Name = nullptr);
  Status fill(accx_queue Queue, void *Address, uint64_t Pattern, uint32_t Width,
              size_t Count);
  Status launch(accx_queue Queue, accx_kernel Kernel, const accx_launch &Launch,
                const char *KernelName, const Ident *Loc);
  /// @}

  /// \name Constructs that end before their copies
  /// @{
  /// Whether a plugin's copy of \p Size bytes at \p Host to the device has read
  /// them when the call returns. Not of long ones, which nobody's construct is
  /// to wait behind.
  bool readsAtOnce(const void *Host, size_t Size) const {
    constexpr size_t Longest = size_t(1) << 20;
    return !(Info.features & ACCX_FEATURE_SYNCHRONOUS) &&
           (Size <= Info.staged_bytes ||
            (Size <= Longest && P.readsAtOnce(Handle, Host, Size)));
  }
  /// Whether trail() may be used now.
  bool canTrail() const;
  /// Such a copy of \p Size bytes, of the item \p Name, whose construct, of
  /// place \p Source, need not wait for it.
  Status trail(uintptr_t Dst, const void *Src, size_t Size, const void *Name,
               const char *Source);
  /// Waits for all of them, and for loops: before an address is given away.
  void settleTrails();
  /// Waits for copies alone.
  void settleCopies() {
    if (Trails.any()) [[unlikely]]
      Trails.settle();
  }
  /// @}

  /// Distributed loops that run on this device, or on what it can see.
  LoopEnds &loops() { return Loops; }

  /// The worker for asynchronous work; started by the first call.
  Worker &worker();
  /// The worker if there is one.
  Worker *startedWorker() const {
    return StartedWorker.load(std::memory_order_acquire);
  }
  /// Regions that are queued and that nobody waits for; see startRegion().
  std::atomic<unsigned> NumStarted{0};
  /// The program has made memory of the host's the device's, too.
  std::atomic<bool> UsesHostMemory{false};
  /// Waits until nothing asynchronous is queued or running. Ends the program if
  /// work of an asynchronous queue failed.
  void drain();

  /// \name Asynchronous queues
  /// Numbers share a queue when there are too many.
  /// @{
  /// The queue with number \p Number; made by the first call.
  Expected<AsyncQueue *> asyncQueue(int64_t Number);
  /// Number \p Number stands for the native queue \p NativeQueue of the program
  /// from now on, after what it stood for.
  Status adoptAsyncQueue(int64_t Number, void *NativeQueue);
  /// Null if it was never used.
  AsyncQueue *findAsyncQueue(int64_t Number);
  std::vector<AsyncQueue *> asyncQueues();
  bool hasAsyncQueues() const {
    return HasAsyncQueues.load(std::memory_order_relaxed);
  }
  /// Queues with failed work of which nobody was told.
  std::atomic<unsigned> NumFailedQueues{0};
  /// Lets go what queues have passed, so that what waits for it may go on.
  void reapAsyncQueues();
  /// @}

  /// \name The mapping directory
  /// Lock Mutex for every call; wait on Changed for Outcome::Wait.
  /// @{
  std::mutex MapMutex;
  std::condition_variable MapChanged;
  /// Threads that wait for MapChanged; guarded by MapMutex.
  unsigned MapWaiters = 0;
  Directory Maps;
  /// Guarded by MapMutex, too.
  Arrivals OnTheWay;
  /// Call with MapMutex held after anything that ends an Outcome::Wait.
  void notifyMapChanged() {
    if (MapWaiters)
      MapChanged.notify_all();
  }
  /// @}

  /// Kernels of the loaded images, and whether all registered images are
  /// loaded; owned by image/.
  std::atomic<const class KernelTable *> Kernels{nullptr};
  std::atomic<uint64_t> LoadedEpoch{0};

private:
  /// Orders what comes next on \p Queue after trailing copies and loops.
  void followTrails(accx_queue Queue) {
    if (Trails.any() || Loops.any()) [[unlikely]]
      followSlow(Queue);
  }
  [[gnu::cold]] void followSlow(accx_queue Queue);
  /// Ends the program if \p O, of trailing copies, is a failure.
  void endIfFailed(const QueueOutcome &O) const;
  /// copy() and launch() with and without events for tools.
  [[gnu::cold]] Status copyTold(accx_queue Queue, const accx_copy &Copy,
                                const void *Name);
  Status copyUntold(accx_queue Queue, const accx_copy &Copy, const void *Name);
  [[gnu::cold]] Status launchTold(accx_queue Queue, accx_kernel Kernel,
                                  const accx_launch &Launch,
                                  const char *KernelName, const Ident *Loc);
  Status launchUntold(accx_queue Queue, accx_kernel Kernel,
                      const accx_launch &Launch, const char *KernelName,
                      const Ident *Loc);
  Status copyOn(accx_queue Queue, const accx_copy &Copy, const void *Name);
  template <typename Fn>
  Status tellOf(const accx_copy &Copy, const void *Name, Fn Queue);
  Status fillOn(accx_queue Queue, void *Address, uint64_t Pattern,
                uint32_t Width, size_t Count);
  /// For ACCX_TIME: the time of what \p Queue, one of the plugin's, does is the
  /// time until it is done. Gives \p Queued otherwise.
  Status awaitForTime(accx_queue Queue, Status Queued = Status());
  [[gnu::cold]] Status awaitIfTimed(accx_queue Queue, Status Queued);
  Status launchOn(accx_queue Queue, accx_kernel Kernel,
                  const accx_launch &Launch, const char *KernelName,
                  const Ident *Loc);
  [[gnu::cold]] Status queueCopy(AsyncQueue &Queue, const accx_copy &Copy,
                                 const void *Name);
  Status queueLaunch(AsyncQueue &Queue, accx_kernel Kernel,
                     const accx_launch &Launch, const char *KernelName,
                     const Ident *Loc);

  std::mutex QueueMutex;
  std::vector<accx_queue> IdleQueues;

  std::mutex WorkerMutex;
  std::unique_ptr<Worker> OwnedWorker;
  std::atomic<Worker *> StartedWorker{nullptr};

  std::mutex AsyncMutex;
  std::vector<std::unique_ptr<AsyncQueue>> OwnedQueues;
  std::map<int64_t, AsyncQueue *> QueueOfNumber;
  /// Queues of native ones that the program made.
  std::map<void *, AsyncQueue *> Adopted;
  std::atomic<bool> HasAsyncQueues{false};
  /// Of kernels on queues that are threads.
  LaunchTimes Times;
};

} // namespace accx

#endif // ACCX_DEVICE_DEVICE_H
