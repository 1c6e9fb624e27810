//===- Listed.cpp - Devices that a directive lists ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the numbers of `devices(...)` into devices.
//
//===----------------------------------------------------------------------===//

#include "abi/Listed.h"

#include "abi/Acc.h"
#include "device/DeviceList.h"

#include <algorithm>

using namespace accx;

static std::vector<Device *> allDevices(const Ident *Loc) {
  std::vector<Device *> All;
  const Device *Default = regionDevice(-1, Loc);
  const DeviceList &List = DeviceList::get();
  for (int I = 0; Default && I < List.count(); ++I)
    if (&List.find(I)->plugin() == &Default->plugin())
      All.push_back(regionDevice(I, Loc));
  return All;
}

std::vector<Device *> accx::listedDevices(const DeviceNumbers &Devices) {
  if (Devices.Count < 0)
    return allDevices(Devices.Loc);
  std::vector<Device *> Listed;
  if (offloadPolicy() == OffloadPolicy::Disabled)
    return Listed;
  for (int I = 0; I < Devices.Count; ++I) {
    const int Number = Devices.Numbers[I];
    const int Id = Devices.OfType ? acc::numberOf(Number) : Number;
    Device *D = DeviceList::get().find(Id);
    if (!D)
      acc::failAt(*Devices.Loc, "%s: there is no device %d, only 0 to %d",
                  Devices.Directive.c_str(), Number,
                  DeviceList::get().count() - 1);
    if (std::find(Listed.begin(), Listed.end(), D) != Listed.end())
      acc::failAt(*Devices.Loc, "%s: device %d is listed twice",
                  Devices.Directive.c_str(), Number);
    Listed.push_back(regionDevice(Id, Devices.Loc));
  }
  return Listed;
}
