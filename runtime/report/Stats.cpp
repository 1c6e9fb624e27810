//===- Stats.cpp - Totals of activities for each device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ACCX_STATS: atomic counters for each device that did anything.
//
//===----------------------------------------------------------------------===//

#include "report/Listeners.h"
#include "report/PathBytes.h"
#include "report/PeerBytes.h"
#include "support/Output.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <unistd.h>

using namespace accx;

namespace {

using Counter = std::atomic<uint64_t>;

void add(Counter &To, uint64_t Amount) {
  To.fetch_add(Amount, std::memory_order_relaxed);
}

/// Copies of one direction.
struct Copies {
  Counter Number{0}, Bytes{0}, Nanoseconds{0};

  void count(uint64_t Size, uint64_t Time) {
    add(Number, 1);
    add(Bytes, Size);
    add(Nanoseconds, Time);
  }
};

struct alignas(64) Totals {
  Copies ToDevice, FromDevice, Within, ToPeer;
  Counter Launches{0}, LaunchNanoseconds{0};
  Counter Allocations{0}, AllocatedBytes{0};
  Counter Regions{0}, LateRegions{0}, GraphKernels{0};
  Counter Waits{0}, WaitNanoseconds{0};

  void count(const FinishedActivity &Activity);
  std::string text() const;
};

void Totals::count(const FinishedActivity &Activity) {
  const ActivityInfo &Info = Activity.Info;
  const uint64_t Time = Activity.Nanoseconds;
  switch (Activity.Kind) {
  case ActivityKind::Launch:
    add(Launches, 1);
    add(LaunchNanoseconds, Time);
    break;
  case ActivityKind::Transfer:
    switch (Info.Direction) {
    case ActivityInfo::ToDevice:
      ToDevice.count(Info.Bytes, Time);
      break;
    case ActivityInfo::FromDevice:
      FromDevice.count(Info.Bytes, Time);
      break;
    case ActivityInfo::ToPeer:
      ToPeer.count(Info.Bytes, Time);
      break;
    case ActivityInfo::None: // A fill.
    case ActivityInfo::Within:
      Within.count(Info.Bytes, Time);
      break;
    case ActivityInfo::Outside: // See PathBytes.h.
      break;
    }
    break;
  case ActivityKind::Wait:
    add(Waits, 1);
    add(WaitNanoseconds, Time);
    break;
  case ActivityKind::Region:
    add(Regions, 1);
    if (whatName(Info) == "target late")
      add(LateRegions, 1);
    break;
  case ActivityKind::Allocation:
    // Reservations are addresses only, and memory given back was counted when
    // it was taken.
    if (const std::string_view What = whatName(Info);
        What == "allocate" || What == "commit") {
      add(Allocations, 1);
      add(AllocatedBytes, Info.Bytes);
    }
    break;
  }
}

std::string Totals::text() const {
  std::string Text;
  auto Number = [&Text](const char *Name, const Counter &Value) {
    Text += Name + std::to_string(Value.load(std::memory_order_relaxed));
  };
  auto Milliseconds = [&Text](const char *Name, const Counter &Value) {
    char Buffer[40];
    snprintf(Buffer, sizeof(Buffer), "%.3f",
             static_cast<double>(Value.load(std::memory_order_relaxed)) / 1e6);
    Text.append(Name).append(Buffer);
  };
  Number(" launches=", Launches);
  Number(" h2d_copies=", ToDevice.Number);
  Number(" h2d_bytes=", ToDevice.Bytes);
  Number(" d2h_copies=", FromDevice.Number);
  Number(" d2h_bytes=", FromDevice.Bytes);
  Number(" within_copies=", Within.Number);
  Number(" within_bytes=", Within.Bytes);
  Number(" peer_copies=", ToPeer.Number);
  Number(" peer_bytes=", ToPeer.Bytes);
  Number(" allocations=", Allocations);
  Number(" allocated_bytes=", AllocatedBytes);
  Number(" regions=", Regions);
  Number(" late_regions=", LateRegions);
  Number(" graph_kernels=", GraphKernels);
  Number(" waits=", Waits);
  Milliseconds(" wait_ms=", WaitNanoseconds);
  Milliseconds(" launch_ms=", LaunchNanoseconds);
  Milliseconds(" h2d_ms=", ToDevice.Nanoseconds);
  Milliseconds(" d2h_ms=", FromDevice.Nanoseconds);
  return Text;
}

/// Slot 0 is for activities without a device, slot n + 1 for device n. Devices
/// beyond the last slot share it.
constexpr int NumSlots = 1026;
constinit std::atomic<Totals *> Slots[NumSlots] = {};

/// Activities counted so far; tells whether the totals were printed already.
constinit Counter Events{0};
constinit std::mutex PrintMutex;
constinit uint64_t PrintedEvents = 0;

Totals *totals(int Device) {
  const int Index = Device < 0              ? 0
                    : Device < NumSlots - 2 ? Device + 1
                                            : NumSlots - 1;
  std::atomic<Totals *> &Slot = Slots[Index];
  Totals *Existing = Slot.load(std::memory_order_acquire);
  if (Existing)
    return Existing;
  Totals *Fresh = new (std::nothrow) Totals;
  if (!Fresh)
    return nullptr;
  if (Slot.compare_exchange_strong(Existing, Fresh, std::memory_order_acq_rel))
    return Fresh;
  delete Fresh;
  return Existing;
}

} // namespace

void accx::countActivity(const FinishedActivity &Activity) {
  Totals *Where = totals(Activity.Info.Device);
  if (!Where)
    return;
  Where->count(Activity);
  add(Events, 1);
}

void accx::countGraphKernels(int Device, uint64_t Number) {
  if (Totals *Where = Number ? totals(Device) : nullptr)
    add(Where->GraphKernels, Number);
}

void accx::printStats() {
  std::lock_guard Lock(PrintMutex);
  const uint64_t Now = Events.load(std::memory_order_relaxed) + numPathCounts();
  if (Now == PrintedEvents)
    return;
  PrintedEvents = Now;

  std::string Text;
  for (int Index = 0; Index < NumSlots; ++Index) {
    const Totals *Device = Slots[Index].load(std::memory_order_acquire);
    if (!Device)
      continue;
    Text += "accx stats: ";
    Text += Index == 0 ? std::string("no device")
                       : "device " + std::to_string(Index - 1);
    Text += ":" + Device->text() + peerBytesText(Index - 1) + "\n";
  }
  Text += pathBytesText();
  writeBytes(STDERR_FILENO, Text.data(), Text.size());
}
