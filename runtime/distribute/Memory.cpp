//===- Memory.cpp - Device memory of spread arrays ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device address has the low bits of its host address, so that what is
// aligned on the host is on the device. As in the directory's windows (see
// DirectoryOptions::HeaderBytes) an array right behind the header of the C
// library's allocator begins on a page instead.
//
//===----------------------------------------------------------------------===//

#include "distribute/Memory.h"

#include "device/AsyncQueue.h"
#include "image/Registry.h"
#include "mapping/Phases.h"
#include "report/Report.h"

#include <algorithm>

using namespace accx;

namespace {

/// The low bits that are kept.
constexpr size_t KeptUnit = 4096;
constexpr size_t HeaderBytes = 16;
/// The queue of each device for copies of spread arrays.
constexpr int64_t CopyQueue = asyncScope::None + 1;
/// Less than so much to copy is not worth a second thread.
constexpr size_t ThreadBytes = size_t(1) << 20;

size_t leadOf(uintptr_t Host) {
  const size_t Low = Host % KeptUnit;
  return Low == HeaderBytes ? 0 : Low;
}

/// The unit of parts of \p Devices; 0 if they have no common memory.
size_t commonPage(const std::vector<Device *> &Devices) {
  size_t Page = 0;
  for (const Device *D : Devices) {
    if (&D->plugin() != &Devices.front()->plugin() || !D->plugin().spreads() ||
        D->info().spread_granularity == 0)
      return 0;
    Page = std::max<size_t>(Page, D->info().spread_granularity);
  }
  return Page;
}

/// "0, 1 and 2"
std::string numbersOf(const std::vector<Device *> &Devices) {
  std::string Text;
  for (size_t I = 0; I < Devices.size(); ++I)
    Text += (I == 0                   ? ""
             : I + 1 < Devices.size() ? ", "
                                      : " and ") +
            std::to_string(Devices[I]->id());
  return Text;
}

/// Names the first device that has less free than it is to hold.
std::string shortDevice(const std::vector<Device *> &Devices,
                        const std::vector<uint64_t> &Needs) {
  for (size_t I = 0; I < Devices.size(); ++I) {
    uint64_t Free = 0, Total = 0;
    const Device &D = *Devices[I];
    if (D.plugin().api().memory_info(D.handle(), &Free, &Total) == ACCX_OK &&
        Free < Needs[I])
      return "device " + std::to_string(D.id()) + " has " +
             std::to_string(Free) + " bytes free and is to hold " +
             std::to_string(Needs[I]);
  }
  return "";
}

} // namespace

Status SpreadMemory::allocateOn(size_t Index, size_t Lead, size_t Bytes) {
  Device &D = *Devices[Index];
  auto Block = withMemory(D, Holding::Nothing, [&] {
    return D.allocate(Lead + Bytes, ACCX_MEMORY_DEVICE);
  });
  if (!Block.ok())
    return Block.takeStatus().within("device " + std::to_string(D.id()));
  Blocks.push_back(*Block);
  Addresses.push_back(reinterpret_cast<uintptr_t>(*Block) + Lead);
  return Status();
}

/// Unsupported: there is none.
Status SpreadMemory::allocateCommon(size_t Lead, size_t Page) {
  const size_t Size = (Lead + Host.size() + Page - 1) & ~(Page - 1);
  if (Size < Host.size())
    return Status(ErrorCode::OutOfMemory, "it is too long");
  Parts = cutParts({Host.size(), Lead, Page,
                    static_cast<unsigned>(Devices.size()), BlockBytes});
  std::vector<accx_spread_part> Pages;
  std::vector<uint64_t> Needs(Devices.size());
  size_t Begin = 0;
  for (const SpreadPart &P : Parts) {
    const size_t End = &P == &Parts.back() ? Size : Lead + P.End;
    Pages.push_back({End - Begin, P.Owner, 0});
    Needs[P.Owner] += End - Begin;
    Begin = End;
  }
  Device &First = *Devices.front();
  std::vector<accx_device> Handles;
  Handles.reserve(Devices.size());
  for (const Device *D : Devices)
    Handles.push_back(D->handle());
  auto Try = [&] { return First.plugin().spreadAlloc(Handles, Pages, Size); };
  auto Block = Try();
  if (!Block.ok()) {
    Status S = Block.takeStatus();
    if (S.code() != ErrorCode::OutOfMemory)
      return S;
    for (Device *D : Devices)
      releaseIdleMemory(*D, Holding::Nothing);
    Block = Try();
  }
  if (!Block.ok()) {
    Status S = Block.takeStatus();
    const std::string Short = S.code() == ErrorCode::OutOfMemory
                                  ? shortDevice(Devices, Needs)
                                  : std::string();
    return Short.empty() ? std::move(S) : std::move(S).within(Short);
  }
  IsCommon = true;
  Blocks = {*Block};
  Addresses = {reinterpret_cast<uintptr_t>(*Block) + Lead};
  return Status();
}

