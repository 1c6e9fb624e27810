//===- Plugin.cpp - The CUDA plugin's table of functions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the plugin ABI: turns handles into objects and calls them.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Image.h"
#include "Launch.h"
#include "Memory.h"
#include "Queue.h"
#include "Sharing.h"
#include "Spread.h"
#include "Transfer.h"

#include <algorithm>
#include <cstdio>

using namespace accx;
using namespace accx::cuda;

//===----------------------------------------------------------------------===//
// The plugin and its devices
//===----------------------------------------------------------------------===//

namespace {
struct PluginState {
  Settings Environment;
  std::mutex Lock;
  struct Gpu {
    CUdevice Handle;
    Properties Props;
    bool Open = false;
  };
  std::vector<Gpu> Gpus; ///< By ordinal.
  SpreadRanges Spread;
};
} // namespace

/// Never destroyed: the runtime may close devices after static destructors.
static PluginState &plugin() {
  static PluginState &State = *new PluginState;
  return State;
}

static accx_status init(uint32_t *NumDevices) {
  PluginState &P = plugin();
  std::lock_guard Guard(P.Lock);
  *NumDevices = 0;
  P.Gpus.clear();
  if (accx_status S = P.Environment.read())
    return S;
  bool Found = false;
  if (accx_status S = Cu.load(P.Environment.DriverPath.c_str(), Found))
    return S;
  if (!Found)
    return ACCX_OK;

  int Count = 0;
  if (CUresult R = Cu.DeviceGetCount(&Count))
    return driverFailure(R, "number of CUDA devices");
  for (int I = 0; I < Count; ++I) {
    PluginState::Gpu G = {};
    if (CUresult R = Cu.DeviceGet(&G.Handle, I))
      return driverFailure(R, "CUDA device %d", I);
    int Mode = 0;
    if (CUresult R = Cu.DeviceGetAttribute(
            &Mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, G.Handle))
      return driverFailure(R, "compute mode of CUDA device %d", I);
    if (Mode == CU_COMPUTEMODE_PROHIBITED)
      continue;
    if (accx_status S = G.Props.read(G.Handle))
      return S;
    G.Props.Limits.MaxTeams = P.Environment.MaxTeams;
    G.Props.Limits.MaxTeamThreads = P.Environment.MaxTeamThreads;
    // Devices that are one GPU have its context in common, nothing else.
    G.Props.MemoryBytes /= P.Environment.Share;
    P.Gpus.insert(P.Gpus.end(), P.Environment.Share, G);
  }
  *NumDevices = uint32_t(P.Gpus.size());
  return ACCX_OK;
}

static void fini() {}

static Device *toDevice(accx_device Handle) {
  return reinterpret_cast<Device *>(Handle);
}

static accx_status deviceOpen(uint32_t Ordinal, accx_device *Out) {
  PluginState &P = plugin();
  std::lock_guard Guard(P.Lock);
  if (Ordinal >= P.Gpus.size())
    return fail(ACCX_ERROR_INVALID, "no CUDA device %u: there are %zu", Ordinal,
                P.Gpus.size());
  PluginState::Gpu &G = P.Gpus[Ordinal];
  if (G.Open)
    return fail(ACCX_ERROR_INVALID, "CUDA device %u is already open", Ordinal);
  G.Open = true;
  *Out = reinterpret_cast<accx_device>(new Device(
      Ordinal, G.Handle, G.Props, P.Environment, uint32_t(P.Gpus.size())));
  return ACCX_OK;
}

static void deviceClose(accx_device Handle) {
  Device *D = toDevice(Handle);
  const uint32_t Ordinal = D->Ordinal;
  delete D;
  std::lock_guard Guard(plugin().Lock);
  plugin().Gpus[Ordinal].Open = false;
}

