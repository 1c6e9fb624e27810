//===- Spread.cpp - Entry points of spread arrays -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `spread` and `replicate` become, and the routines about their arrays.
//
//===----------------------------------------------------------------------===//

#include "distribute/Spread.h"

#include "abi/Acc.h"
#include "abi/Listed.h"
#include "report/Ompt.h"

#include <accx/devices.h>
#include <accx/spread.h>

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
  const std::string Directive = std::string(What) + "(" + itemName(Name) + ")";
  if (NumDevices == 0)
    failAt(Loc, "%s: no device is listed", Directive.c_str());
  settleLate();
  startHeld();
  R.Devices = listedDevices({Directive, &Loc, Devices, NumDevices,
                             (Flags & ACCX_DEVICES_OF_TYPE) != 0});
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
