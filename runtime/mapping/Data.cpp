//===- Data.cpp - Data constructs and updates -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// target data, enter data, exit data and update.
//
//===----------------------------------------------------------------------===//

#include "image/Registry.h"
#include "mapping/Absent.h"
#include "mapping/Announce.h"
#include "mapping/Late.h"
#include "mapping/Phases.h"
#include "mapping/Strided.h"
#include "mapping/Tail.h"

#include <algorithm>
#include <cinttypes>

using namespace accx;

static thread_local AbsentAddress Absent = AbsentAddress::Null;

void accx::setAbsentAddress(AbsentAddress A) { Absent = A; }

static thread_local bool AccRules = false;

void accx::setAccRules(bool On) { AccRules = On; }

namespace {

/// Stores the device address of the item's base for use_device_ptr and
/// use_device_addr. A null pointer stays one.
Status returnAddresses(Construct C, const MapArrays &Arrays,
                       const ConstructScratch &S) {
  AbsentAddress How = AbsentAddress::Null;
  for (size_t I = 0; I < S.Items.size(); ++I) {
    const MapItem &Item = S.Items[I];
    if (!Item.has(MapReturnParam) || S.Items.ofArg(Item.Arg) < 0)
      continue;
    How = Absent;
    C.D.settleTrails();
    const EnterItem &E = S.Enter[I];
    uintptr_t Begin = E.Device;
    if (E.Result == Resolution::Absent) {
      if (How == AbsentAddress::Error && E.Host.Begin) {
        Absent = AbsentAddress::Null;
        error("%s: host_data: '%s' is not present on device %d: there is no "
              "address to use; put a data construct around it, or add "
              "'if_present' for the host's address",
              SourceLocation::ofConstruct(C.Loc).text().c_str(),
              itemName(Item.Name).c_str(), C.D.id());
        return Status(ErrorCode::NotPresent, "not present on the device");
      }
      Begin = How == AbsentAddress::Host ? E.Host.Begin : 0;
    }
    Arrays.BasePtrs[Item.Arg] =
        reinterpret_cast<void *>(Begin - (E.Host.Begin - E.Base));
  }
  if (How != AbsentAddress::Null)
    Absent = AbsentAddress::Null;
  return Status();
}

void warnWithoutCounterpart(int Device, const ConstructScratch &S) {
  if (!infoEnabled(InfoEmptyMapping))
    return;
  for (size_t I = 0; I < S.Items.size(); ++I)
    if (S.Items[I].Type && !S.Items[I].has(MapMemberOf | MapImplicit) &&
        S.Enter[I].Result == Resolution::Absent)
      info(Device, "variable %s does not have a valid device counterpart\n",
           itemName(S.Items[I].Name).c_str());
}

} // namespace

Status accx::dataBegin(Construct C, const MapArrays &Arrays) {
  ScratchLease S;
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;
  S->Items.assign(Arrays, C.Loc, AccRules);
  if (Status St = enterItems(C, Q, *S); St.failed())
    return St;
  if (Status St = returnAddresses(C, Arrays, *S); St.failed())
    return St;
  warnWithoutCounterpart(C.D.id(), *S);
  return Status();
}

Status accx::dataEnd(Construct C, const MapArrays &Arrays) {
  ScratchLease S;
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;
  S->Items.assign(Arrays, C.Loc, AccRules);
  return leaveItems(C, Q, *S, /*Pinned=*/false);
}

std::optional<Status> accx::dataBeginBeside(Construct C,
                                            const MapArrays &Arrays) {
  ScratchLease S;
  ConstructQueue Q(C.D);
  if (Status St = Q.open(); St.failed())
    return St;
  S->Items.assign(Arrays, C.Loc, AccRules);
  std::optional<Status> Result = enterBeside(C, Q, *S, late::gone());
  if (!Result)
    return std::nullopt;
  if (std::any_of(S->Enter.begin(), S->Enter.end(), [](const EnterItem &I) {
        return I.Result == Resolution::Created;
      }))
    late::lookUpAgain();
  warnWithoutCounterpart(C.D.id(), *S);
  return Result;
}

