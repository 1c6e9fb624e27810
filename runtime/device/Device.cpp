//===- Device.cpp - One device and what is mapped on it -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Device.h and DeviceList.h.
//
//===----------------------------------------------------------------------===//

#include "device/Device.h"

#include "device/AsyncQueue.h"
#include "device/DeviceList.h"
#include "device/Worker.h"
#include "report/Activity.h"
#include "report/Crash.h"
#include "report/Ompt.h"
#include "report/Prof.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <algorithm>
#include <cinttypes>

using namespace accx;

//===----------------------------------------------------------------------===//
// PluginMemory
//===----------------------------------------------------------------------===//

namespace {

void *pointer(uintptr_t Address) { return reinterpret_cast<void *>(Address); }
uintptr_t address(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer);
}

ActivityInfo allocationActivity(int Id, const char *What, size_t Size) {
  ActivityInfo Info;
  Info.Device = Id;
  Info.What = What;
  Info.Bytes = Size;
  return Info;
}

DirectoryOptions directoryOptions() {
  const Environment &Env = Environment::get();
  DirectoryOptions Options;
  if (Env.DirectoryKind == "fused")
    Options.Strategy = DirectoryOptions::Fused;
  Options.Strict = Env.StrictMap;
  return Options;
}

} // namespace

size_t PluginMemory::granularity() const {
  return Info.features & ACCX_FEATURE_VA ? Info.va_granularity : 0;
}

Expected<uintptr_t> PluginMemory::reserve(size_t Size) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "reserve", Size));
  void *Address = nullptr;
  if (Status S = P.check(P.api().va_reserve(Handle, Size, nullptr, &Address));
      S.failed())
    return S;
  return address(Address);
}

void PluginMemory::unreserve(uintptr_t Address, size_t Size) {
  Trails.settle();
  // At worst the addresses stay reserved.
  (void)P.api().va_release(Handle, pointer(Address), Size);
}

Status PluginMemory::commit(uintptr_t Address, size_t Size) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "commit", Size));
  return P.check(P.api().va_commit(Handle, pointer(Address), Size));
}

void PluginMemory::decommit(uintptr_t Address, size_t Size) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "decommit", Size));
  Trails.settle();
  (void)P.api().va_decommit(Handle, pointer(Address), Size);
}

Expected<uintptr_t> PluginMemory::allocate(size_t Size) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "allocate", Size));
  void *Address = nullptr;
  if (Status S =
          P.check(P.api().alloc(Handle, Size, ACCX_MEMORY_DEVICE, &Address));
      S.failed())
    return S;
  return address(Address);
}

void PluginMemory::release(uintptr_t Address) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "free", 0));
  Trails.settle();
  (void)P.api().free(Handle, pointer(Address), ACCX_MEMORY_DEVICE);
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

Device::Device(Plugin &P, accx_device Handle, const accx_device_info &Info,
               int Id)
    : P(P), Handle(Handle), Info(Info), Id(Id), Trails(P),
      Memory(P, Handle, Info, Id, Trails), Scratch(*this, ACCX_MEMORY_DEVICE),
      SharedScratch(*this, ACCX_MEMORY_SHARED),
      Maps(Memory, directoryOptions()), OnTheWay(P, Handle, Maps) {}

Device::~Device() = default;

Expected<std::unique_ptr<Device>> Device::open(Plugin &P, uint32_t Ordinal,
                                               int Id) {
  accx_device Handle = nullptr;
  if (Status S = P.check(P.api().device_open(Ordinal, &Handle)); S.failed())
    return S;
  accx_device_info Info = {};
  if (Status S = P.check(P.api().device_info(Handle, &Info)); S.failed()) {
    P.api().device_close(Handle);
    return S;
  }
  return std::unique_ptr<Device>(new Device(P, Handle, Info, Id));
}

Expected<void *> Device::allocate(size_t Size, accx_memory_kind Kind) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "allocate", Size));
  void *Address = nullptr;
  Status S = P.check(P.api().alloc(Handle, Size, Kind, &Address));
  if (S.failed())
    return S;
  return Address;
}

