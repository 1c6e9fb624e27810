//===- Queuing.cpp - Asynchronous work of a device ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's worker and its asynchronous queues.
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"
#include "device/Device.h"
#include "report/Activity.h"
#include "report/KernelName.h"
#include "report/Report.h"

#include <algorithm>

using namespace accx;

namespace {

/// Queues of one device; further numbers share them. A queue of a device
/// without queues is a thread, and its kernels have threads of their own.
constexpr size_t MaxQueues = 32;
constexpr size_t MaxThreadQueues = 16;

} // namespace

Worker &Device::worker() {
  if (Worker *W = startedWorker())
    return *W;
  std::lock_guard Lock(WorkerMutex);
  if (!OwnedWorker) {
    OwnedWorker = std::make_unique<Worker>("accx-dev" + std::to_string(Id));
    StartedWorker.store(OwnedWorker.get(), std::memory_order_release);
  }
  return *OwnedWorker;
}

void Device::drain() {
  Worker *W = startedWorker();
  const bool Draining = W && !W->isCurrentThread();
  if (!Draining && !hasAsyncQueues() && !Trails.any())
    return;
  ActivityInfo Activity;
  Activity.Device = Id;
  Activity.What = "drain";
  ActivityScope Scope(ActivityKind::Wait, Activity);
  if (Draining)
    W->drain();
  settleTrails();
  endIfFailed(Trails.follow(nullptr));
  for (AsyncQueue *Q : asyncQueues()) {
    if (Q->isCurrentThread())
      continue;
    if (const QueueOutcome O = Q->wait(); O.Result.failed())
      reportAsyncFailure(*this, O);
  }
}

/// Ends the program, which left the construct of place \p Source behind.
[[noreturn]] static void endFor(const char *Source, const char *What) {
  const Ident Loc = {0, 0, 0, 0, Source};
  const SourceLocation At = SourceLocation::ofConstruct(&Loc);
  if (At.Known)
    plain("%s: ", At.text().c_str());
  else if (Source)
    plain("%s: ", std::string(At.Name).c_str());
  flushActivityListeners();
  fatal(1, "%s", What);
}

/// What failed. The records of operations name them with what they move,
/// "read(a)"; those of constructs have the function's name.
static std::string failureOf(const char *Source) {
  const Ident Loc = {0, 0, 0, 0, Source};
  const std::string_view Name = SourceLocation::ofConstruct(&Loc).Name;
  if (Name.ends_with(")") && !Name.ends_with("operator()"))
    return "failure of " + std::string(Name);
  return "failure of an asynchronous construct";
}

void accx::reportAsyncFailure(const Device &D, const QueueOutcome &O) {
  error("Work on an asynchronous queue of device %d failed: %s",
        O.Device < 0 ? D.id() : O.Device, O.Result.text().c_str());
  endFor(O.Source, failureOf(O.Source).c_str());
}

void Device::endIfFailed(const QueueOutcome &O) const {
  if (O.Result.ok()) [[likely]]
    return;
  error("%s", O.Result.text().c_str());
  endFor(O.Source, "failure of a target construct");
}

//===----------------------------------------------------------------------===//
// Asynchronous queues
//===----------------------------------------------------------------------===//

Expected<AsyncQueue *> Device::asyncQueue(int64_t Number) {
  std::lock_guard Lock(AsyncMutex);
  AsyncQueue *&Place = QueueOfNumber[Number];
  if (Place) [[likely]]
    return Place;
  const bool OfThreads = Info.features & ACCX_FEATURE_SYNCHRONOUS;
  if (OwnedQueues.size() < (OfThreads ? MaxThreadQueues : MaxQueues)) {
    accx_queue Native = nullptr;
    if (!OfThreads)
      if (Status S = P.check(P.api().queue_create(Handle, &Native));
          S.failed()) {
        QueueOfNumber.erase(Number);
        return std::move(S).within("no asynchronous queue");
      }
    OwnedQueues.push_back(std::make_unique<AsyncQueue>(
        *this, Native, static_cast<unsigned>(OwnedQueues.size() + 1)));
    HasAsyncQueues.store(true, std::memory_order_relaxed);
    return Place = OwnedQueues.back().get();
  }
  const size_t Shared = QueueOfNumber.size() % OwnedQueues.size();
  return Place = OwnedQueues[Shared].get();
}

