//===- AccData.cpp - OpenACC's data routines ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic lifetimes, updates, attachments and look-ups, each a construct of the
// mapping engine with one item.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "abi/AccProf.h"
#include "device/DeviceList.h"
#include "distribute/Update.h"
#include "image/Registry.h"
#include "mapping/Constructs.h"
#include "mapping/Phases.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Prof.h"

#include <string>

using namespace accx;
using acc::Routine;

namespace {

struct Step {
  const char *What;
  ompt_target_t Tool;
  acc_event_t Event;
  Status (*Run)(Construct, const MapArrays &);
};
constexpr Step InEnter = {"data begin", ompt_target_enter_data,
                          acc_ev_enter_data_start, dataBegin};
constexpr Step InExit = {"data end", ompt_target_exit_data,
                         acc_ev_exit_data_start, dataEnd};
constexpr Step InUpdate = {"update", ompt_target_update, acc_ev_update_start,
                           updateEverywhere};

uintptr_t address(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer);
}

/// Runs \p Kind with one item; returns what the item's base is after it.
void *oneItem(const Routine &Self, Device &D, const Step &Kind,
              const void *Data, size_t Bytes, uint64_t Type, int Async) {
  acc::OnQueue Queue(Async, Self);
  void *Base = const_cast<void *>(Data);
  void *Begin = Base;
  int64_t Size = static_cast<int64_t>(Bytes);
  auto Bits = static_cast<int64_t>(Type);
  void *Name = const_cast<char *>(Self.Name);
  ActivityInfo Activity;
  Activity.Device = D.id();
  Activity.What = Kind.What;
  Activity.Loc = &Self.Loc;
  ActivityScope Scope(ActivityKind::Region, Activity);
  ompt::RegionScope Region(Kind.Tool, D.id(), ompt::returnAddress());
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.construct(Kind.Event, {acc_construct_runtime_api, D.id(), &Self.Loc,
                                currentAsync()});
  Status S = Kind.Run({D, &Self.Loc},
                      {1, &Base, &Begin, &Size, &Bits, &Name, nullptr});
  if (S.failed()) [[unlikely]]
    acc::fail(Self, "%zu bytes at %p on device %d: %s", Bytes, Data, D.id(),
              S.text().c_str());
  return Base;
}

/// Device address of the byte at \p Data, or null.
void *lookUp(Device &D, const void *Data) {
  std::lock_guard Lock(D.MapMutex);
  const Entry *E = D.Maps.find({address(Data), address(Data) + 1});
  if (E)
    return reinterpret_cast<void *>(address(Data) + E->Delta);
  return Registry::get().sharesMemory(D) ? const_cast<void *>(Data) : nullptr;
}

/// The same for the program, with the bytes that are on their way there.
void *giveAddress(Device &D, const void *Data) {
  void *Address = lookUp(D, Data);
  D.settleTrails();
  return Address;
}

void *enter(const Routine &Self, const void *Data, size_t Bytes, uint64_t Type,
            int Async) {
  Device *D = acc::currentDevice(Self);
  if (!D || !Data)
    return const_cast<void *>(Data);
  if (Bytes == 0)
    return giveAddress(*D, Data);
  return oneItem(Self, *D, InEnter, Data, Bytes, Type | MapReturnParam, Async);
}

void leave(const Routine &Self, const void *Data, size_t Bytes, uint64_t Type,
           int Async) {
  Device *D = acc::currentDevice(Self);
  if (!D || !Data || !Bytes)
    return;
  setAccRules(true);
  oneItem(Self, *D, InExit, Data, Bytes, Type, Async);
  setAccRules(false);
}

void update(const Routine &Self, const void *Data, size_t Bytes, uint64_t Type,
            int Async) {
  Device *D = acc::currentDevice(Self);
  if (!D || !Data || !Bytes)
    return;
  // What is used where it is needs no copy, present or not.
  if (Registry::get().sharesMemory(*D) && lookUp(*D, Data) == Data)
    return;
  oneItem(Self, *D, InUpdate, Data, Bytes, Type | MapPresent, Async);
}

