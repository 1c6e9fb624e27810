//===- Spread.cpp - Entry points of spread arrays -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `spread` and `replicate` become, and the routines about their arrays.
//
//===----------------------------------------------------------------------===//

#include "distribute/Spread.h"

#include "abi/Acc.h"
#include "device/DeviceList.h"
#include "report/Ompt.h"

#include <accx/devices.h>
#include <accx/spread.h>

#include <algorithm>

using namespace accx;
using acc::failAt;

namespace {

HostRange rangeOf(const void *Data, size_t Bytes) {
  const auto Begin = reinterpret_cast<uintptr_t>(Data);
  return {Begin, Begin + Bytes};
}

/// Ends the program if \p R is no range of memory.
void checkRange(HostRange R, const Ident &Loc, const char *What,
                const char *Name) {
  if (R.Begin > R.End || (!R.empty() && R.Begin == 0))
    failAt(Loc, "%s: '%s' is null, or its length is no number of bytes", What,
           itemName(Name).c_str());
}

/// The devices of the default device's kind.
std::vector<Device *> allDevices(Device &Default) {
  std::vector<Device *> All;
  for (int I = 0; I < DeviceList::get().count(); ++I)
    if (Device *D = DeviceList::get().find(I);
        &D->plugin() == &Default.plugin())
      All.push_back(constructDevice(I, nullptr));
  return All;
}

/// Ready for use. None: constructs run on the host.
std::vector<Device *> devicesOf(const int *Numbers, int Count,
                                const SpreadRequest &R, const char *What,
                                const Ident &Loc) {
  Device *Default = constructDevice(-1, &Loc);
  if (Count < 0)
    return Default ? allDevices(*Default) : std::vector<Device *>();
  std::vector<Device *> Listed;
  if (offloadPolicy() == OffloadPolicy::Disabled)
    return Listed;
  if (Count == 0)
    failAt(Loc, "%s(%s): no device is listed", What, itemName(R.Name).c_str());
  for (const int Number : std::span(Numbers, static_cast<size_t>(Count))) {
    Device *D = DeviceList::get().find(Number);
    if (!D)
      failAt(Loc, "%s(%s): there is no device %d, only 0 to %d", What,
             itemName(R.Name).c_str(), Number, DeviceList::get().count() - 1);
    if (std::find(Listed.begin(), Listed.end(), D) != Listed.end())
      failAt(Loc, "%s(%s): device %d is listed twice", What,
             itemName(R.Name).c_str(), Number);
    Listed.push_back(constructDevice(Number, &Loc));
  }
  return Listed;
}

} // namespace

ACCX_ABI void __accx_spread_enter(const void *Data, unsigned long Bytes,
                                  const int *Devices, int NumDevices,
                                  unsigned long BlockBytes, unsigned Flags,
                                  const char *Name, const char *Source) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  const Ident Loc = {0, 0, 0, 0, Source};
  const bool Replicate = Flags & ACCX_SPREAD_REPLICATE;
  const char *What = Replicate ? "replicate" : "spread";
  SpreadRequest R;
  R.Host = rangeOf(Data, Bytes);
  R.BlockBytes = BlockBytes;
  R.Replicate = Replicate;
  R.Name = Name;
  R.Place = SourceLocation::ofConstruct(&Loc).text();
  checkRange(R.Host, Loc, What, Name);
  R.Devices = devicesOf(Devices, NumDevices, R, What, Loc);
  if (R.Devices.empty())
    return;
  if (Status S = enterSpread(R); S.failed())
    failAt(Loc, "%s(%s): %s", What, itemName(Name).c_str(), S.text().c_str());
}

ACCX_ABI void __accx_spread_exit(const void *Data, unsigned long Bytes,
                                 const char *Name, const char *Source) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  const Ident Loc = {0, 0, 0, 0, Source};
  const HostRange R = rangeOf(Data, Bytes);
  checkRange(R, Loc, "exit spread", Name);
  if (!constructDevice(-1, &Loc) && !anySpread())
    return;
  if (Status S = exitSpread(R, Name); S.failed())
    failAt(Loc, "exit spread(%s): %s", itemName(Name).c_str(),
           S.text().c_str());
}

ACCX_ABI int accx_owner_of(const void *Pointer) {
  if (!anySpread())
    return -1;
  const auto Address = reinterpret_cast<uintptr_t>(Pointer);
  if (SpreadRef A = findSpread(Address))
    return A->Devices[A->ownerAt(Address - A->Host.Begin)]->id();
  SpreadRef A = findSpreadOnDevice(Address);
  return A ? A->Devices[A->ownerOnDevice(Address)]->id() : -1;
}