Status Device::release(void *Address, accx_memory_kind Kind) {
  ActivityScope Scope(ActivityKind::Allocation,
                      allocationActivity(Id, "free", 0));
  return P.check(P.api().free(Handle, Address, Kind));
}

Expected<accx_queue> Device::takeQueue() {
  if (Info.features & ACCX_FEATURE_SYNCHRONOUS)
    return accx_queue(nullptr);
  {
    std::lock_guard Lock(QueueMutex);
    if (!IdleQueues.empty()) {
      accx_queue Queue = IdleQueues.back();
      IdleQueues.pop_back();
      return Queue;
    }
  }
  accx_queue Queue = nullptr;
  if (Status S = P.check(P.api().queue_create(Handle, &Queue)); S.failed())
    return S;
  return Queue;
}

void Device::giveQueue(accx_queue Queue) {
  if (!Queue)
    return;
  std::lock_guard Lock(QueueMutex);
  IdleQueues.push_back(Queue);
}

Status Device::wait(accx_queue Queue) {
  if (!Queue)
    return Status();
  if (AsyncQueue *A = AsyncQueue::of(Queue)) [[unlikely]]
    return A->wait().Result;
  ActivityInfo Activity;
  Activity.Device = Id;
  Activity.What = "wait for queue";
  ActivityScope Scope(ActivityKind::Wait, Activity);
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.step(acc_ev_wait_start, Id, /*Implicit=*/true);
  Status Result = P.check(P.api().queue_wait(Queue));
  if (anyActivityEnabled()) [[unlikely]]
    countGraphKernels(Id, P.graphKernels(Handle));
  if (Trails.any()) [[unlikely]]
    endIfFailed(Trails.ended(Queue));
  // A queue that failed does not say in what: what was there first did.
  if (Result.failed() && Loops.any())
    Loops.check();
  return Result;
}

void Device::settleTrails() {
  settleCopies();
  if (Loops.any()) [[unlikely]]
    Loops.follow(P, nullptr);
}

void Device::followSlow(accx_queue Queue) {
  Loops.follow(P, Queue);
  if (!Trails.any())
    return;
  if (AsyncQueue::of(Queue)) {
    // Its thread may not be so far yet.
    Trails.settle();
    Queue = nullptr;
  }
  endIfFailed(Trails.follow(Queue));
}

static void tellOfCopy(prof::EventScope &Prof, int Id, const accx_copy &Copy,
                       const void *Name) {
  const size_t Bytes = Copy.width * Copy.height;
  if (Copy.direction == ACCX_TO_DEVICE)
    Prof.data(acc_ev_enqueue_upload_start,
              {Id, Name, Bytes, Copy.src, Copy.dst});
  else if (Copy.direction == ACCX_FROM_DEVICE)
    Prof.data(acc_ev_enqueue_download_start,
              {Id, Name, Bytes, Copy.dst, Copy.src});
}

Status Device::copy(accx_queue Queue, const accx_copy &Copy, const void *Name) {
  followTrails(Queue);
  if (prof::enabled()) [[unlikely]]
    return copyTold(Queue, Copy, Name);
  return copyUntold(Queue, Copy, Name);
}

Status Device::copyLater(accx_queue Queue, const accx_copy &Copy) {
  if (prof::enabled() || anyActivityEnabled()) [[unlikely]]
    return copy(Queue, Copy);
  followTrails(Queue);
  return P.copyLater(Handle, Queue, Copy);
}

Status Device::copyTold(accx_queue Queue, const accx_copy &Copy,
                        const void *Name) {
  prof::EventScope Prof;
  tellOfCopy(Prof, Id, Copy, Name);
  return copyUntold(Queue, Copy, Name);
}

Status Device::copyUntold(accx_queue Queue, const accx_copy &Copy,
                          const void *Name) {
  if (AsyncQueue *A = AsyncQueue::of(Queue)) [[unlikely]]
    return queueCopy(*A, Copy, Name);
  return copyOn(Queue, Copy, Name);
}