std::optional<Status> accx::dataEndBeside(Construct C,
                                          const MapArrays &Arrays) {
  std::vector<const Entry *> Held;
  if (!late::counts(Held))
    return std::nullopt;
  ScratchLease S;
  S->Items.assign(Arrays, C.Loc, AccRules);
  if (!leaveBeside(C, *S, Held))
    return std::nullopt;
  std::vector<HostRange> Gone;
  for (const ExitItem &I : S->Exit)
    if (I.Last)
      Gone.push_back(I.Whole);
  if (!Gone.empty())
    late::lookUpAgain(Gone);
  return Status();
}

Status accx::dataUpdate(Construct C, const MapArrays &Arrays) {
  ScratchLease S;
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;
  S->Items.assign(Arrays, C.Loc);

  // Sections in the order of the items; a strided one becomes several.
  S->Update.clear();
  for (size_t I = 0; I < S->Items.size(); ++I)
    appendSections(S->Items[I], static_cast<uint32_t>(I), S->Update);
  // What has no copy is where both see it.
  if (Registry::get().sharesMemory(C.D)) [[unlikely]]
    for (UpdateItem &U : S->Update)
      U.Present = false;
  if (S->Update.empty())
    return Status();

  S->P.clear();
  {
    std::unique_lock Lock(C.D.MapMutex);
    Status Error;
    size_t Failed = 0;
    const Outcome O = askUntilDone(C.D, Lock, [&] {
      return C.D.Maps.update(S->Update, S->P, Error, Failed);
    });
    if (O == Outcome::Failed) {
      const UpdateItem &Item = S->Update[Failed];
      Lock.unlock();
      reportAbsent(C, Item.Host, Item.Name, AbsentFor::Motion);
      return Error;
    }
    if (infoEnabled(InfoMappingExists)) [[unlikely]]
      for (const UpdateItem &U : S->Update)
        if (U.Target)
          announceLookup(C.D.id(), *U.Target, U.Host.Begin,
                         static_cast<int64_t>(U.Host.size()));
    if (Q.tail()) [[unlikely]]
      for (const UpdateItem &U : S->Update)
        pinFor(*Q.tail(), Lock, U.Target);
  }
  Status Result = finish(Q, S->P, performMerged(Q, S->P));
  {
    std::lock_guard Lock(C.D.MapMutex);
    C.D.Maps.settle(S->P);
    C.D.notifyMapChanged();
  }
  if (Result.failed())
    error("%s", Result.text().c_str());
  return Result;
}

void accx::dumpMappings(Device &D, const Ident *Loc, bool ToStdout) {
  std::lock_guard Lock(D.MapMutex);
  auto Print = [&](const char *Format, auto... Values) {
    if (ToStdout)
      infoToOutput(D.id(), Format, Values...);
    else
      info(D.id(), Format, Values...);
  };
  auto Entries = D.Maps.entries();
  if (Entries.empty()) {
    Print("%s", "OpenMP Host-Device pointer mappings table empty\n");
    return;
  }
  Print("OpenMP Host-Device pointer mappings after block at %s:\n",
        SourceLocation::ofConstruct(Loc).text().c_str());
  Print("%-18s %-18s %s %s %s %s\n", "Host Ptr", "Target Ptr", "Size (B)",
        "DynRefCount", "HoldRefCount", "Declaration");
  for (const Entry *E : Entries) {
    const SourceLocation At = SourceLocation::ofItem(E->Name);
    const std::string Dyn = E->Permanent ? "INF" : std::to_string(E->DynCount);
    Print("0x%016" PRIxPTR " 0x%016" PRIxPTR " %-8zu %-11s %-12s %s at %s\n",
          E->Host.Begin, E->device(), E->Host.size(), Dyn.c_str(),
          std::to_string(E->HoldCount).c_str(), itemName(E->Name).c_str(),
          At.text().c_str());
  }
}