void attach(const Routine &Self, void **Pointer, int Async) {
  Device *D = acc::currentDevice(Self);
  if (!D || !Pointer || !*Pointer)
    return;
  acc::OnQueue Queue(Async, Self);
  acc::check(Self, attachPointer({*D, &Self.Loc}, Pointer));
}

} // namespace

#define ACCX_ENTER(Name, Type)                                                 \
  ACCX_ABI void *Name(const void *Data, size_t Bytes) noexcept {               \
    ACCX_ROUTINE(Name);                                                        \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    return enter(Self, Data, Bytes, Type, acc_async_sync);                     \
  }
#define ACCX_ENTER_ASYNC(Name, Type)                                           \
  ACCX_ABI void Name(const void *Data, size_t Bytes, int Async) noexcept {     \
    ACCX_ROUTINE(Name);                                                        \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    enter(Self, Data, Bytes, Type, Async);                                     \
  }
ACCX_ENTER(acc_copyin, MapTo)
ACCX_ENTER(acc_pcopyin, MapTo)
ACCX_ENTER(acc_present_or_copyin, MapTo)
ACCX_ENTER(acc_create, 0)
ACCX_ENTER(acc_pcreate, 0)
ACCX_ENTER(acc_present_or_create, 0)
ACCX_ENTER_ASYNC(acc_copyin_async, MapTo)
ACCX_ENTER_ASYNC(acc_create_async, 0)
#undef ACCX_ENTER
#undef ACCX_ENTER_ASYNC

// NOLINTBEGIN(bugprone-macro-parentheses): Const is a qualifier or nothing.
#define ACCX_CHANGE(Name, Const, Do, Type)                                     \
  ACCX_ABI void Name(Const void *Data, size_t Bytes) noexcept {                \
    ACCX_ROUTINE(Name);                                                        \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    Do(Self, Data, Bytes, Type, acc_async_sync);                               \
  }                                                                            \
  ACCX_ABI void Name##_async(Const void *Data, size_t Bytes,                   \
                             int Async) noexcept {                             \
    ACCX_ROUTINE(Name##_async);                                                \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    Do(Self, Data, Bytes, Type, Async);                                        \
  }
ACCX_CHANGE(acc_copyout, , leave, MapFrom)
ACCX_CHANGE(acc_copyout_finalize, , leave, MapFrom | MapDelete)
ACCX_CHANGE(acc_delete, const, leave, 0)
ACCX_CHANGE(acc_delete_finalize, const, leave, MapDelete)
ACCX_CHANGE(acc_update_device, const, update, MapTo)
ACCX_CHANGE(acc_update_self, , update, MapFrom)
ACCX_CHANGE(acc_update_host, , update, MapFrom)
#undef ACCX_CHANGE
// NOLINTEND(bugprone-macro-parentheses)

//===----------------------------------------------------------------------===//
// Attachment
//===----------------------------------------------------------------------===//

ACCX_ABI void acc_attach(void **Pointer) noexcept {
  ACCX_ROUTINE(acc_attach);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  attach(Self, Pointer, acc_async_sync);
}

ACCX_ABI void acc_attach_async(void **Pointer, int Async) noexcept {
  ACCX_ROUTINE(acc_attach_async);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  attach(Self, Pointer, Async);
}

// The device's copy keeps the address it has: nobody may use it any more, and
// copies leave both pointers alone until the pointer itself leaves.
ACCX_ABI void acc_detach(void **) noexcept {}
ACCX_ABI void acc_detach_async(void **, int) noexcept {}
ACCX_ABI void acc_detach_finalize(void **) noexcept {}
ACCX_ABI void acc_detach_finalize_async(void **, int) noexcept {}

//===----------------------------------------------------------------------===//
// Association and look-up
//===----------------------------------------------------------------------===//

ACCX_ABI void acc_map_data(void *Data, void *OnDevice, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_map_data);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = acc::currentDevice(Self);
  if (!Data || !OnDevice || Bytes == 0 || address(Data) + Bytes < address(Data))
    acc::fail(Self, "%zu bytes at %p cannot stand for those at %p", Bytes, Data,
              OnDevice);
  if (!D) {
    if (Data != OnDevice)
      acc::fail(Self, "the current device is the host, where data is its own "
                      "copy");
    return;
  }
  ompt::DataOpScope Tool(ompt_target_data_associate, Data, initialDevice(),
                         OnDevice, D->id(), Bytes);
  const HostRange Range = {address(Data), address(Data) + Bytes};
  std::lock_guard Lock(D->MapMutex);
  if (D->Maps.find({Range.Begin, Range.Begin + 1}) ||
      D->Maps.find({Range.End - 1, Range.End}))
    acc::fail(Self, "data at %p is already present on device %d", Data,
              D->id());
  if (const Entry *E = D->Maps.entryAt(address(OnDevice), Bytes))
    acc::fail(Self, "device memory at %p already stands for data at %p",
              OnDevice, reinterpret_cast<void *>(E->Host.Begin));
  acc::check(Self, D->Maps.associate(Range, address(OnDevice), Self.Name,
                                     /*Associated=*/true));
}

