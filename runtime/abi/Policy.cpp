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

#include <cstdlib>
#include <strings.h>

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

/// libomp's values: 0 disabled, 1 default, 2 mandatory. A program that was
/// linked by hand may be without libomp; then the variable is read here.
int offloadKind() {
  if (__kmpc_get_target_offload) [[likely]]
    return __kmpc_get_target_offload();
  const char *Value = std::getenv("OMP_TARGET_OFFLOAD");
  if (!Value)
    return 1;
  return strcasecmp(Value, "disabled") == 0    ? 0
         : strcasecmp(Value, "mandatory") == 0 ? 2
                                               : 1;
}

constexpr const char *LinkedWithout =
    "the program was linked without the device code that its objects hold: "
    "link it with accxcc or accxc++, not with another compiler";

/// Says once that constructs run on the host because nothing was registered,
/// where the user has not asked for that.
void tellLinkedWithout(const Ident *Loc) {
  static std::atomic<bool> Told{false};
  if (offloadKind() == 0 || Told.exchange(true))
    return;
  const SourceLocation At = SourceLocation::ofConstruct(Loc);
  message("%s%sconstructs run on the host; %s",
          At.Known ? At.text().c_str() : "", At.Known ? ": " : "",
          LinkedWithout);
}

} // namespace

int accx::initialDevice() { return DeviceList::get().initialDevice(); }

OffloadPolicy accx::offloadPolicy() {
  // Asked each time while there are no devices; what it said with devices
  // stays.
  static std::atomic<int> Known{-1};
  int Value = Known.load(std::memory_order_relaxed);
  if (Value >= 0) [[likely]]
    return static_cast<OffloadPolicy>(Value);
  const int Kind = offloadKind();
  const bool Devices = DeviceList::get().count() > 0;
  const auto Policy = Kind == 0              ? OffloadPolicy::Disabled
                      : Kind == 2 || Devices ? OffloadPolicy::Mandatory
                                             : OffloadPolicy::Disabled;
  if (Devices || Kind != 1)
    Known.store(static_cast<int>(Policy), std::memory_order_relaxed);
  return Policy;
}

void accx::settleRegions() {
  const late::Outcome O = late::settle();
  if (O.Result.failed())
    handleOutcome(O.Result, O.Loc);
}

Device *accx::constructDevice(int64_t DeviceId, const Ident *Loc) {
  settleLate();
  startHeld();
  return regionDevice(DeviceId, Loc);
}

int64_t accx::deviceNumber(int64_t DeviceId) {
  if (DeviceId != -1)
    return DeviceId;
  applyAccEnvironment();
  return omp_get_default_device ? omp_get_default_device() : 0;
}

Device *accx::regionDevice(int64_t DeviceId, const Ident *Loc) {
  if (offloadPolicy() == OffloadPolicy::Disabled) {
    if (!Registry::get().everFilled()) [[unlikely]]
      tellLinkedWithout(Loc);
    return nullptr;
  }
  DeviceId = deviceNumber(DeviceId);
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
  settleLate();
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
  if (!Registry::get().everFilled()) {
    error("%s", LinkedWithout);
  } else if (DeviceList::get().count() == 0) {
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
  if (openAccProgram())
    fatal(1, "this construct failed; host data may be out of date, so the "
             "program ends");
  fatal(1, "failure of target construct while offloading is mandatory");
}