static accx_status deviceInfo(accx_device Handle, accx_device_info *Info) {
  const Properties &P = toDevice(Handle)->Props;
  *Info = {};
  std::snprintf(Info->name, sizeof(Info->name), "%s", P.Name);
  std::snprintf(Info->arch, sizeof(Info->arch), "sm_%d%d", P.Major, P.Minor);
  if (P.Granularity)
    Info->features |= ACCX_FEATURE_VA;
  if (P.PageableAccess)
    Info->features |= ACCX_FEATURE_USM;
  if (std::min(P.Limits.MaxTeams, P.Limits.MaxTeamThreads) != UINT32_MAX)
    Info->features |= ACCX_FEATURE_BOUNDED_TEAMS;
  Info->memory_bytes = P.MemoryBytes;
  Info->va_granularity = P.Granularity;
  Info->compute_units = P.Limits.Multiprocessors;
  Info->max_threads_per_block = P.Limits.MaxThreads;
  Info->warp_size = P.Limits.WarpSize;
  Info->max_shared_bytes = P.MaxSharedBytes;
  Info->max_grid = P.Limits.MaxBlocks;
  Info->spread_granularity = P.Granularity;
  Info->staged_bytes = Pieces::limit(*toDevice(Handle));
  return ACCX_OK;
}