Status SpreadMemory::allocate() {
  const size_t Lead = leadOf(Host.Begin);
  OnHost = std::all_of(Devices.begin(), Devices.end(), [](const Device *D) {
    return Registry::get().sharesMemory(*D);
  });
  if (OnHost) {
    const size_t Page = std::max<size_t>(commonPage(Devices), KeptUnit);
    Parts = cutParts({Host.size(), Host.Begin % Page, Page,
                      static_cast<unsigned>(Devices.size()), BlockBytes});
    if (Replicated)
      Parts = {{Host.size(), 0}};
    Addresses.assign(Replicated ? Devices.size() : 1, Host.Begin);
    return Status();
  }
  if (Replicated) {
    Parts = {{Host.size(), 0}};
    for (size_t I = 0; I < Devices.size(); ++I)
      if (Status S = allocateOn(I, Lead, Host.size()); S.failed()) {
        release();
        return S;
      }
    return Status();
  }
  if (Devices.size() > 1) {
    const size_t Page = commonPage(Devices);
    Status S =
        Page ? allocateCommon(Lead, Page)
             : Status(ErrorCode::Unsupported, "they have no common addresses");
    if (S.ok() || S.code() != ErrorCode::Unsupported)
      return S;
    static std::atomic<bool> Told{false};
    if (!Told.exchange(true))
      message("%s: spread(%s): devices %s share no memory: %s; such arrays are "
              "on the first device alone",
              Place.c_str(), Variable.c_str(), numbersOf(Devices).c_str(),
              S.text().c_str());
    Devices.resize(1);
  }
  Parts = {{Host.size(), 0}};
  return allocateOn(0, Lead, Host.size());
}

uintptr_t SpreadArray::roomForCopy(size_t Index) const {
  constexpr uint64_t Share = 4;
  Device &D = *Devices[Index];
  std::lock_guard Lock(RoomMutex);
  Rooms.resize(Devices.size());
  Room &R = Rooms[Index];
  if (!std::exchange(R.Asked, true)) {
    uint64_t Free = 0, Total = 0;
    if (D.plugin().api().memory_info(D.handle(), &Free, &Total) == ACCX_OK &&
        Host.size() <= Free / Share)
      if (auto Block = D.allocate(Host.size(), ACCX_MEMORY_DEVICE); Block.ok())
        R.Block = *Block;
  }
  return reinterpret_cast<uintptr_t>(R.Block);
}

void SpreadMemory::release() {
  // A device that is lost takes nothing back; the program has been told.
  for (size_t I = 0; I < Blocks.size(); ++I)
    if (IsCommon)
      (void)Devices.front()->plugin().spreadFree(Devices.front()->handle(),
                                                 Blocks[I]);
    else
      (void)Devices[I]->release(Blocks[I], ACCX_MEMORY_DEVICE);
  Blocks.clear();
  for (size_t I = 0; I < Rooms.size(); ++I)
    if (Rooms[I].Block)
      (void)Devices[I]->release(Rooms[I].Block, ACCX_MEMORY_DEVICE);
  Rooms.clear();
}

Status SpreadMemory::copyParts(accx_direction Direction, const void *Name) {
  std::vector<AsyncQueue *> Queues;
  Status First;
  auto Note = [&](size_t Owner, Status S) {
    if (S.failed() && First.ok())
      First =
          std::move(S).within("device " + std::to_string(Devices[Owner]->id()));
  };
  const bool Threads = Host.size() >= ThreadBytes;
  for (size_t I = 0; I < Devices.size(); ++I) {
    Device &D = *Devices[I];
    const std::vector<SpreadRun> Runs =
        Replicated ? std::vector<SpreadRun>{{0, Host.size(), 1, Host.size()}}
                   : runsOf(Parts, static_cast<unsigned>(I));
    Queues.push_back(nullptr);
    if (Runs.empty())
      continue;
    const bool AtOnce =
        !Threads && D.info().features & ACCX_FEATURE_SYNCHRONOUS;
    if (!AtOnce) {
      auto Queue = D.asyncQueue(CopyQueue);
      if (!Queue.ok()) {
        Note(I, Queue.takeStatus());
        break;
      }
      Queues.back() = *Queue;
      Queues.back()->Order.lock();
    }
    const accx_queue On = AtOnce ? nullptr : Queues.back()->handle();
    Status S;
    for (const SpreadRun &R : Runs) {
      auto *OnHost = reinterpret_cast<char *>(Host.Begin + R.Offset);
      auto *OnDevice = reinterpret_cast<char *>(deviceAddress(I) + R.Offset);
      const bool In = Direction == ACCX_TO_DEVICE;
      S = D.copy(On,
                 {Direction, In ? OnDevice : OnHost, In ? OnHost : OnDevice,
                  R.Width, R.Count, R.Pitch, R.Pitch, nullptr},
                 Name);
      if (S.failed())
        break;
    }
    if (!AtOnce)
      Queues.back()->Order.unlock();
    Note(I, std::move(S));
  }
  for (size_t I = 0; I < Queues.size(); ++I)
    if (Queues[I])
      Note(I, Queues[I]->wait().Result);
  return First;
}

Status SpreadMemory::copyIn(const void *Name) {
  return OnHost ? Status() : copyParts(ACCX_TO_DEVICE, Name);
}

Status SpreadMemory::copyBack(const void *Name) {
  return OnHost || Replicated ? Status() : copyParts(ACCX_FROM_DEVICE, Name);
}
