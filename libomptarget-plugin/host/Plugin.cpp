//===- Plugin.cpp - The host plugin's table of functions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the plugin ABI: turns handles into objects and calls them.
//
//===----------------------------------------------------------------------===//

#include "AccessCheck.h"
#include "Caches.h"
#include "Device.h"
#include "Launch.h"
#include "Settings.h"
#include "Spread.h"
#include "Transfer.h"

#include "accx/kernel_desc.h"

#include <atomic>
#include <cstdio>
#include <string>

using namespace accx;
using namespace accx::host;

//===----------------------------------------------------------------------===//
// The plugin and its devices
//===----------------------------------------------------------------------===//

namespace {
struct PluginState {
  Settings Environment;
  Placement Cores;
  std::string ProcessorName = "CPU";
  /// 0: no kernel writes past the cache. Unset until an image asks.
  std::optional<uint64_t> StreamBytes;

  SpreadRanges Spread;

  Lock Guard;
  /// By ordinal; null while closed.
  std::vector<Device *> Devices;
};
} // namespace

/// Never destroyed: the runtime may close devices after static destructors.
static PluginState &plugin() {
  static PluginState &State = *new PluginState;
  return State;
}

static std::string readProcessorName() {
  std::string Name = "CPU";
  FILE *File = std::fopen("/proc/cpuinfo", "r");
  if (!File)
    return Name;
  char Line[256], Value[128];
  while (std::fgets(Line, sizeof(Line), File))
    if (std::sscanf(Line, "model name : %127[^\n]", Value) == 1) {
      Name = Value;
      break;
    }
  std::fclose(File);
  return Name;
}

template <typename F> static void forOpenDevices(F Function) {
  for (Device *D : plugin().Devices)
    if (D)
      Function(*D);
}

/// A child of fork() may go on offloading: nobody is inside the plugin's tables
/// while the process is copied, and the child starts executors of its own.
static void handleForks() {
  pthread_atfork(
      [] {
        plugin().Guard.lock();
        forOpenDevices([](Device &D) { D.lockForFork(); });
        plugin().Spread.lockForFork();
        check::lockForFork();
      },
      [] {
        check::unlockAfterFork();
        plugin().Spread.unlockAfterFork();
        forOpenDevices([](Device &D) { D.unlockAfterFork(); });
        plugin().Guard.unlock();
      },
      [] {
        check::unlockAfterFork();
        plugin().Spread.unlockAfterFork();
        forOpenDevices([](Device &D) {
          D.Executors.forgetThreads();
          D.unlockAfterFork();
        });
        plugin().Guard.unlock();
      });
}

static accx_status init(uint32_t *NumDevices) {
  PluginState &P = plugin();
  std::lock_guard Locked(P.Guard);
  if (accx_status S = P.Environment.read())
    return S;
  static bool First = true;
  if (First)
    handleForks();
  First = false;
  check::setLevel(P.Environment.Check.value_or(1));
  P.Cores.read(P.Environment.NumDevices, P.Environment.Bind,
               P.Environment.DevicesGiven);
  P.ProcessorName = readProcessorName();
  P.StreamBytes = P.Environment.StreamBytes;
  P.Devices.assign(P.Environment.NumDevices, nullptr);
  *NumDevices = P.Environment.NumDevices;
  return ACCX_OK;
}

static void fini() {}

static Device *toDevice(accx_device Handle) {
  return reinterpret_cast<Device *>(Handle);
}

static accx_status deviceOpen(uint32_t Ordinal, accx_device *Out) {
  PluginState &P = plugin();
  std::lock_guard Locked(P.Guard);
  if (Ordinal >= P.Devices.size())
    return fail(ACCX_ERROR_INVALID, "no host device %u: there are %zu", Ordinal,
                P.Devices.size());
  if (P.Devices[Ordinal])
    return fail(ACCX_ERROR_INVALID, "host device %u is already open", Ordinal);
  P.Devices[Ordinal] = new Device(Ordinal, P.Environment.MemoryBytes, P.Cores);
  *Out = reinterpret_cast<accx_device>(P.Devices[Ordinal]);
  return ACCX_OK;
}

static void deviceClose(accx_device Handle) {
  Device *D = toDevice(Handle);
  {
    std::lock_guard Locked(plugin().Guard);
    plugin().Devices[D->Ordinal] = nullptr;
  }
  delete D;
}

