//===- Announce.cpp - Telling tools about map items -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Announce.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Announce.h"

#include "device/DeviceList.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

using namespace accx;

namespace {

[[gnu::format(printf, 1, 2)]] std::string text(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  char *Buffer = nullptr;
  int Length = vasprintf(&Buffer, Format, Args);
  va_end(Args);
  std::string Result(Length >= 0 ? Buffer : "");
  free(Buffer);
  return Result;
}

/// "DynRefCount=1 (incremented), HoldRefCount=0": the action stands behind the
/// count that is used.
std::string counts(bool Permanent, uint64_t Dyn, uint64_t Hold, bool UsesHold,
                   const char *Action) {
  return "DynRefCount=" + (Permanent ? "INF" : std::to_string(Dyn)) +
         (UsesHold ? "" : Action) + ", HoldRefCount=" + std::to_string(Hold) +
         (UsesHold ? Action : "");
}

const char *typeText(uint64_t Type, int64_t Size) {
  if ((Type & MapTo) && (Type & MapFrom))
    return "tofrom";
  if (Type & MapTo)
    return "to";
  if (Type & MapFrom)
    return "from";
  if (Type & MapPrivate)
    return "private";
  if (Type & MapLiteral)
    return "firstprivate";
  return Size ? "alloc" : "use_address";
}

} // namespace

void Announcer::collect(const std::vector<EnterItem> &Items) {
  for (const EnterItem &I : Items) {
    Line L = {0, "", I.Host, I.Slot, I.Device, I.Host.size(), false, false};
    if (I.Result == Resolution::Created) {
      const Entry &E = *I.Target;
      L.Bit = InfoMappingChanged;
      L.Created = true;
      L.Text =
          text("Creating new map entry with HstPtrBase=0x%016" PRIxPTR
               ", HstPtrBegin=0x%016" PRIxPTR ", TgtAllocBegin=0x%016" PRIxPTR
               ", TgtPtrBegin=0x%016" PRIxPTR ", Size=%zu, %s, Name=%s\n",
               I.Base, I.Host.Begin, I.Device, I.Device, I.Host.size(),
               counts(E.Permanent, E.DynCount, E.HoldCount, false, "").c_str(),
               itemName(I.Name).c_str());
    } else if (I.Result == Resolution::Existing) {
      const Entry &E = *I.Target;
      L.Bit = InfoMappingExists;
      L.Text = text("Mapping exists%s with HstPtrBegin=0x%016" PRIxPTR
                    ", TgtPtrBegin=0x%016" PRIxPTR ", Size=%zu, %s, Name=%s\n",
                    I.Implicit ? " (implicit)" : "", I.Host.Begin, I.Device,
                    I.Host.size(),
                    counts(E.Permanent, E.DynCount, E.HoldCount, I.Hold,
                           I.Count ? " (incremented)" : " (update suppressed)")
                        .c_str(),
                    itemName(I.Name).c_str());
    } else if (I.Result == Resolution::Shared && !I.Host.empty()) {
      L.Bit = InfoMappingChanged;
      L.Text = text("Return HstPtrBegin 0x%016" PRIxPTR
                    " Size=%zu for unified shared memory\n",
                    I.Host.Begin, I.Host.size());
    }
    Lines.push_back(std::move(L));
  }
}

