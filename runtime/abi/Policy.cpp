//===- Policy.cpp - What entry points do before and after -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Policy.h.
//
//===----------------------------------------------------------------------===//

#include "abi/Policy.h"

#include "abi/AccProf.h"
#include "abi/AccSelect.h"
#include "abi/Libomp.h"
#include "device/DeviceList.h"
#include "image/Registry.h"
#include "mapping/Constructs.h"
#include "report/Activity.h"
#include "report/Report.h"

using namespace accx;

namespace {

[[noreturn]] void noSuchDevice(int64_t Id) {
  fatal(static_cast<int>(Id),
        "Device number '%d' out of range, only %d devices available",
        static_cast<int>(Id), DeviceList::get().count());
}

void dumpAllMappings(const Ident *Loc) {
  for (int I = 0; I < DeviceList::get().count(); ++I)
    dumpMappings(*DeviceList::get().find(I), Loc, /*ToStdout=*/false);
}

} // namespace

int accx::initialDevice() { return DeviceList::get().initialDevice(); }

OffloadPolicy accx::offloadPolicy() {
  // libomp's values: 0 disabled, 1 default, 2 mandatory. Asked each time while
  // there are no devices; what it said with devices stays.
  static std::atomic<int> Known{-1};
  int Value = Known.load(std::memory_order_relaxed);
  if (Value >= 0) [[likely]]
    return static_cast<OffloadPolicy>(Value);
  const int Kind = __kmpc_get_target_offload ? __kmpc_get_target_offload() : 1;
  const bool Devices = DeviceList::get().count() > 0;
  const auto Policy = Kind == 0              ? OffloadPolicy::Disabled
                      : Kind == 2 || Devices ? OffloadPolicy::Mandatory
                                             : OffloadPolicy::Disabled;
  if (Devices || Kind != 1)
    Known.store(static_cast<int>(Policy), std::memory_order_relaxed);
  return Policy;
}

Device *accx::constructDevice(int64_t DeviceId, const Ident *Loc) {
  if (offloadPolicy() == OffloadPolicy::Disabled)
    return nullptr;
  if (DeviceId == -1) {
    applyAccEnvironment();
    DeviceId = omp_get_default_device ? omp_get_default_device() : 0;
  }
  const DeviceList &Devices = DeviceList::get();
  if (Devices.count() == 0) {
    handleOutcome(Status(ErrorCode::Invalid, "there are no devices"), Loc);
    return nullptr;
  }
  if (DeviceId == Devices.initialDevice())
    return nullptr;
  Device *D = Devices.find(DeviceId);
  if (!D)
    noSuchDevice(DeviceId);
  if (Status S = prepareDevice(*D, Caller::Construct); S.failed())
      [[unlikely]] {
    error("Failed to load images on device %d: %s", D->id(), S.text().c_str());
    handleOutcome(S, Loc);
    return nullptr;
  }
  return D;
}

Device &accx::routineDevice(int64_t DeviceId) {
  Device *D = DeviceList::get().find(DeviceId);
  if (!D)
    noSuchDevice(DeviceId);
  return *D;
}

void accx::handleOutcome(const Status &Result, const Ident *Loc) {
  const bool Dump = infoEnabled(InfoDumpTable);
  if (Dump) [[unlikely]]
    dumpAllMappings(Loc);
  if (Result.ok()) [[likely]]
    return;
  if (!Dump)
    error("Consult https://openmp.llvm.org/design/Runtimes.html for debugging "
          "options.");
  if (DeviceList::get().count() == 0) {
    std::string Why;
    const size_t Images = Registry::get().unusedImages(Why);
    error("No images found compatible with the installed hardware. Found %zu "
          "image(s)%s%s",
          Images, Why.empty() ? "" : "; ", Why.c_str());
  }
  const SourceLocation At = SourceLocation::ofConstruct(Loc);
  if (At.Known)
    plain("%s: ", At.text().c_str());
  else
    error("Source location information not present. Compile with -g or "
          "-gline-tables-only.");
  flushActivityListeners();
  fatal(1, "failure of target construct while offloading is mandatory");
}