static accx_status deviceInfo(accx_device Handle, accx_device_info *Info) {
  const PluginState &P = plugin();
  *Info = {};
  std::snprintf(Info->name, sizeof(Info->name), "%s", P.ProcessorName.c_str());
#if defined(__x86_64__)
  std::snprintf(Info->arch, sizeof(Info->arch), "x86_64");
#elif defined(__aarch64__)
  std::snprintf(Info->arch, sizeof(Info->arch), "aarch64");
#endif
  Info->features = ACCX_FEATURE_VA | ACCX_FEATURE_SYNCHRONOUS |
                   ACCX_FEATURE_USM | ACCX_FEATURE_HOST_REACHES;
  if (P.Environment.Unified)
    Info->features |= ACCX_FEATURE_UNIFIED;
  Info->memory_bytes = toDevice(Handle)->Memory.limit();
  Info->va_granularity = Windows::Granularity;
  Info->compute_units = P.Cores.numCores();
  // A block is a loop to the kernels that have one; these only bound it.
  Info->max_threads_per_block = 1024;
  Info->warp_size = 1;
  Info->max_shared_bytes = 0;
  Info->max_grid = UINT32_MAX;
  Info->spread_granularity = SpreadRanges::granularity();
  return ACCX_OK;
}

static accx_status memoryInfo(accx_device Handle, uint64_t *Free,
                              uint64_t *Total) {
  if (Free)
    *Free = toDevice(Handle)->Memory.available();
  if (Total)
    *Total = toDevice(Handle)->Memory.limit();
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static DeviceImage *toImage(accx_image Handle) {
  return static_cast<DeviceImage *>(reinterpret_cast<Image *>(Handle));
}

static accx_status imageCheck(accx_device, const void *Data, size_t Size) {
  return ElfView(Data, Size).check();
}

/// Tells \p I from which size on its kernels write past the cache.
static void tellStreamBytes(const Image &I) {
  const Module::Symbol *S = I.module()->find(ACCX_STREAM_BYTES);
  if (!S || S->Size != sizeof(uint64_t))
    return;
  PluginState &P = plugin();
  std::lock_guard Locked(P.Guard);
  if (!P.StreamBytes)
    P.StreamBytes = streamBytes(P.Cores.cores());
  if (*P.StreamBytes)
    *reinterpret_cast<uint64_t *>(S->Address) = *P.StreamBytes;
}

/// Lets the kernels of \p I ask about what they access, unless all memory is
/// theirs.
static void answerChecks(const Image &I) {
  const Settings &S = plugin().Environment;
  const Module::Symbol *Hook = I.module()->find(CheckHookName);
  if (S.Unified || S.Check == 0u)
    return;
  const bool Asks = Hook && Hook->Size == sizeof(CheckHook);
  check::addImage(I.module()->start(), Asks);
  if (Asks) {
    std::lock_guard Locked(plugin().Guard);
    forOpenDevices([](Device &D) { D.Blocks.forEach(check::add); });
    *reinterpret_cast<CheckHook *>(Hook->Address) = check::ask;
    return;
  }
  static std::atomic<bool> Told = false;
  if (S.Check && I.module()->hasCode() && !Told.exchange(true))
    std::fprintf(stderr,
                 "accx: warning: ACCX_CHECK=%u: device code of this "
                 "program has no checks; compile it with ACCX_CHECK=1 "
                 "set, or with accxcc --accx-check\n",
                 *S.Check);
}

static accx_status imageLoad(accx_device Handle, const void *Data, size_t Size,
                             accx_image *Out) {
  Image *I = nullptr;
  if (accx_status S = toDevice(Handle)->loadImage(Data, Size, &I))
    return S;
  tellStreamBytes(*I);
  answerChecks(*I);
  *Out = reinterpret_cast<accx_image>(I);
  return ACCX_OK;
}

static accx_status imageUnload(accx_image Handle) {
  DeviceImage *I = toImage(Handle);
  I->Owner.unloadImage(I);
  return ACCX_OK;
}

static accx_status imageGlobal(accx_image Handle, const char *Name,
                               void **Address, size_t *Size) {
  return toImage(Handle)->global(Name, Address, Size);
}

static accx_status imageKernel(accx_image Handle, const char *Name,
                               accx_kernel *Out) {
  const Kernel *K = nullptr;
  if (accx_status S = toImage(Handle)->kernel(Name, &K))
    return S;
  *Out = reinterpret_cast<accx_kernel>(const_cast<Kernel *>(K));
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static accx_status memoryAlloc(accx_device Handle, size_t Size,
                               accx_memory_kind Kind, void **Address) {
  const accx_status S = toDevice(Handle)->Blocks.allocate(Size, Kind, Address);
  if (S == ACCX_OK && check::HasImages) [[unlikely]]
    check::add(*Address, Size);
  return S;
}

static accx_status memoryFree(accx_device Handle, void *Address,
                              accx_memory_kind Kind) {
  if (check::HasImages) [[unlikely]]
    check::remove(Address);
  return toDevice(Handle)->Blocks.release(Address, Kind);
}

static accx_status vaReserve(accx_device Handle, size_t Size, void *Hint,
                             void **Address) {
  const accx_status S = toDevice(Handle)->Reserved.reserve(Size, Hint, Address);
  if (S == ACCX_OK)
    check::add(*Address, Size);
  return S;
}

static accx_status vaRelease(accx_device Handle, void *Address, size_t Size) {
  check::remove(Address);
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
  const accx_status S = plugin().Spread.allocate(Devices, {Parts, NumParts},
                                                 Size, plugin().Cores, Address);
  if (S == ACCX_OK)
    check::add(*Address, Size);
  return S;
}

static accx_status spreadFree(accx_device, void *Address) {
  check::remove(Address);
  return plugin().Spread.release(Address);
}

/// Device code sees host memory where it is.
static accx_status pin(accx_device, void *Host, size_t Size,
                       void **DeviceAddress) {
  check::add(Host, Size);
  if (DeviceAddress)
    *DeviceAddress = Host;
  return ACCX_OK;
}

static accx_status unpin(accx_device, void *Host) {
  check::remove(Host);
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Queues, events and work: every call returns when its work is done, so there
// is nothing to wait for and handles only have to be unique.
//===----------------------------------------------------------------------===//

static accx_status queueCreate(accx_device, accx_queue *Out) {
  *Out = reinterpret_cast<accx_queue>(new char);
  return ACCX_OK;
}

static void queueDestroy(accx_queue Handle) {
  delete reinterpret_cast<char *>(Handle);
}

static accx_status queueWait(accx_queue) { return ACCX_OK; }
static accx_status queueQuery(accx_queue) { return ACCX_OK; }

static accx_status eventCreate(accx_device, accx_event *Out) {
  *Out = reinterpret_cast<accx_event>(new char);
  return ACCX_OK;
}

static void eventDestroy(accx_event Handle) {
  delete reinterpret_cast<char *>(Handle);
}

static accx_status eventRecord(accx_event, accx_queue) { return ACCX_OK; }
static accx_status eventWait(accx_event, accx_queue) { return ACCX_OK; }
static accx_status eventSync(accx_event) { return ACCX_OK; }
static accx_status eventQuery(accx_event) { return ACCX_OK; }

static accx_status workCopy(accx_device, accx_queue, const accx_copy *Copy) {
  return copy(*Copy);
}

static accx_status workFill(accx_device, accx_queue, void *Address,
                            uint64_t Pattern, uint32_t Width, size_t Count) {
  return fill(Address, Pattern, Width, Count);
}

static accx_status workLaunch(accx_device Handle, accx_queue,
                              accx_kernel KernelHandle,
                              const accx_launch *Launch) {
  return launch(toDevice(Handle)->Executors,
                *reinterpret_cast<const Kernel *>(KernelHandle), *Launch);
}

/// There is no native runtime below.
static accx_status nativeHandles(accx_device, accx_queue, void **NativeDevice,
                                 void **NativeContext, void **NativeQueue) {
  for (void **Out : {NativeDevice, NativeContext, NativeQueue})
    if (Out)
      *Out = nullptr;
  return ACCX_OK;
}

static constexpr accx_plugin Table = {
    .version = ACCX_PLUGIN_ABI_VERSION,
    .size = sizeof(accx_plugin),
    .name = "host",
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
    .pin = pin,
    .unpin = unpin,
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
    .queue_adopt = nullptr,
    .spread_alloc = spreadAlloc,
    .spread_free = spreadFree,
    // The host reaches all memory.
    .memory_find = nullptr,
    .memory_export = nullptr,
    .memory_import = nullptr,
    .memory_close = nullptr,
    .graph_kernels = nullptr,
    .queue_start = nullptr,
    .reads_at_once = nullptr,
    .queues_meet = nullptr,
    .queue_check = nullptr,
    .copy_later = nullptr,
};

static_assert(ACCX_PLUGIN_ABI_VERSION == 2, "as the message says");

extern "C" [[gnu::visibility("default")]] const accx_plugin *
accx_plugin_get(uint32_t Version, const char **Why) {
  if (Version == ACCX_PLUGIN_ABI_VERSION)
    return &Table;
  if (Why)
    *Why = "the host plugin speaks version 2 of the plugin interface";
  return nullptr;
}
