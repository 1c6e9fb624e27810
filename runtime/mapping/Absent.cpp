//===- Absent.cpp - What is said of data that is not present --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Absent.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Absent.h"

#include "device/DeviceList.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

using namespace accx;

namespace {

/// How many entries are listed.
constexpr size_t Most = 4;

std::string bytesAt(HostRange R) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%zu bytes at 0x%" PRIxPTR, R.size(),
                R.Begin);
  return Text;
}

std::string bytes(uintptr_t Number) {
  return std::to_string(Number) + (Number == 1 ? " byte" : " bytes");
}

/// 0 if they overlap.
uintptr_t distance(HostRange A, HostRange B) {
  return A.Begin >= B.End   ? A.Begin - B.End + 1
         : B.Begin >= A.End ? B.Begin - A.End + 1
                            : 0;
}

/// Where \p There lies, seen from what was asked for.
std::string relation(HostRange Wanted, HostRange There) {
  const uintptr_t Begin = std::max(Wanted.Begin, There.Begin);
  const uintptr_t End = std::min(Wanted.End, There.End);
  if (Begin < End) {
    if (Begin == Wanted.Begin && End == Wanted.End)
      return "all of these";
    if (Begin == Wanted.Begin)
      return "the first " + bytes(End - Begin) + " of these";
    if (End == Wanted.End)
      return "the last " + bytes(End - Begin) + " of these";
    return bytes(End - Begin) + " of these, from byte " +
           std::to_string(Begin - Wanted.Begin);
  }
  if (There.Begin >= Wanted.End)
    return There.Begin == Wanted.End
               ? "right behind these"
               : bytes(There.Begin - Wanted.End) + " behind these";
  return There.End == Wanted.Begin
             ? "right before these"
             : bytes(Wanted.Begin - There.End) + " before these";
}

std::string placeOf(const char *Source) {
  const Ident Loc = {0, 0, 0, 0, Source};
  const SourceLocation At = SourceLocation::ofConstruct(&Loc);
  return At.Known ? std::string(At.File) + ":" + std::to_string(At.Line) : "";
}

/// One line: the entry's variable, where it lies, who put it there.
std::string describe(HostRange Wanted, const Entry &E) {
  std::string Text = "'" + itemName(E.Name) + "', " + bytesAt(E.Host) + ", " +
                     relation(Wanted, E.Host);
  if (E.Permanent)
    Text += E.Associated ? " (associated)" : " (a global)";
  else if (const std::string Place = placeOf(E.Place); !Place.empty())
    Text += " (since " + Place + ")";
  return Text;
}

void reportInWordsOfLlvm(HostRange Host, AbsentFor Need) {
  message("device mapping required by 'present' %s modifier does not exist for "
          "host address 0x%016" PRIxPTR " (%zu bytes)",
          Need == AbsentFor::Map ? "map type" : "motion", Host.Begin,
          Host.size());
}

/// `a[n]`, which some compilers took for `a[0:n]`.
std::string elementAdvice(const std::string &Variable) {
  const size_t Open = Variable.rfind('[');
  if (!openAccProgram() || Open == std::string::npos ||
      !Variable.ends_with(']') || Variable.find(':', Open) != std::string::npos)
    return "";
  std::string Section = Variable;
  Section.insert(Open + 1, "0:");
  return "'" + Variable + "' is one element: '" + Section + "' is the first " +
         Variable.substr(Open + 1, Variable.size() - Open - 2) +
         ", which accxcc -facc-bare-lengths takes it for\n  ";
}

std::string advice(const std::string &Variable, AbsentFor Need) {
  if (Need == AbsentFor::Exit)
    return "an exit names what one enter has named, or a part of that";
  if (Need == AbsentFor::Peer)
    return "both devices need the data: copyin(" + Variable +
           ") or create on 'enter data' with 'deviceid', before it";
  if (openAccProgram())
    return Need == AbsentFor::Map
               ? "copyin(" + Variable +
                     ") on 'data' around this construct, or on 'enter data' "
                     "before it, makes it present"
               : "copyin(" + Variable +
                     ") on 'data' or 'enter data' makes it present; with "
                     "'if_present' the update skips what is not";
  return "map(to: " + Variable +
         ") on 'target data' around this construct, or on 'target enter data' "
         "before it, makes it present";
}

} // namespace

bool accx::inWordsOfLlvm(const Ident *Loc) {
  return Environment::get().StrictMap ||
         !SourceLocation::ofConstruct(Loc).Known;
}

void accx::reportAbsent(Construct C, HostRange Host, const void *Name,
                        AbsentFor Need) {
  const bool Parts = Need == AbsentFor::Exit;
  if (inWordsOfLlvm(C.Loc)) {
    if (!Parts)
      reportInWordsOfLlvm(Host, Need);
    return;
  }
  const std::string Variable = itemName(Name);
  std::string Text = placeOf(C.Loc->Source) + ": '" + Variable +
                     (Parts ? "' is present in parts only on device "
                            : "' is not present on device ") +
                     std::to_string(C.D.id()) + ": " + bytesAt(Host);
  {
    std::lock_guard Lock(C.D.MapMutex);
    std::vector<const Entry *> Entries = C.D.Maps.entries();
    if (Entries.empty())
      Text += "\n  nothing is present there";
    std::sort(
        Entries.begin(), Entries.end(), [&](const Entry *A, const Entry *B) {
          const uintptr_t FromA = distance(Host, A->Host);
          const uintptr_t FromB = distance(Host, B->Host);
          return FromA != FromB ? FromA < FromB : A->Host.Begin < B->Host.Begin;
        });
    for (size_t I = 0; I < Entries.size() && I < Most; ++I)
      Text += "\n  present: " + describe(Host, *Entries[I]);
    if (Entries.size() > Most)
      Text += "\n  and " + std::to_string(Entries.size() - Most) +
              " more, which LIBOMPTARGET_INFO=4 lists";
  }
  for (int I = 0; I < DeviceList::get().count(); ++I) {
    Device &Other = *DeviceList::get().find(I);
    std::lock_guard Lock(Other.MapMutex);
    if (I != C.D.id() && !Host.empty() && Other.Maps.covered(Host))
      Text += "\n  it is present on device " + std::to_string(I);
  }
  error("%s\n  %s%s", Text.c_str(), elementAdvice(Variable).c_str(),
        advice(Variable, Need).c_str());
}