ACCX_ABI void acc_unmap_data(void *Data) noexcept {
  ACCX_ROUTINE(acc_unmap_data);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = acc::currentDevice(Self);
  if (!D || !Data)
    return;
  ompt::DataOpScope Tool(ompt_target_data_disassociate, Data, initialDevice(),
                         nullptr, D->id(), 0);
  std::lock_guard Lock(D->MapMutex);
  acc::check(Self, D->Maps.disassociate(address(Data)));
}

ACCX_ABI void *acc_deviceptr(const void *Data) noexcept {
  ACCX_ROUTINE(acc_deviceptr);
  Device *D = acc::currentDevice(Self);
  return D && Data ? giveAddress(*D, Data) : const_cast<void *>(Data);
}

ACCX_ABI void *acc_hostptr(const void *OnDevice) noexcept {
  ACCX_ROUTINE(acc_hostptr);
  Device *D = acc::currentDevice(Self);
  if (!D || !OnDevice)
    return const_cast<void *>(OnDevice);
  {
    std::lock_guard Lock(D->MapMutex);
    if (const Entry *E = D->Maps.entryAt(address(OnDevice), 1))
      return reinterpret_cast<void *>(address(OnDevice) - E->Delta);
  }
  return Registry::get().sharesMemory(*D) ? const_cast<void *>(OnDevice)
                                          : nullptr;
}

ACCX_ABI int acc_is_present(const void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_is_present);
  Device *D = acc::currentDevice(Self);
  if (!Data)
    return 0;
  if (!D || Registry::get().sharesMemory(*D))
    return 1;
  std::lock_guard Lock(D->MapMutex);
  const HostRange Range = {address(Data),
                           address(Data) + std::max<size_t>(Bytes, 1)};
  return Range.Begin < Range.End && D->Maps.covered(Range);
}

//===----------------------------------------------------------------------===//
// Shutting down
//===----------------------------------------------------------------------===//

namespace {

/// Ends the dynamic lifetimes of everything on \p D.
void forgetData(const Routine &Self, Device &D) {
  acc::waitForQueues(D);
  D.drain();
  std::vector<HostRange> Ranges;
  {
    std::lock_guard Lock(D.MapMutex);
    for (const Entry *E : D.Maps.entries())
      if (!E->Permanent && E->DynCount)
        Ranges.push_back(E->Host);
  }
  for (HostRange R : Ranges)
    oneItem(Self, D, InExit, reinterpret_cast<void *>(R.Begin), R.size(),
            MapDelete, acc_async_sync);
  releaseIdleMemory(D, Holding::Nothing);
}

} // namespace

ACCX_ABI void acc_shutdown(acc_device_t Type) noexcept {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Type == acc_device_none)
    return;
  for (int I = 0, Num = acc_get_num_devices(Type); I < Num; ++I)
    acc_shutdown_device(I, Type);
}

ACCX_ABI void acc_shutdown_device(int Number, acc_device_t Type) noexcept {
  ACCX_ROUTINE(acc_shutdown_device);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = acc::deviceOfType(Number, Type, Self);
  if (!D)
    return;
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.step(acc_ev_device_shutdown_start, D->id(), /*Implicit=*/false);
  forgetData(Self, *D);
}
