//===- FaultPlugin.cpp - A device plugin that fails on demand -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wraps another plugin (the host plugin, or the file that ACCX_FAULT_BASE
// names) and injects what ACCX_FAULT asks for; see Faults.h.
//
// ACCX_FAULT_OPTIONS is a list of, separated by commas:
//   async      queues are asynchronous; see AsyncQueue.h
//   delay=<n>  each queued operation starts n microseconds late
//   staged=<n> copies of up to n bytes to the device read host memory at once
//   no_va      the device cannot reserve addresses
//   no_spread  devices do not reach one another's memory
//   no_peer    the device does not reach others
//   pinned     queued copies fail where the host's memory is not pinned
//   no_reach   the host does not reach devices' memory, as far as it is told
//   share      the same, and other processes can map windows; see Sharing.h
//   hold       launches that may wait start when something else is asked of
//              their queue
//   record     launches are kept for accx_fault_take_launches()
//
//===----------------------------------------------------------------------===//

#include "FaultPlugin.h"

#include "Control.h"
#include "Faults.h"
#include "Sharing.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

using namespace fault;

const accx_plugin *fault::Base = nullptr;
FaultOptions fault::Options;

const char *fault::lastError() {
  const char *Noted = notedText();
  return Noted ? Noted : Base ? Base->last_error() : "";
}

