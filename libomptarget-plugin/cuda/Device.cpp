//===- Device.cpp - A GPU -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Device.h.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "PieceKernel.h"
#include "Queue.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <ctime>

using namespace accx;
using namespace accx::cuda;

accx_status Properties::read(CUdevice Handle) {
  if (CUresult R = Cu.DeviceGetName(Name, sizeof(Name), Handle))
    return driverFailure(R, "name of CUDA device %d", Handle);
  if (CUresult R = Cu.DeviceTotalMem(&MemoryBytes, Handle))
    return driverFailure(R, "memory of CUDA device %d", Handle);

  int Threads = 0, Blocks = 0, Warp = 0, Pitch = 0, Multiprocessors = 0;
  int PerMultiprocessor = 0, Pageable = 0, Shared = 0, Virtual = 0;
  int Descriptors = 0;
  const struct {
    CUdevice_attribute Attribute;
    int &Value;
  } Attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, Major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, Minor},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, Threads},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, Blocks},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, Warp},
      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, Pitch},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, Multiprocessors},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, PerMultiprocessor},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, Pageable},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, Shared},
      {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, Virtual},
      {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
       Descriptors},
  };
  for (const auto &A : Attributes)
    if (CUresult R = Cu.DeviceGetAttribute(&A.Value, A.Attribute, Handle))
      return driverFailure(R, "attribute %d of CUDA device %d",
                           int(A.Attribute), Handle);

  MaxPitch = size_t(Pitch);
  MaxSharedBytes = uint32_t(Shared);
  MaxThreadsPerMultiprocessor = uint32_t(PerMultiprocessor);
  PageableAccess = Pageable != 0;
  Exportable = Virtual && Descriptors;
  Limits.Multiprocessors = uint32_t(Multiprocessors);
  Limits.WarpSize = uint32_t(std::max(Warp, 1));
  Limits.MaxThreads = uint32_t(Threads);
  Limits.MaxBlocks = uint64_t(Blocks);
  if (Virtual) {
    const CUmemAllocationProp Prop = Windows::property(Handle, Exportable);
    if (CUresult R = Cu.MemGetAllocationGranularity(
            &Granularity, &Prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
      return driverFailure(R, "page size of CUDA device %d", Handle);
  }
  return ACCX_OK;
}

Device::~Device() {
  if (!Active)
    return;
  {
    ContextScope Scope(Context);
    for (Queue *Q : IdleQueues)
      delete Q;
    for (CUevent Event : IdleEvents)
      Cu.EventDestroy(Event);
    Hands.stop();
    OtherHands.stop();
    ToDevice.release();
    FromDevice.release();
    Imported.releaseAll();
    Reserved.releaseAll();
  }
  Cu.DevicePrimaryCtxRelease(Handle);
}

accx_status Device::activateSlow() {
  std::lock_guard Guard(Lock);
  if (Active.load(std::memory_order_relaxed))
    return ACCX_OK;
  if (CUresult R = Cu.DevicePrimaryCtxRetain(&Context, Handle))
    return driverFailure(R, "context of CUDA device %u", Ordinal);
  ContextScope Scope(Context);
  const struct {
    CUlimit Limit;
    uint64_t Value;
    const char *Name;
  } Limits[] = {{CU_LIMIT_STACK_SIZE, Env.StackBytes, "stack"},
                {CU_LIMIT_MALLOC_HEAP_SIZE, Env.HeapBytes, "heap"}};
  for (const auto &L : Limits)
    if (L.Value)
      if (CUresult R = Cu.CtxSetLimit(L.Limit, L.Value)) {
        Cu.DevicePrimaryCtxRelease(Handle);
        return driverFailure(R, "%s of %llu bytes on CUDA device %u", L.Name,
                             static_cast<unsigned long long>(L.Value), Ordinal);
      }
  Active.store(true, std::memory_order_release);
  return ACCX_OK;
}

static constexpr size_t DriversHeap = size_t(8) << 20;
/// The heap is this part of the device's memory.
static constexpr size_t HeapShare = 64;

void Device::enlargeHeap() {
  std::lock_guard Guard(Lock);
  if (Env.HeapBytes || HasLargeHeap)
    return;
  HasLargeHeap = true;
  // The limit is fixed once a kernel has used the heap: then it stays.
  ContextScope Scope(Context);
  (void)Cu.CtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE,
                       std::max(Props.MemoryBytes / HeapShare, DriversHeap));
}

accx_status Device::failure(CUresult Result, const char *Format, ...) {
  char What[384];
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(What, sizeof(What), Format, Args);
  va_end(Args);
  const bool Again = isSticky(Result) && Lost.exchange(true);
  const accx_status Status = driverFailure(Result, "%s", What);
  return Again ? ACCX_ERROR_DEVICE_LOST : Status;
}

static uint64_t nanoseconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
}

void Patience::pause() {
  constexpr uint64_t Part = 64, Shortest = 20000, Longest = 1000000;
  const uint64_t Now = nanoseconds();
  if (!Start)
    Start = Now;
  const uint64_t Waited = Now - Start;
  if (Waited < SpinNanoseconds)
    return;
  const timespec Nap = {0, long(std::clamp(Waited / Part, Shortest, Longest))};
  nanosleep(&Nap, nullptr);
}

accx_status Device::takeEvent(CUevent &Event) {
  {
    std::lock_guard Guard(Lock);
    if (!IdleEvents.empty()) {
      Event = IdleEvents.back();
      IdleEvents.pop_back();
      return ACCX_OK;
    }
  }
  if (CUresult R = Cu.EventCreate(&Event, CU_EVENT_DISABLE_TIMING))
    return failure(R, "a new event");
  return ACCX_OK;
}

void Device::giveEvent(CUevent Event) {
  std::lock_guard Guard(Lock);
  IdleEvents.push_back(Event);
}

accx_status Device::takeQueue(Queue *&Q) {
  {
    std::lock_guard Guard(Lock);
    if (!IdleQueues.empty()) {
      Q = IdleQueues.back();
      IdleQueues.pop_back();
      return ACCX_OK;
    }
  }
  return Queue::create(*this, Q);
}

void Device::giveQueue(Queue *Q) {
  std::lock_guard Guard(Lock);
  IdleQueues.push_back(Q);
}

CUfunction Device::pieceKernel() {
  if (CUfunction Function = PieceKernel.load(std::memory_order_acquire))
    return Function;
  std::lock_guard Guard(Lock);
  if (!TriedPieceKernel) {
    TriedPieceKernel = true;
    PieceKernel.store(loadPieceKernel(), std::memory_order_release);
  }
  return PieceKernel.load(std::memory_order_relaxed);
}

bool Device::reach(Device &Other) {
  if (sharesGpu(Other))
    return true;
  if (Other.activate() != ACCX_OK)
    return false;
  std::lock_guard Guard(Lock);
  if (const auto Known = Reached.find(&Other); Known != Reached.end())
    return Known->second;
  bool &Reaches = Reached[&Other];
  int Can = 0;
  if (Cu.DeviceCanAccessPeer(&Can, Handle, Other.Handle) || !Can)
    return false; // The driver then copies through the host.
  const CUresult R = Cu.CtxEnablePeerAccess(Other.Context, 0);
  Reaches = R == CUDA_SUCCESS || R == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  if (Reaches)
    Other.Reserved.grant(Handle);
  return Reaches;
}
