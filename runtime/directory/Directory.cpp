//===- Directory.cpp - The mapping directory of one device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions, the end of plans and pins, and permanent entries.
//
//===----------------------------------------------------------------------===//

#include "directory/Impl.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace accx {

std::string describe(HostRange R) {
  char Text[80];
  std::snprintf(Text, sizeof(Text), "host range 0x%" PRIxPTR " (%zu bytes)",
                R.Begin, R.size());
  return Text;
}

/// Keeps \p N, whose bytes \p P copies, from moving and from being freed.
void Directory::Impl::hold(Plan &P, Node *N) {
  if (!P.Held.empty() && P.Held.back() == N)
    return;
  ++N->Pins;
  ++Entries.Pins;
  ++N->Holds;
  ++Entries.Holds;
  P.Held.push_back(N);
}

void Directory::Impl::unpin(Node *N) {
  --Entries.Pins;
  if (--N->Pins == 0 && N->Gone && !N->Busy) {
    Entries.Departed.remove(N);
    Homes.leave(N);
    Entries.destroy(N);
  }
}

void Directory::Impl::retire(Node *N) {
  N->Leaving = false;
  N->Gone = true;
  if (N->Pins)
    return;
  Entries.Departed.remove(N);
  Homes.leave(N);
  Entries.destroy(N);
}

void Directory::Impl::settle(Plan &P) {
  for (Entry *E : P.Busy) {
    Entries.clearBusy(nodeOf(E));
    if (E->Gone)
      retire(nodeOf(E));
  }
  for (Entry *E : P.Leaving) {
    Entries.clearBusy(nodeOf(E));
    retire(nodeOf(E));
  }
  for (Entry *E : P.Held) {
    --nodeOf(E)->Holds;
    --Entries.Holds;
    unpin(nodeOf(E));
  }
  for (uintptr_t Memory : P.Freed)
    Homes.release(Memory);
  P.clear();
}

/// Takes a permanent entry out.
void Directory::Impl::remove(Node *N) {
  Entries.unlink(N);
  Homes.depart(N);
  if (!N->Where)
    Homes.removeStranger(N);
  Gaps.clear();
  Entries.Live.gaps(N->Host, [&](HostRange R) { Gaps.push_back(R); });
  for (HostRange R : Gaps)
    pruneShadows(R);
  Gaps.clear();
  N->Gone = true;
  Entries.Departed.insert(N);
  if (!N->Busy)
    retire(N);
}

Status Directory::Impl::associate(HostRange R, uintptr_t Device,
                                  const void *Name, bool Associated) {
  if (R.empty())
    return Status(ErrorCode::Invalid, describe(R) + " is empty");
  uintptr_t Delta = Device - R.Begin;
  const Node *Other = nullptr, *Clash = nullptr;
  Entries.Live.walk(
      R, [&](Node *N, HostRange) { (N->Delta == Delta ? Other : Clash) = N; },
      [](HostRange) {});
  if (Clash)
    return Status(ErrorCode::Extension, describe(R) + " overlaps " +
                                            describe(Clash->Host) +
                                            ", which is mapped elsewhere");
  if (Entries.exact(R))
    return Status();
  Node *N = Entries.create();
  N->Host = R;
  N->Base = R.Begin;
  N->Name = Name;
  N->Permanent = true;
  N->Associated = Associated;
  N->Delta = Delta;
  Entries.link(N);
  if (Other)
    Homes.join(N, Other);
  if (!N->Where)
    Homes.addStranger(N);
  return Status();
}

Directory::Impl::Impl(DeviceMemory &Memory, DirectoryOptions Options)
    : Options(Options), Homes(Memory, Options, Entries, Attached) {}

Directory::Directory(DeviceMemory &Memory, DirectoryOptions Options)
    : I(new Impl(Memory, Options)) {}

Directory::~Directory() = default;

Outcome Directory::enter(std::span<EnterItem> Items, Plan &P, Status &Error,
                         size_t &FailedItem) {
  return I->enter(Items, P, Error, FailedItem);
}