inline Status Device::awaitForTime(accx_queue Queue, Status Queued) {
  if (anyActivityEnabled()) [[unlikely]]
    return awaitIfTimed(Queue, std::move(Queued));
  return Queued;
}

Status Device::awaitIfTimed(accx_queue Queue, Status Queued) {
  static const bool Timing = Environment::get().timing();
  if (!Timing || !Queue || Queued.failed())
    return Queued;
  return P.check(P.api().queue_wait(Queue));
}

/// Tells tools, reports and messages of a copy, which \p Queue queues.
template <typename Fn>
Status Device::tellOf(const accx_copy &Copy, const void *Name, Fn Queue) {
  int Initial = DeviceList::get().initialDevice();
  const size_t Bytes = Copy.width * Copy.height;
  ActivityInfo Activity;
  Activity.Device = Id;
  Activity.Bytes = Bytes;
  Activity.ItemName = Name;
  ompt_target_data_op_t Op = ompt_target_data_transfer_from_device;
  int From = Id, To = Id;
  switch (Copy.direction) {
  case ACCX_TO_DEVICE:
    Activity.What = "to device";
    Activity.Direction = ActivityInfo::ToDevice;
    Op = ompt_target_data_transfer_to_device;
    From = Initial;
    if (infoEnabled(InfoDataTransfer)) [[unlikely]]
      accx::info(Id,
                 "Copying data from host to device, HstPtr=0x%016" PRIxPTR
                 ", TgtPtr=0x%016" PRIxPTR ", Size=%zu, Name=%s\n",
                 address(Copy.src), address(Copy.dst), Bytes,
                 itemName(Name).c_str());
    break;
  case ACCX_FROM_DEVICE:
    Activity.What = "from device";
    Activity.Direction = ActivityInfo::FromDevice;
    To = Initial;
    if (infoEnabled(InfoDataTransfer)) [[unlikely]]
      accx::info(Id,
                 "Copying data from device to host, TgtPtr=0x%016" PRIxPTR
                 ", HstPtr=0x%016" PRIxPTR ", Size=%zu, Name=%s\n",
                 address(Copy.src), address(Copy.dst), Bytes,
                 itemName(Name).c_str());
    break;
  case ACCX_WITHIN_DEVICE:
    Activity.What = "within device";
    Activity.Direction = ActivityInfo::Within;
    break;
  case ACCX_TO_PEER:
    Activity.What = "to peer";
    Activity.Direction = ActivityInfo::ToPeer;
    To = DeviceList::get().idOf(Copy.peer);
    Activity.Peer = To;
    break;
  }
  ActivityScope Scope(ActivityKind::Transfer, Activity);
  ompt::DataOpScope Tool(Op, Copy.src, From, Copy.dst, To, Bytes);
  CrashScope Crash(Activity);
  return Queue();
}

Status Device::copyOn(accx_queue Queue, const accx_copy &Copy,
                      const void *Name) {
  if (Status S = awaitForTime(Queue); S.failed())
    return S;
  return tellOf(Copy, Name, [&] {
    return awaitForTime(Queue, P.check(P.api().copy(Handle, Queue, &Copy)));
  });
}

bool Device::canTrail() const {
  return !(Info.features & ACCX_FEATURE_SYNCHRONOUS) && !Loops.any() &&
         !(anyActivityEnabled() && Environment::get().timing());
}

Status Device::trail(uintptr_t Dst, const void *Src, size_t Size,
                     const void *Name, const char *Source) {
  const accx_copy Copy = {ACCX_TO_DEVICE, pointer(Dst), Src, Size, 1, 0, 0,
                          nullptr};
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    tellOfCopy(Prof, Id, Copy, Name);
  return tellOf(Copy, Name,
                [&] { return Trails.copy(Handle, Copy, Name, Source); });
}

Status Device::toDevice(accx_queue Queue, uintptr_t Dst, const void *Src,
                        size_t Size, const void *Name) {
  return copy(
      Queue, {ACCX_TO_DEVICE, pointer(Dst), Src, Size, 1, 0, 0, nullptr}, Name);
}

