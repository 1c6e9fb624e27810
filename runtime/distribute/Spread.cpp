//===- Spread.cpp - Arrays that lie on several devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry, and what entering and leaving does.
//
//===----------------------------------------------------------------------===//

#include "distribute/Spread.h"

#include "distribute/Memory.h"
#include "report/Source.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>

using namespace accx;

constinit std::atomic<unsigned> accx::detail::NumSpread{0};
constinit std::atomic<unsigned> accx::detail::NumReplicated{0};

namespace {

struct Spread {
  std::shared_ptr<SpreadMemory> Array;
  uint64_t Count = 1;
};

struct SpreadRegistry {
  /// One enter or exit at a time; each may take long.
  std::mutex Changing;
  /// Guards the tables.
  std::shared_mutex Mutex;
  std::map<uintptr_t, Spread> ByHost;
  std::map<uintptr_t, std::shared_ptr<SpreadMemory>> ByDevice;
};

/// Never destroyed: threads of the program may go on while it exits.
SpreadRegistry &registry() {
  static auto *const All = new SpreadRegistry;
  return *All;
}

/// The last element of \p Table that begins at or before \p Address; its end if
/// there is none.
template <typename Map> auto atOrBefore(Map &Table, uintptr_t Address) {
  auto It = Table.upper_bound(Address);
  return It == Table.begin() ? Table.end() : std::prev(It);
}

/// An array that overlaps \p R; null if none does. By who may change the table.
Spread *overlapping(HostRange R) {
  auto &Table = registry().ByHost;
  auto It = Table.lower_bound(R.End);
  if (It == Table.begin())
    return nullptr;
  Spread &S = std::prev(It)->second;
  return S.Array->Host.overlaps(R) ? &S : nullptr;
}

std::string bytesAt(HostRange R) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%zu bytes at %p", R.size(),
                reinterpret_cast<void *>(R.Begin));
  return Text;
}

void disassociate(const SpreadArray &A, size_t NumDevices) {
  for (size_t I = 0; I < NumDevices; ++I) {
    Device &D = *A.Devices[I];
    std::lock_guard Lock(D.MapMutex);
    D.Maps.forget(A.Host);
    D.notifyMapChanged();
  }
}

/// Not as omp_target_associate_ptr does it: the program must not end it.
Status associate(const SpreadArray &A, const void *Name) {
  for (size_t I = 0; I < A.Devices.size(); ++I) {
    Device &D = *A.Devices[I];
    std::unique_lock Lock(D.MapMutex);
    Status S = D.Maps.associate(A.Host, A.deviceAddress(I), Name,
                                /*Associated=*/false);
    Lock.unlock();
    if (S.ok())
      continue;
    disassociate(A, I);
    return std::move(S).within("it is in part on device " +
                               std::to_string(D.id()) +
                               " already, end that first");
  }
  return Status();
}

void publish(std::shared_ptr<SpreadMemory> A) {
  SpreadRegistry &All = registry();
  std::unique_lock Lock(All.Mutex);
  for (uintptr_t Address : A->Addresses)
    All.ByDevice[Address] = A;
  detail::NumReplicated.fetch_add(A->Replicated && !A->OnHost);
  detail::NumSpread.fetch_add(1);
  const uintptr_t Begin = A->Host.Begin;
  All.ByHost[Begin] = {std::move(A), 1};
}

void withdraw(const SpreadArray &A) {
  SpreadRegistry &All = registry();
  std::unique_lock Lock(All.Mutex);
  for (uintptr_t Address : A.Addresses)
    All.ByDevice.erase(Address);
  detail::NumReplicated.fetch_sub(A.Replicated && !A.OnHost);
  detail::NumSpread.fetch_sub(1);
  All.ByHost.erase(A.Host.Begin);
}

} // namespace

unsigned SpreadArray::ownerAt(size_t Offset) const {
  auto It = std::upper_bound(
      Parts.begin(), Parts.end(), Offset,
      [](size_t Value, const SpreadPart &P) { return Value < P.End; });
  return It == Parts.end() ? 0 : It->Owner;
}