Status Device::adoptAsyncQueue(int64_t Number, void *NativeQueue) {
  AsyncQueue *Old = findAsyncQueue(Number);
  if (Old) {
    auto Known = Old->share();
    if (!Known.ok())
      return Known.takeStatus();
    if (*Known == NativeQueue)
      return Status();
  }
  AsyncQueue *New = nullptr;
  {
    std::lock_guard Lock(AsyncMutex);
    // A program may change between streams as often as it likes.
    AsyncQueue *&Known = Adopted[NativeQueue];
    if (!Known) {
      auto Native = P.adoptQueue(Handle, NativeQueue);
      if (!Native.ok()) {
        Adopted.erase(NativeQueue);
        return Native.takeStatus();
      }
      OwnedQueues.push_back(std::make_unique<AsyncQueue>(
          *this, *Native, static_cast<unsigned>(OwnedQueues.size() + 1)));
      HasAsyncQueues.store(true, std::memory_order_relaxed);
      Known = OwnedQueues.back().get();
    }
    New = QueueOfNumber[Number] = Known;
  }
  if (auto Shared = New->share(); !Shared.ok())
    return Shared.takeStatus();
  if (Old) {
    std::lock_guard Lock(New->Order);
    New->waitFor(*Old);
  }
  return Status();
}

AsyncQueue *Device::findAsyncQueue(int64_t Number) {
  std::lock_guard Lock(AsyncMutex);
  auto It = QueueOfNumber.find(Number);
  return It == QueueOfNumber.end() ? nullptr : It->second;
}

std::vector<AsyncQueue *> Device::asyncQueues() {
  std::vector<AsyncQueue *> All;
  std::lock_guard Lock(AsyncMutex);
  All.reserve(OwnedQueues.size());
  for (const auto &Q : OwnedQueues)
    All.push_back(Q.get());
  return All;
}

void Device::reapAsyncQueues() {
  for (AsyncQueue *Q : asyncQueues())
    Q->reap();
}

Status Device::queueCopy(AsyncQueue &Queue, const accx_copy &Copy,
                         const void *Name) {
  return Queue.issueCopy(Copy, [=, this](accx_queue On) {
    Status S = copyOn(On, Copy, Name);
    if (S.failed()) [[unlikely]]
      return std::move(S).within("copying '" + itemName(Name) +
                                 (Copy.direction == ACCX_FROM_DEVICE
                                      ? "' from the device failed"
                                      : "' to the device failed"));
    return S;
  });
}

Status Device::queueLaunch(AsyncQueue &Queue, accx_kernel Kernel,
                           const accx_launch &Launch, const char *KernelName,
                           const Ident *Loc) {
  // A thread would first have to get a core.
  if (Times.isShort(Kernel) && Queue.takesNothing())
    return Times.timed(Kernel, [&] {
      return launchOn(nullptr, Kernel, Launch, KernelName, Loc);
    });
  auto Op = [&](accx_queue On) {
    Queue.hold(Launch);
    return launchOn(On, Kernel, Launch, KernelName, Loc);
  };
  return Queue.issue(Op, [&] {
    std::vector<void *> Args(Launch.args, Launch.args + Launch.num_args);
    return [=, this, Args = std::move(Args),
            Place = Loc ? *Loc : Ident{}](accx_queue On) {
      accx_launch Own = Launch;
      Own.args = Args.data();
      Own.may_wait = 0;
      Status S = Times.timed(Kernel, [&] {
        return launchOn(On, Kernel, Own, KernelName, &Place);
      });
      if (S.failed()) [[unlikely]]
        return std::move(S).within(kernelPhrase(KernelName));
      return S;
    };
  });
}