Status Device::fromDevice(accx_queue Queue, void *Dst, uintptr_t Src,
                          size_t Size, const void *Name) {
  return copy(Queue,
              {ACCX_FROM_DEVICE, Dst, pointer(Src), Size, 1, 0, 0, nullptr},
              Name);
}

Status Device::fill(accx_queue Queue, void *Address, uint64_t Pattern,
                    uint32_t Width, size_t Count) {
  followTrails(Queue);
  if (AsyncQueue *A = AsyncQueue::of(Queue)) [[unlikely]] {
    auto Op = [=, this](accx_queue On) {
      return fillOn(On, Address, Pattern, Width, Count);
    };
    return A->issue(Op, [&] { return Op; });
  }
  return fillOn(Queue, Address, Pattern, Width, Count);
}

Status Device::fillOn(accx_queue Queue, void *Address, uint64_t Pattern,
                      uint32_t Width, size_t Count) {
  ActivityInfo Activity;
  Activity.Device = Id;
  Activity.What = "fill";
  Activity.Bytes = Width * Count;
  if (Status S = awaitForTime(Queue); S.failed())
    return S;
  ActivityScope Scope(ActivityKind::Transfer, Activity);
  return awaitForTime(Queue, P.check(P.api().fill(Handle, Queue, Address,
                                                  Pattern, Width, Count)));
}

Status Device::launch(accx_queue Queue, accx_kernel Kernel,
                      const accx_launch &Launch, const char *KernelName,
                      const Ident *Loc) {
  followTrails(Queue);
  if (prof::enabled()) [[unlikely]]
    return launchTold(Queue, Kernel, Launch, KernelName, Loc);
  return launchUntold(Queue, Kernel, Launch, KernelName, Loc);
}

Status Device::launchTold(accx_queue Queue, accx_kernel Kernel,
                          const accx_launch &Launch, const char *KernelName,
                          const Ident *Loc) {
  prof::EventScope Prof;
  Prof.launch(acc_ev_enqueue_launch_start,
              {Id, KernelName, std::max({Launch.grid[0], Launch.num_teams, 1u}),
               1, std::max({Launch.block[0], Launch.thread_limit, 1u})});
  return launchUntold(Queue, Kernel, Launch, KernelName, Loc);
}

Status Device::launchUntold(accx_queue Queue, accx_kernel Kernel,
                            const accx_launch &Launch, const char *KernelName,
                            const Ident *Loc) {
  if (AsyncQueue *A = AsyncQueue::of(Queue)) [[unlikely]]
    return queueLaunch(*A, Kernel, Launch, KernelName, Loc);
  return launchOn(Queue, Kernel, Launch, KernelName, Loc);
}

Status Device::launchOn(accx_queue Queue, accx_kernel Kernel,
                        const accx_launch &Launch, const char *KernelName,
                        const Ident *Loc) {
  ActivityInfo Activity;
  Activity.Device = Id;
  Activity.What = "launch";
  Activity.Kernel = KernelName;
  Activity.Loc = Loc;
  if (Status S = awaitForTime(Queue); S.failed())
    return S;
  ActivityScope Scope(ActivityKind::Launch, Activity);
  CrashScope Crash(Activity);
  return awaitForTime(Queue,
                      P.check(P.api().launch(Handle, Queue, Kernel, &Launch)));
}

//===----------------------------------------------------------------------===//
// DeviceList
//===----------------------------------------------------------------------===//

DeviceList &DeviceList::get() {
  // Never destroyed: threads of the program may offload while it exits.
  static DeviceList *List = new DeviceList;
  return *List;
}

int DeviceList::idOf(accx_device Handle) const {
  for (int I = 0; I < count(); ++I)
    if (find(I)->handle() == Handle)
      return I;
  return -1;
}

bool DeviceList::add(std::unique_ptr<Device> D) {
  int Id = Count.load(std::memory_order_relaxed);
  if (Id == MaxDevices)
    return false;
  Slots[Id].store(D.release(), std::memory_order_release);
  Count.store(Id + 1, std::memory_order_release);
  return true;
}
