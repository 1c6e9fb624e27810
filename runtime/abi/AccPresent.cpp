//===- AccPresent.cpp - Looking at devices' memory ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Routines that users of NVIDIA's compilers know, for programs that look for
// their own mistakes: what is present, how much memory there is, where the
// copies of host and device differ.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "device/DeviceList.h"
#include "image/Registry.h"
#include "mapping/Constructs.h"
#include "mapping/Phases.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "report/Source.h"

#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

using namespace accx;
using acc::Routine;

namespace {

/// One line an entry, as NVIDIA's tools and scripts read it.
std::string lineOf(const Entry &E) {
  const SourceLocation At = SourceLocation::ofItem(E.Name);
  char Text[160];
  std::snprintf(Text, sizeof(Text),
                "host:0x%" PRIxPTR " device:0x%" PRIxPTR
                " size:%zu presentcount:%" PRIu64 "+%" PRIu64 " line:%d name:",
                E.Host.Begin, E.device(), E.Host.size(), E.HoldCount,
                E.DynCount, At.Line);
  std::string Line = Text;
  Line += At.Name;
  if (At.File != "unknown" && !At.File.empty())
    Line.append(" file:").append(At.File);
  return Line + "\n";
}

void dump(Device &D) {
  std::string Text = "Present table dump for device[" + std::to_string(D.id()) +
                     "]: " + D.info().name + "\n";
  size_t Bytes = 0, Count = 0;
  {
    std::lock_guard Lock(D.MapMutex);
    for (const Entry *E : D.Maps.entries()) {
      Text += lineOf(*E);
      Bytes += E->Host.size();
      ++Count;
    }
  }
  if (Count == 0)
    Text += "...empty...\n";
  else
    Text += std::to_string(Count) + " entries, " + std::to_string(Bytes) +
            " bytes\n";
  plain("%s", Text.c_str());
}

size_t memoryOf(acc_device_property_t Property) {
  return acc_get_property(acc_get_device_num(acc_device_current),
                          acc_device_current, Property);
}

/// Differences of host and device in \p Range, which is present.
void compare(const Routine &Self, Device &D, HostRange Range,
             const void *Name) {
  std::vector<unsigned char> Copy(Range.size());
  auto *Host = reinterpret_cast<unsigned char *>(Range.Begin);
  uintptr_t OnDevice = 0;
  {
    std::lock_guard Lock(D.MapMutex);
    const Entry *E = D.Maps.find({Range.Begin, Range.Begin + 1});
    if (!E || !D.Maps.covered(Range))
      acc::fail(Self, "%zu bytes at %p are not present on device %d",
                Range.size(), static_cast<void *>(Host), D.id());
    OnDevice = Range.Begin + E->Delta;
  }
  acc::check(Self,
             copyBytes({D, &Self.Loc}, {ACCX_FROM_DEVICE, Copy.data(),
                                        reinterpret_cast<void *>(OnDevice),
                                        Copy.size(), 1, 0, 0, nullptr}));
  size_t Different = 0, First = 0;
  for (size_t I = Copy.size(); I-- > 0;)
    if (Copy[I] != Host[I]) {
      ++Different;
      First = I;
    }
  const std::string Of =
      Name && itemName(Name) != "unknown" ? " of '" + itemName(Name) + "'" : "";
  if (Different)
    plain("%s: device %d has other values than the host in %zu of %zu bytes at "
          "%p%s; the first is byte %zu\n",
          Self.Name, D.id(), Different, Copy.size(), static_cast<void *>(Host),
          Of.c_str(), First);
}

} // namespace

ACCX_ABI void acc_present_dump(void) noexcept {
  ACCX_ROUTINE(acc_present_dump);
  if (Device *D = acc::currentDevice(Self))
    dump(*D);
  else
    plain("Present table dump: the current device is the host, where "
          "everything is present\n");
}

ACCX_ABI void acc_present_dump_all(void) noexcept {
  for (int I = 0; I < DeviceList::get().count(); ++I)
    dump(*DeviceList::get().find(I));
}

ACCX_ABI size_t acc_get_memory(void) noexcept {
  return memoryOf(acc_property_memory);
}

ACCX_ABI size_t acc_get_free_memory(void) noexcept {
  return memoryOf(acc_property_free_memory);
}

ACCX_ABI size_t acc_bytesalloc(void) noexcept {
  ACCX_ROUTINE(acc_bytesalloc);
  Device *D = acc::currentDevice(Self);
  if (!D)
    return 0;
  size_t Bytes = 0;
  std::lock_guard Lock(D->MapMutex);
  for (const Entry *E : D->Maps.entries())
    Bytes += E->Permanent ? 0 : E->Host.size();
  return Bytes;
}

ACCX_ABI void acc_clear_freelists(void) noexcept {
  ACCX_ROUTINE(acc_clear_freelists);
  if (Device *D = acc::currentDevice(Self))
    releaseIdleMemory(*D, Holding::Nothing);
}

ACCX_ABI void acc_compare(const void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_compare);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = acc::currentDevice(Self);
  const auto Begin = reinterpret_cast<uintptr_t>(Data);
  if (!D || !Data || Bytes == 0 || Registry::get().sharesMemory(*D))
    return;
  compare(Self, *D, {Begin, Begin + Bytes}, nullptr);
}

ACCX_ABI void acc_compare_all(void) noexcept {
  ACCX_ROUTINE(acc_compare_all);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = acc::currentDevice(Self);
  if (!D || Registry::get().sharesMemory(*D))
    return;
  struct Item {
    HostRange Host;
    const void *Name;
  };
  std::vector<Item> Items;
  {
    std::lock_guard Lock(D->MapMutex);
    for (const Entry *E : D->Maps.entries())
      if (!E->Permanent)
        Items.push_back({E->Host, E->Name});
  }
  for (const Item &I : Items)
    compare(Self, *D, I.Host, I.Name);
}