bool Directory::enterPresent(std::span<EnterItem> Items) {
  return I->enterPresent(Items);
}

Outcome Directory::exit(std::span<ExitItem> Items, Plan &P, Status &Error,
                        size_t &FailedItem) {
  return I->exit(Items, P, Error, FailedItem);
}

Outcome Directory::update(std::span<UpdateItem> Items, Plan &P, Status &Error,
                          size_t &FailedItem) {
  return I->update(Items, P, Error, FailedItem);
}

bool Directory::exitBeside(std::span<ExitItem> Items,
                           std::span<const Entry *const> Held) {
  return I->exitBeside(Items, Held);
}

void Directory::settle(Plan &P) { I->settle(P); }

void Directory::unpin(Entry *E) { I->unpin(nodeOf(E)); }

Entry *Directory::find(HostRange R) const { return I->Entries.resolve(R); }

bool Directory::touches(HostRange R) const {
  return I->Entries.Live.overlaps(R) || I->Entries.Departed.overlaps(R);
}

bool Directory::covered(HostRange R) const { return I->Entries.Live.covers(R); }

Status Directory::associate(HostRange R, uintptr_t Device, const void *Name,
                            bool Associated) {
  return I->associate(R, Device, Name, Associated);
}

Status Directory::disassociate(uintptr_t Begin) {
  Node *Found = nullptr;
  I->Entries.Live.forEachOverlap({Begin, Begin + 1}, [&](Node *N) {
    if (N->Host.Begin == Begin && N->Associated)
      Found = N;
    return !Found;
  });
  if (!Found) {
    char Text[64];
    std::snprintf(Text, sizeof(Text), "nothing is associated with 0x%" PRIxPTR,
                  Begin);
    return Status(ErrorCode::Invalid, Text);
  }
  I->remove(Found);
  return Status();
}

void Directory::forget(HostRange R) {
  if (Node *N = R.empty() ? nullptr : I->Entries.exact(R); N && N->Permanent)
    I->remove(N);
}

/// A copy that is never destroyed: one for each text.
static const char *copyOf(const char *Text) {
  static std::mutex &Mutex = *new std::mutex;
  static std::set<std::string> &Copies = *new std::set<std::string>;
  std::lock_guard Lock(Mutex);
  return Copies.emplace(Text).first->c_str();
}

void Directory::keepTexts(HostRange Object) {
  auto LiesThere = [&](const void *Text) {
    const auto Address = reinterpret_cast<uintptr_t>(Text);
    return Object.Begin <= Address && Address < Object.End;
  };
  auto Keep = [&](Node *N) {
    if (LiesThere(N->Name))
      N->Name = copyOf(static_cast<const char *>(N->Name));
    if (LiesThere(N->Place))
      N->Place = copyOf(N->Place);
    return true;
  };
  I->Entries.Live.forEachOverlap({0, ~uintptr_t(0)}, Keep);
  I->Entries.Departed.forEachOverlap({0, ~uintptr_t(0)}, Keep);
}

uint64_t Directory::trim() { return I->Homes.trim(); }

DirectoryStats Directory::stats() const {
  DirectoryStats S;
  S.Entries = I->Entries.Live.size();
  S.MappedBytes = I->Entries.MappedBytes;
  I->Homes.addStats(S);
  return S;
}

const Entry *Directory::entryAt(uintptr_t Device, size_t Size) const {
  return I->Homes.entryAt({Device, Device + Size});
}

std::vector<const Entry *> Directory::entries() const {
  std::vector<const Entry *> All;
  All.reserve(I->Entries.Live.size());
  I->Entries.Live.forEachOverlap({0, ~uintptr_t(0)}, [&](Node *N) {
    All.push_back(N);
    return true;
  });
  std::sort(All.begin(), All.end(), [](const Entry *A, const Entry *B) {
    return A->Host.Begin != B->Host.Begin ? A->Host.Begin < B->Host.Begin
                                          : A->Host.End < B->Host.End;
  });
  return All;
}

} // namespace accx