namespace {

/// The device of each image.
std::mutex ImagesMutex;
std::map<accx_image, accx_device> &DeviceOf =
    *new std::map<accx_image, accx_device>;

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

std::string basePath() {
  if (const char *Path = std::getenv("ACCX_FAULT_BASE"))
    return Path;
  Dl_info Info;
  if (!dladdr(reinterpret_cast<const void *>(&basePath), &Info))
    return "";
  std::string Folder = Info.dli_fname;
  Folder.resize(Folder.rfind('/') + 1);
  return Folder + "../libaccx.rtl.host.so";
}

/// Whether \p Item is \p Name and a number, which goes to \p Value.
bool readNumber(std::string_view Item, std::string_view Name, unsigned &Value) {
  if (!Item.starts_with(Name))
    return false;
  std::from_chars(Item.data() + Name.size(), Item.data() + Item.size(), Value);
  return true;
}

std::string readOptions() {
  const char *Variable = std::getenv("ACCX_FAULT_OPTIONS");
  std::string_view Rest = Variable ? Variable : "";
  while (!Rest.empty()) {
    const size_t End = std::min(Rest.find(','), Rest.size());
    const std::string_view Item = Rest.substr(0, End);
    if (Item == "async")
      Options.Async = true;
    else if (Item == "no_va")
      Options.NoVA = true;
    else if (Item == "no_spread")
      Options.NoSpread = true;
    else if (Item == "no_peer")
      Options.NoPeer = true;
    else if (Item == "pinned")
      Options.Pinned = true;
    else if (Item == "no_reach")
      Options.NoReach = true;
    else if (Item == "share")
      Options.NoReach = Options.Share = true;
    else if (Item == "hold")
      Options.Hold = true;
    else if (Item == "record")
      Options.Record = true;
    else if (!readNumber(Item, "delay=", Options.Delay) &&
             !readNumber(Item, "staged=", Options.Staged))
      return "ACCX_FAULT_OPTIONS: '" + std::string(Item) + "' is no option";
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return "";
}

void addSharing();

accx_status init(uint32_t *NumDevices) {
  const char *Wanted = std::getenv("ACCX_FAULT");
  for (const std::string &Wrong :
       {setFaults(Wanted ? Wanted : ""), readOptions()})
    if (!Wrong.empty())
      return fail(ACCX_ERROR_INVALID, Wrong);
  if (accx_status S = count("init", nullptr))
    return S;
  void *Handle = dlopen(basePath().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    return fail(ACCX_ERROR_UNKNOWN, dlerror());
  auto Get =
      reinterpret_cast<accx_plugin_get_fn>(dlsym(Handle, ACCX_PLUGIN_ENTRY));
  const char *Why = "no entry";
  Base = Get ? Get(ACCX_PLUGIN_ABI_VERSION, &Why) : nullptr;
  if (!Base)
    return fail(ACCX_ERROR_UNKNOWN, Why);
  if (Options.NoReach)
    addSharing();
  return Base->init(NumDevices);
}

void fini() { Base->fini(); }

//===----------------------------------------------------------------------===//
// Devices and images
//===----------------------------------------------------------------------===//

accx_status deviceOpen(uint32_t Ordinal, accx_device *Device) {
  if (accx_status S = count("device_open", nullptr))
    return S;
  const accx_status S = Base->device_open(Ordinal, Device);
  if (S == ACCX_OK)
    nameDevice(*Device, Ordinal);
  return S;
}

void deviceClose(accx_device Device) {
  if (Options.NoReach)
    closeImports(Device);
  Base->device_close(Device);
}

accx_status deviceInfo(accx_device Device, accx_device_info *Info) {
  if (accx_status S = count("device_info", Device))
    return S;
  const accx_status S = Base->device_info(Device, Info);
  if (Options.Async)
    Info->features &= ~uint64_t(ACCX_FEATURE_SYNCHRONOUS);
  Info->staged_bytes = Options.Staged;
  if (Options.NoVA)
    Info->features &= ~uint64_t(ACCX_FEATURE_VA);
  if (Options.NoReach)
    Info->features &= ~uint64_t(ACCX_FEATURE_HOST_REACHES);
  return S;
}

accx_status memoryInfo(accx_device Device, uint64_t *Free, uint64_t *Total) {
  if (accx_status S = count("memory_info", Device))
    return S;
  return Base->memory_info(Device, Free, Total);
}

accx_status imageCheck(accx_device Device, const void *Data, size_t Size) {
  if (accx_status S = count("image_check", Device))
    return S;
  return Base->image_check(Device, Data, Size);
}

accx_status imageLoad(accx_device Device, const void *Data, size_t Size,
                      accx_image *Image) {
  if (accx_status S = count("image_load", Device))
    return S;
  const accx_status S = Base->image_load(Device, Data, Size, Image);
  if (S == ACCX_OK && Options.NoReach) {
    std::lock_guard Lock(ImagesMutex);
    DeviceOf[*Image] = Device;
  }
  return S;
}

accx_status imageUnload(accx_image Image) {
  if (accx_status S = count("image_unload", nullptr))
    return S;
  return Base->image_unload(Image);
}

accx_status imageGlobal(accx_image Image, const char *Name, void **Address,
                        size_t *Size) {
  if (accx_status S = count("image_global", nullptr))
    return S;
  size_t Found = 0;
  const accx_status S = Base->image_global(Image, Name, Address, &Found);
  if (Size)
    *Size = Found;
  if (S == ACCX_OK && Options.NoReach && Found) {
    std::lock_guard Lock(ImagesMutex);
    addRange(DeviceOf[Image], *Address, Found);
  }
  return S;
}

accx_status imageKernel(accx_image Image, const char *Name,
                        accx_kernel *Kernel) {
  if (accx_status S = count("image_kernel", nullptr))
    return S;
  return Base->image_kernel(Image, Name, Kernel);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

accx_plugin Table = {
    .version = ACCX_PLUGIN_ABI_VERSION,
    .size = sizeof(accx_plugin),
    .name = "fault",
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
    .alloc = allocate,
    .free = release,
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
    .copy = copy,
    .fill = fill,
    .launch = launch,
    .native_handles = nativeHandles,
    .queue_adopt = queueAdopt,
    .spread_alloc = spreadAlloc,
    .spread_free = spreadFree,
    .memory_find = nullptr,
    .memory_export = nullptr,
    .memory_import = nullptr,
    .memory_close = nullptr,
    .graph_kernels = nullptr,
    .queue_start = queueStart,
    .reads_at_once = nullptr,
    .queues_meet = queuesMeet,
    .queue_check = queueCheck,
    .copy_later = copyLater,
};

/// The host's devices have no need of these.
void addSharing() {
  Table.memory_find = memoryFind;
  Table.memory_export = memoryExport;
  Table.memory_import = memoryImport;
  Table.memory_close = memoryClose;
}

} // namespace

extern "C" [[gnu::visibility("default")]] const accx_plugin *
accx_plugin_get(uint32_t, const char **) {
  return &Table;
}

//===----------------------------------------------------------------------===//
// Control.h
//===----------------------------------------------------------------------===//

extern "C" [[gnu::visibility("default")]] int
accx_fault_set(const char *Faults) {
  return setFaults(Faults).empty();
}

extern "C" [[gnu::visibility("default")]] unsigned
accx_fault_take_launches(accx_launch *Out, unsigned Max) {
  return takeLaunches(Out, Max);
}

extern "C" [[gnu::visibility("default")]] accx_fault_event_calls
accx_fault_take_event_calls() {
  return takeEventCalls();
}

extern "C" [[gnu::visibility("default")]] unsigned accx_fault_num_imports() {
  return numImports();
}