unsigned SpreadArray::ownerOnDevice(uintptr_t Address) const {
  if (!Replicated)
    return ownerAt(Address - Addresses[0]);
  for (size_t I = 0; I < Addresses.size(); ++I)
    if (Address - Addresses[I] < Host.size())
      return static_cast<unsigned>(I);
  return 0;
}

int SpreadArray::indexOf(const Device &D) const {
  auto It = std::find(Devices.begin(), Devices.end(), &D);
  return It == Devices.end() ? -1 : static_cast<int>(It - Devices.begin());
}

bool SpreadArray::isAllOf(size_t Index) const {
  return std::all_of(Parts.begin(), Parts.end(),
                     [Index](const SpreadPart &P) { return P.Owner == Index; });
}

Status accx::enterSpread(const SpreadRequest &R) {
  if (R.Host.empty())
    return Status();
  SpreadRegistry &All = registry();
  std::lock_guard Changing(All.Changing);
  if (Spread *Old = overlapping(R.Host)) {
    if (Old->Array->Host == R.Host) {
      ++Old->Count;
      return Status();
    }
    return Status(ErrorCode::Invalid, bytesAt(R.Host) + " overlap '" +
                                          Old->Array->Variable + "', " +
                                          bytesAt(Old->Array->Host) +
                                          ", spread at " + Old->Array->Place);
  }
  auto A = std::make_shared<SpreadMemory>();
  A->Host = R.Host;
  A->Devices = R.Devices;
  A->BlockBytes = R.BlockBytes;
  A->Replicated = R.Replicate;
  A->Variable = itemName(R.Name);
  A->Place = R.Place;
  if (Status S = A->allocate(); S.failed())
    return S;
  Status S = A->copyIn(R.Name).within("copying it in failed");
  if (S.ok() && !A->OnHost)
    S = associate(*A, R.Name);
  if (S.failed()) {
    A->release();
    return S;
  }
  publish(std::move(A));
  return Status();
}

Status accx::exitSpread(HostRange Host, const void *Name) {
  if (Host.empty())
    return Status();
  SpreadRegistry &All = registry();
  std::lock_guard Changing(All.Changing);
  Spread *Old = overlapping(Host);
  if (!Old)
    return Status(ErrorCode::NotPresent, "it is not spread");
  if (Old->Array->Host != Host)
    return Status(ErrorCode::Invalid, bytesAt(Host) + " are not all of '" +
                                          Old->Array->Variable + "', " +
                                          bytesAt(Old->Array->Host) +
                                          ", spread at " + Old->Array->Place);
  if (--Old->Count > 0)
    return Status();
  const std::shared_ptr<SpreadMemory> A = Old->Array;
  for (Device *D : A->Devices)
    D->drain();
  Status S = A->copyBack(Name);
  if (S.failed())
    S = std::move(S).within("copying it back failed");
  withdraw(*A);
  if (!A->OnHost)
    disassociate(*A, A->Devices.size());
  A->release();
  if (S.failed())
    return Status(S.code(), S.text() + "; the host's data of '" + A->Variable +
                                "' is incomplete");
  return S;
}

SpreadRef accx::findSpread(uintptr_t HostAddress) {
  if (!anySpread())
    return nullptr;
  SpreadRegistry &All = registry();
  std::shared_lock Lock(All.Mutex);
  auto It = atOrBefore(All.ByHost, HostAddress);
  if (It == All.ByHost.end() || HostAddress >= It->second.Array->Host.End)
    return nullptr;
  return It->second.Array;
}

SpreadRef accx::findSpreadOnDevice(uintptr_t DeviceAddress) {
  if (!anySpread())
    return nullptr;
  SpreadRegistry &All = registry();
  std::shared_lock Lock(All.Mutex);
  auto It = atOrBefore(All.ByDevice, DeviceAddress);
  if (It == All.ByDevice.end() ||
      DeviceAddress - It->first >= It->second->Host.size())
    return nullptr;
  return It->second;
}