void Announcer::collect(const std::vector<ExitItem> &Items) {
  for (auto It = Items.rbegin(); It != Items.rend(); ++It) {
    const ExitItem &I = *It;
    Line L = {0, "", I.Host, 0, I.Device, I.Host.size(), false, false};
    if (I.Result == Resolution::Existing) {
      const char *Action = !I.Count   ? " (update suppressed)"
                           : !I.Last  ? " (decremented)"
                           : I.Delete ? " (reset, delayed deletion)"
                                      : " (decremented, delayed deletion)";
      L.Bit = InfoMappingExists;
      L.Removed = I.Last;
      L.Text = text(
          "Mapping exists with HstPtrBegin=0x%016" PRIxPTR
          ", TgtPtrBegin=0x%016" PRIxPTR ", Size=%zu, %s\n",
          I.Host.Begin, I.Device, I.Host.size(),
          counts(I.Permanent, I.DynAfter, I.HoldAfter, I.Hold, Action).c_str());
      if (I.Last) {
        Lines.push_back(L);
        // What removed() says; never spoken before.
        const uintptr_t Delta = I.Device - I.Host.Begin;
        L.Bit = InfoMappingChanged;
        L.Text = text("Removing map entry with HstPtrBegin=0x%016" PRIxPTR
                      ", TgtPtrBegin=0x%016" PRIxPTR ", Size=%zu, Name=%s\n",
                      I.Whole.Begin, I.Whole.Begin + Delta, I.Host.size(),
                      itemName(I.EntryName).c_str());
        L.Host = I.Whole;
        L.DeviceAddress = I.Whole.Begin + Delta;
        L.Created = true; // Marks the removal line.
      }
    }
    Lines.push_back(std::move(L));
  }
}

void Announcer::speak(const Line &L) {
  if (L.Removed && L.Created)
    return;
  if (L.Bit && infoEnabled(L.Bit))
    info(Device, "%s", L.Text.c_str());
  if (L.Created)
    ompt::DataOpScope Tool(
        ompt_target_data_alloc, reinterpret_cast<void *>(L.Host.Begin),
        DeviceList::get().initialDevice(),
        reinterpret_cast<void *>(L.DeviceAddress), Device, L.Size);
}

void Announcer::before(const Operation &Op) {
  // Operations come in item order: the first item from here that holds the
  // operation's host bytes (or its pointer) is the one it belongs to.
  for (size_t I = Next; I < Lines.size(); ++I) {
    const Line &L = Lines[I];
    if (L.Removed && L.Created)
      continue;
    bool Owns = Op.Kind == Operation::Attach
                    ? L.Slot && L.Slot == Op.Host
                    : L.Host.Begin <= Op.Host && Op.Host < L.Host.End;
    if (!Owns)
      continue;
    for (; Next <= I; ++Next)
      speak(Lines[Next]);
    return;
  }
}

void Announcer::finish() {
  for (; Next < Lines.size(); ++Next)
    speak(Lines[Next]);
}

void Announcer::removed() {
  for (const Line &L : Lines) {
    if (!L.Removed || !L.Created)
      continue;
    if (infoEnabled(L.Bit))
      info(Device, "%s", L.Text.c_str());
    ompt::DataOpScope Tool(ompt_target_data_delete,
                           reinterpret_cast<void *>(L.DeviceAddress), Device,
                           nullptr, DeviceList::get().initialDevice(), 0);
  }
}

void accx::announceLookup(int Device, const Entry &E, uintptr_t Host,
                          int64_t Size) {
  if (!infoEnabled(InfoMappingExists))
    return;
  info(Device,
       "Mapping exists with HstPtrBegin=0x%016" PRIxPTR
       ", TgtPtrBegin=0x%016" PRIxPTR ", Size=%" PRId64 ", %s\n",
       Host, Host + E.Delta, Size,
       counts(E.Permanent, E.DynCount, E.HoldCount, false,
              " (update suppressed)")
           .c_str());
}

void accx::announceArguments(int Device, const Ident *Loc,
                             const MapArrays &Arrays, const char *What) {
  SourceLocation At = SourceLocation::ofConstruct(Loc);
  info(Device, "%s at %s with %d arguments:\n", What, At.text().c_str(),
       Arrays.Num);
  for (int I = 0; I < Arrays.Num; ++I)
    info(Device, "%s(%s)[%" PRId64 "] %s\n",
         typeText(Arrays.type(I), Arrays.Sizes[I]),
         itemName(Arrays.name(I)).c_str(), Arrays.Sizes[I],
         Arrays.type(I) & MapImplicit ? "(implicit)" : "");
}