static accx_status memoryInfo(accx_device Handle, uint64_t *Free,
                              uint64_t *Total) {
  Device &D = *toDevice(Handle);
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  size_t FreeNow = 0, TotalNow = 0;
  if (CUresult R = Cu.MemGetInfo(&FreeNow, &TotalNow))
    return D.failure(R, "free memory");
  if (Free)
    *Free = FreeNow;
  if (Total)
    *Total = TotalNow / D.Env.Share;
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static Image *toImage(accx_image Handle) {
  return reinterpret_cast<Image *>(Handle);
}

static accx_status imageCheck(accx_device Handle, const void *Data,
                              size_t Size) {
  const Properties &P = toDevice(Handle)->Props;
  ImageKind Kind;
  return checkImage(Data, Size, unsigned(P.Major), unsigned(P.Minor), Kind);
}

static accx_status imageLoad(accx_device Handle, const void *Data, size_t Size,
                             accx_image *Out) {
  Image *I = nullptr;
  if (accx_status S = Image::load(*toDevice(Handle), Data, Size, I))
    return S;
  *Out = reinterpret_cast<accx_image>(I);
  return ACCX_OK;
}

static accx_status imageUnload(accx_image Handle) {
  Image *I = toImage(Handle);
  const accx_status S = I->unload();
  delete I;
  return S;
}

static accx_status imageGlobal(accx_image Handle, const char *Name,
                               void **Address, size_t *Size) {
  CUdeviceptr Found = 0;
  size_t FoundSize = 0;
  if (accx_status S = toImage(Handle)->global(Name, Found, FoundSize))
    return S;
  *Address = reinterpret_cast<void *>(Found);
  if (Size)
    *Size = FoundSize;
  return ACCX_OK;
}

static accx_status imageKernel(accx_image Handle, const char *Name,
                               accx_kernel *Out) {
  Kernel *K = nullptr;
  if (accx_status S = toImage(Handle)->kernel(Name, K))
    return S;
  *Out = reinterpret_cast<accx_kernel>(K);
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static accx_status memoryAlloc(accx_device Handle, size_t Size,
                               accx_memory_kind Kind, void **Address) {
  return allocate(*toDevice(Handle), Size, Kind, Address);
}

static accx_status memoryFree(accx_device Handle, void *Address,
                              accx_memory_kind Kind) {
  return release(*toDevice(Handle), Address, Kind);
}

static accx_status vaReserve(accx_device Handle, size_t Size, void *Hint,
                             void **Address) {
  return toDevice(Handle)->Reserved.reserve(Size, Hint, Address);
}

static accx_status vaRelease(accx_device Handle, void *Address, size_t Size) {
  return toDevice(Handle)->Reserved.release(Address, Size);
}

static accx_status vaCommit(accx_device Handle, void *Address, size_t Size) {
  return toDevice(Handle)->Reserved.commit(Address, Size);
}

static accx_status vaDecommit(accx_device Handle, void *Address, size_t Size) {
  return toDevice(Handle)->Reserved.decommit(Address, Size);
}

static accx_status spreadAlloc(const accx_device *Handles, uint32_t NumDevices,
                               const accx_spread_part *Parts, uint32_t NumParts,
                               size_t Size, void **Address) {
  std::vector<Device *> Devices;
  Devices.reserve(NumDevices);
  for (uint32_t I = 0; I < NumDevices; ++I)
    Devices.push_back(toDevice(Handles[I]));
  return plugin().Spread.allocate(Devices, {Parts, NumParts}, Size, Address);
}

static accx_status spreadFree(accx_device First, void *Address) {
  return plugin().Spread.release(*toDevice(First), Address);
}

static accx_status memoryFind(accx_device Handle, const void *Address,
                              size_t Size) {
  return find(*toDevice(Handle), plugin().Spread, Address, Size);
}

static accx_status memoryExport(accx_device Handle, const void *Address,
                                accx_exported *Out) {
  return toDevice(Handle)->Reserved.exportAt(Address, *Out);
}

static accx_status memoryImport(accx_device Handle, const accx_exported *Memory,
                                void **Address) {
  return toDevice(Handle)->Imported.open(*Memory, Address);
}

static accx_status memoryClose(accx_device Handle, void *Address) {
  return toDevice(Handle)->Imported.close(Address);
}

static accx_status memoryPin(accx_device Handle, void *Host, size_t Size,
                             void **DeviceAddress) {
  return pin(*toDevice(Handle), Host, Size, DeviceAddress);
}

static accx_status memoryUnpin(accx_device Handle, void *Host) {
  return unpin(*toDevice(Handle), Host);
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

static Queue *toQueue(accx_queue Handle) {
  return reinterpret_cast<Queue *>(Handle);
}

static Event *toEvent(accx_event Handle) {
  return reinterpret_cast<Event *>(Handle);
}

static accx_status queueCreate(accx_device Handle, accx_queue *Out) {
  Queue *Q = nullptr;
  if (accx_status S = Queue::create(*toDevice(Handle), Q))
    return S;
  *Out = reinterpret_cast<accx_queue>(Q);
  return ACCX_OK;
}

static accx_status queueAdopt(accx_device Handle, void *NativeQueue,
                              accx_queue *Out) {
  Queue *Q = nullptr;
  if (accx_status S = Queue::adopt(*toDevice(Handle),
                                   static_cast<CUstream>(NativeQueue), Q))
    return S;
  *Out = reinterpret_cast<accx_queue>(Q);
  return ACCX_OK;
}

static void queueDestroy(accx_queue Handle) { delete toQueue(Handle); }

/// What is queued on a null queue is complete.
static accx_status queueWait(accx_queue Handle) {
  return Handle ? toQueue(Handle)->wait() : ACCX_OK;
}

static accx_status queueQuery(accx_queue Handle) {
  return Handle ? toQueue(Handle)->query() : ACCX_OK;
}

static accx_status queueStart(accx_queue Handle) {
  Queue &Q = *toQueue(Handle);
  ContextScope Scope(Q.D.context());
  return Q.flushLaunches();
}

static accx_status queuesMeet(const accx_queue *Handles, uint32_t Num) {
  std::vector<Queue *> Queues(Num);
  std::transform(Handles, Handles + Num, Queues.begin(), toQueue);
  return Num ? Queue::meet(Queues) : ACCX_OK;
}

static accx_status queueCheck(accx_queue Handle) {
  return toQueue(Handle)->check();
}

static accx_status eventCreate(accx_device Handle, accx_event *Out) {
  Event *E = nullptr;
  if (accx_status S = Event::create(*toDevice(Handle), E))
    return S;
  *Out = reinterpret_cast<accx_event>(E);
  return ACCX_OK;
}

static void eventDestroy(accx_event Handle) { delete toEvent(Handle); }

static accx_status eventRecord(accx_event Handle, accx_queue Queue) {
  return Queue ? toEvent(Handle)->record(*toQueue(Queue)) : ACCX_OK;
}

static accx_status eventWait(accx_event Handle, accx_queue Queue) {
  return Queue ? toEvent(Handle)->wait(*toQueue(Queue))
               : toEvent(Handle)->sync();
}

static accx_status eventSync(accx_event Handle) {
  return toEvent(Handle)->sync();
}

static accx_status eventQuery(accx_event Handle) {
  return toEvent(Handle)->query();
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Queues work on the caller's queue, or does it at once if that is null.
template <typename Fn>
static accx_status enqueue(accx_device Handle, accx_queue Queue, Fn Work) {
  Device &D = *toDevice(Handle);
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  QueueUse Use(D, Queue);
  if (accx_status S = Use.open())
    return S;
  return Use.close(Work(Use.queue()));
}

static accx_status workCopy(accx_device Handle, accx_queue InQueue,
                            const accx_copy *Copy) {
  return enqueue(Handle, InQueue, [&](Queue &Q) { return copy(Q, *Copy); });
}

static accx_status workCopyLater(accx_device Handle, accx_queue InQueue,
                                 const accx_copy *Copy) {
  return enqueue(Handle, InQueue,
                 [&](Queue &Q) { return copyLater(Q, *Copy); });
}

static accx_status workFill(accx_device Handle, accx_queue InQueue,
                            void *Address, uint64_t Pattern, uint32_t Width,
                            size_t Count) {
  return enqueue(Handle, InQueue, [&](Queue &Q) {
    return fill(Q, Address, Pattern, Width, Count);
  });
}

static accx_status workLaunch(accx_device Handle, accx_queue InQueue,
                              accx_kernel OfKernel, const accx_launch *Launch) {
  return enqueue(Handle, InQueue, [&](Queue &Q) {
    return launch(Q, *reinterpret_cast<const Kernel *>(OfKernel), *Launch);
  });
}

static accx_status nativeHandles(accx_device Handle, accx_queue Queue,
                                 void **NativeDevice, void **NativeContext,
                                 void **NativeQueue) {
  Device &D = *toDevice(Handle);
  if (accx_status S = D.activate())
    return S;
  if (Queue) {
    ContextScope Scope(D.context());
    if (accx_status S = toQueue(Queue)->flush())
      return S;
  }
  // A CUdevice is a number; 0 is the first one.
  if (NativeDevice)
    *NativeDevice = reinterpret_cast<void *>(intptr_t(D.Handle));
  if (NativeContext)
    *NativeContext = D.context();
  if (NativeQueue)
    *NativeQueue = Queue ? toQueue(Queue)->Stream : nullptr;
  return ACCX_OK;
}

static int readsAtOnce(accx_device Handle, const void *Host, size_t Size) {
  Device &D = *toDevice(Handle);
  return D.activate() == ACCX_OK && cuda::readsAtOnce(D, Host, Size);
}

static uint64_t graphKernels(accx_device Handle) {
  return toDevice(Handle)->NumReplayed.exchange(0, std::memory_order_relaxed);
}

static constexpr accx_plugin Table = {
    .version = ACCX_PLUGIN_ABI_VERSION,
    .size = sizeof(accx_plugin),
    .name = "cuda",
    .init = init,
    .fini = fini,
    .last_error = lastError,
    .device_open = deviceOpen,
    .device_close = deviceClose,
    .device_info = deviceInfo,
    .memory_info = memoryInfo,
    .image_check = imageCheck,
    .image_load = imageLoad,
    .image_unload = imageUnload,
    .image_global = imageGlobal,
    .image_kernel = imageKernel,
    .alloc = memoryAlloc,
    .free = memoryFree,
    .va_reserve = vaReserve,
    .va_release = vaRelease,
    .va_commit = vaCommit,
    .va_decommit = vaDecommit,
    .pin = memoryPin,
    .unpin = memoryUnpin,
    .queue_create = queueCreate,
    .queue_destroy = queueDestroy,
    .queue_wait = queueWait,
    .queue_query = queueQuery,
    .event_create = eventCreate,
    .event_destroy = eventDestroy,
    .event_record = eventRecord,
    .event_wait = eventWait,
    .event_sync = eventSync,
    .event_query = eventQuery,
    .copy = workCopy,
    .fill = workFill,
    .launch = workLaunch,
    .native_handles = nativeHandles,
    .queue_adopt = queueAdopt,
    .spread_alloc = spreadAlloc,
    .spread_free = spreadFree,
    .memory_find = memoryFind,
    .memory_export = memoryExport,
    .memory_import = memoryImport,
    .memory_close = memoryClose,
    .graph_kernels = graphKernels,
    .queue_start = queueStart,
    .reads_at_once = readsAtOnce,
    .queues_meet = queuesMeet,
    .queue_check = queueCheck,
    .copy_later = workCopyLater,
};

static_assert(ACCX_PLUGIN_ABI_VERSION == 2, "as the message says");

extern "C" [[gnu::visibility("default")]] const accx_plugin *
accx_plugin_get(uint32_t Version, const char **Why) {
  if (Version == ACCX_PLUGIN_ABI_VERSION)
    return &Table;
  if (Why)
    *Why = "the CUDA plugin speaks version 2 of the plugin interface";
  return nullptr;
}
