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
//   record     launches are kept for accx_fault_take_launches()
//
//===----------------------------------------------------------------------===//

#include "AsyncQueue.h"
#include "Control.h"
#include "Faults.h"
#include "Sharing.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string_view>
#include <vector>

using namespace fault;

namespace {

const accx_plugin *Base = nullptr;

struct {
  bool Async = false;
  bool NoVA = false;
  bool NoSpread = false;
  bool NoPeer = false;
  bool Pinned = false;
  bool Record = false;
  bool NoReach = false;
  bool Share = false;
  unsigned Delay = 0;
  unsigned Staged = 0;
} Options;

/// What was asked of launch(), for tests.
std::mutex LaunchesMutex;
std::vector<accx_launch> &Launches = *new std::vector<accx_launch>;

/// Sizes of what alloc() gave out, for the check when it goes, and of what is
/// pinned.
std::mutex BlocksMutex;
std::map<void *, size_t> &Blocks = *new std::map<void *, size_t>;
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

const char *lastError() {
  const char *Noted = notedText();
  return Noted ? Noted : Base ? Base->last_error() : "";
}

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
    std::lock_guard Lock(BlocksMutex);
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
    std::lock_guard Lock(BlocksMutex);
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
// Memory
//===----------------------------------------------------------------------===//

accx_status allocate(accx_device Device, size_t Size, accx_memory_kind Kind,
                     void **Address) {
  if (accx_status S = count("alloc", Device))
    return S;
  const accx_status S = Base->alloc(Device, Size, Kind, Address);
  if (S == ACCX_OK) {
    std::lock_guard Lock(BlocksMutex);
    Blocks[*Address] = Size;
  }
  if (S == ACCX_OK && Options.NoReach && Kind == ACCX_MEMORY_DEVICE)
    addRange(Device, *Address, Size);
  return S;
}

accx_status release(accx_device Device, void *Address, accx_memory_kind Kind) {
  if (accx_status S = count("free", Device))
    return S;
  size_t Size = 0;
  {
    std::lock_guard Lock(BlocksMutex);
    if (auto It = Blocks.find(Address); It != Blocks.end()) {
      Size = It->second;
      Blocks.erase(It);
    }
  }
  if (Options.NoReach && Kind == ACCX_MEMORY_DEVICE)
    dropRange(Address);
  checkUnused(Address, Size, "free");
  return Base->free(Device, Address, Kind);
}

accx_status vaReserve(accx_device Device, size_t Size, void *Hint,
                      void **Address) {
  if (Options.NoVA)
    return fail(ACCX_ERROR_UNSUPPORTED, "this device has no reservations");
  if (accx_status S = count("reserve", Device))
    return S;
  return Base->va_reserve(Device, Size, Hint, Address);
}

accx_status vaRelease(accx_device Device, void *Address, size_t Size) {
  if (Options.NoReach)
    dropPages(Device, Address, Size);
  return Base->va_release(Device, Address, Size);
}

accx_status vaCommit(accx_device Device, void *Address, size_t Size) {
  if (accx_status S = count("commit", Device))
    return S;
  const accx_status S = Base->va_commit(Device, Address, Size);
  return S == ACCX_OK && Options.NoReach
             ? addPages(Device, Address, Size, Options.Share)
             : S;
}

accx_status vaDecommit(accx_device Device, void *Address, size_t Size) {
  if (accx_status S = count("decommit", Device))
    return S;
  checkUnused(Address, Size, "decommit");
  if (Options.NoReach)
    dropPages(Device, Address, Size);
  return Base->va_decommit(Device, Address, Size);
}

accx_status spreadAlloc(const accx_device *Devices, uint32_t NumDevices,
                        const accx_spread_part *Parts, uint32_t NumParts,
                        size_t Size, void **Address) {
  if (Options.NoSpread)
    return fail(ACCX_ERROR_UNSUPPORTED, "these devices are apart");
  if (accx_status S = count("spread_alloc", Devices[0]))
    return S;
  const accx_status S =
      Base->spread_alloc(Devices, NumDevices, Parts, NumParts, Size, Address);
  if (S == ACCX_OK && Options.NoReach)
    for (uint32_t I = 0; I < NumDevices; ++I)
      addRange(Devices[I], *Address, Size);
  return S;
}

accx_status spreadFree(accx_device First, void *Address) {
  if (accx_status S = count("spread_free", First))
    return S;
  if (Options.NoReach)
    dropRange(Address);
  return Base->spread_free(First, Address);
}

accx_status pin(accx_device Device, void *Host, size_t Size, void **Address) {
  if (accx_status S = count("pin", Device))
    return S;
  const accx_status S = Base->pin(Device, Host, Size, Address);
  if (S == ACCX_OK) {
    std::lock_guard Lock(BlocksMutex);
    Blocks[Host] = Size;
  }
  return S;
}

accx_status unpin(accx_device Device, void *Host) {
  forgetText();
  {
    std::lock_guard Lock(BlocksMutex);
    Blocks.erase(Host);
  }
  return Base->unpin(Device, Host);
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

AsyncQueue *toQueue(accx_queue Queue) {
  return reinterpret_cast<AsyncQueue *>(Queue);
}
AsyncEvent *toEvent(accx_event Event) {
  return reinterpret_cast<AsyncEvent *>(Event);
}

/// \p Code with the text that belongs to it on this thread.
Failure failureOf(accx_status Code) {
  return Code == ACCX_OK ? Failure() : Failure{Code, lastError()};
}

accx_status report(Failure F) {
  return F.Code <= ACCX_NOT_READY ? F.Code : fail(F.Code, F.Text);
}

accx_status queueCreate(accx_device Device, accx_queue *Queue) {
  if (accx_status S = count("queue_create", Device))
    return S;
  *Queue = reinterpret_cast<accx_queue>(new AsyncQueue(Device, Options.Delay));
  return ACCX_OK;
}

void queueDestroy(accx_queue Queue) { delete toQueue(Queue); }

accx_status queueWait(accx_queue Queue) {
  Failure F = toQueue(Queue)->wait();
  if (F.Code != ACCX_OK)
    return report(std::move(F));
  return count("queue_wait", toQueue(Queue)->device());
}

accx_status queueQuery(accx_queue Queue) {
  forgetText();
  return report(toQueue(Queue)->query());
}

accx_status eventCreate(accx_device Device, accx_event *Event) {
  if (accx_status S = count("event_create", Device))
    return S;
  *Event = reinterpret_cast<accx_event>(new AsyncEvent);
  return ACCX_OK;
}

void eventDestroy(accx_event Event) { delete toEvent(Event); }

accx_status eventRecord(accx_event Event, accx_queue Queue) {
  if (accx_status S = count("event_record", nullptr))
    return S;
  toEvent(Event)->record(toQueue(Queue));
  return ACCX_OK;
}

accx_status eventWait(accx_event Event, accx_queue Queue) {
  if (accx_status S = count("event_wait", nullptr))
    return S;
  auto When = toEvent(Event)->moment();
  if (!When)
    return ACCX_OK;
  if (Queue)
    toQueue(Queue)->pushAlways([When] { When->wait(); });
  else
    When->wait();
  return ACCX_OK;
}

accx_status eventSync(accx_event Event) {
  if (accx_status S = count("event_sync", nullptr))
    return S;
  if (auto When = toEvent(Event)->moment())
    When->wait();
  return ACCX_OK;
}

accx_status eventQuery(accx_event Event) {
  forgetText();
  auto When = toEvent(Event)->moment();
  if (When && !When->happened())
    return ACCX_NOT_READY;
  return When ? report(When->failure()) : ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Runs \p Run now, or on its queue.
accx_status enqueue(accx_queue Queue, std::function<accx_status()> Run,
                    const Uses &U = {}) {
  if (!Queue)
    return Run();
  forgetText();
  toQueue(Queue)->push([Run = std::move(Run)] { return failureOf(Run()); }, U);
  return ACCX_OK;
}

size_t extent(size_t Width, size_t Height, size_t Pitch) {
  return Height > 1 ? (Height - 1) * Pitch + Width : Width;
}

/// Whether the bytes are in one block, of the device or pinned.
bool isInBlock(const Bytes &B) {
  std::lock_guard Lock(BlocksMutex);
  return std::any_of(Blocks.begin(), Blocks.end(), [&](const auto &Block) {
    const auto *Begin = static_cast<const char *>(Block.first);
    const auto *At = static_cast<const char *>(B.Begin);
    return Begin <= At && At + B.Size <= Begin + Block.second;
  });
}

accx_status copy(accx_device Device, accx_queue Queue, const accx_copy *Copy) {
  static constexpr const char *Names[] = {"copy_to", "copy_from", "copy_within",
                                          "copy_peer"};
  accx_copy C = *Copy;
  if (Options.NoPeer && C.direction == ACCX_TO_PEER)
    return fail(ACCX_ERROR_UNSUPPORTED, "this device reaches no other");
  const Bytes Dst = {C.dst, extent(C.width, C.height, C.dst_pitch)};
  const Bytes Src = {C.src, extent(C.width, C.height, C.src_pitch)};
  if (Options.Pinned && Queue &&
      ((C.direction == ACCX_TO_DEVICE && !isInBlock(Src)) ||
       (C.direction == ACCX_FROM_DEVICE && !isInBlock(Dst))))
    return fail(ACCX_ERROR_INVALID, "copy of memory that is not pinned");
  Uses U;
  (C.direction == ACCX_FROM_DEVICE ? U.Written : U.Device[0]) = Dst;
  if (C.direction != ACCX_TO_DEVICE)
    U.Device[1] = Src;
  std::shared_ptr<char[]> Staging;
  if (Queue && C.direction == ACCX_TO_DEVICE && C.height == 1 &&
      C.width <= Options.Staged) {
    toQueue(Queue)->awaitWrites({C.src, C.width});
    Staging.reset(new char[C.width]);
    C.src = std::memcpy(Staging.get(), C.src, C.width);
  }
  return enqueue(
      Queue,
      [Device, C, Staging = std::move(Staging)] {
        if (accx_status S = countWork(Names[C.direction], Device))
          return S;
        return Base->copy(Device, nullptr, &C);
      },
      U);
}

accx_status fill(accx_device Device, accx_queue Queue, void *Address,
                 uint64_t Pattern, uint32_t Width, size_t Count) {
  return enqueue(Queue,
                 [=] {
                   if (accx_status S = countWork("fill", Device))
                     return S;
                   return Base->fill(Device, nullptr, Address, Pattern, Width,
                                     Count);
                 },
                 {.Device = {{Address, Width * Count}, {}}, .Written = {}});
}

accx_status launch(accx_device Device, accx_queue Queue, accx_kernel Kernel,
                   const accx_launch *Launch) {
  // No pointer argument is kept after the call, so the arguments are copied.
  std::vector<void *> Args(Launch->args, Launch->args + Launch->num_args);
  if (Options.Record) {
    std::lock_guard Lock(LaunchesMutex);
    Launches.push_back(*Launch);
    Launches.back().args = nullptr;
  }
  return enqueue(Queue, [=, L = *Launch, Args = std::move(Args)]() mutable {
    if (accx_status S = countWork("launch", Device))
      return S;
    L.args = Args.data();
    if (accx_status S = Base->launch(Device, nullptr, Kernel, &L))
      return S;
    return count("trap", Device);
  });
}

/// A queue is its own native one; the host's have neither context nor device.
accx_status nativeHandles(accx_device Device, accx_queue Queue,
                          void **NativeDevice, void **NativeContext,
                          void **NativeQueue) {
  forgetText();
  if (NativeDevice)
    *NativeDevice = nullptr;
  if (NativeContext)
    *NativeContext = Device;
  if (NativeQueue)
    *NativeQueue = Queue;
  return ACCX_OK;
}

accx_status queueAdopt(accx_device, void *NativeQueue, accx_queue *Queue) {
  *Queue = static_cast<accx_queue>(NativeQueue);
  return ACCX_OK;
}

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
  std::lock_guard Lock(LaunchesMutex);
  const auto Count =
      static_cast<unsigned>(std::min<size_t>(Launches.size(), Max));
  std::copy_n(Launches.begin(), Count, Out);
  Launches.clear();
  return Count;
}

extern "C" [[gnu::visibility("default")]] unsigned accx_fault_num_imports() {
  return numImports();
}
