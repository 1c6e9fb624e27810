//===- AccUnified.cpp - OpenARC's routines for unified memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Table I of the paper on OpenARC: memory that host and devices use at one
// address. It is associated with itself on every device that reaches it, so
// data clauses and routines find it present and copy nothing. Where there is
// none the routines give host memory, and the program's data clauses do what
// they say.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "device/DeviceList.h"
#include "mapping/Phases.h"
#include "report/Ompt.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

using namespace accx;
using acc::Routine;

namespace {

struct Allocation {
  size_t Bytes;
  Device *Owner; ///< Null: malloc'd.
};

struct Allocations {
  std::mutex Mutex;
  std::map<uintptr_t, Allocation> Of;
};

/// Never destroyed: threads of the program may go on while it exits.
Allocations &allocations() {
  static auto *const All = new Allocations;
  return *All;
}

uintptr_t address(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer);
}

/// Whether all bytes lie in memory of these routines that devices share.
bool isUnified(const void *Data, size_t Bytes) {
  Allocations &All = allocations();
  std::lock_guard Lock(All.Mutex);
  auto It = All.Of.upper_bound(address(Data));
  if (It == All.Of.begin())
    return false;
  --It;
  return It->second.Owner && address(Data) - It->first < It->second.Bytes &&
         Bytes <= It->second.Bytes - (address(Data) - It->first);
}

/// Calls \p Visit for the devices that reach memory of \p Owner.
template <typename Fn> void forEachOf(const Device &Owner, Fn Visit) {
  for (int I = 0; I < DeviceList::get().count(); ++I)
    if (Device *D = DeviceList::get().find(I); &D->plugin() == &Owner.plugin())
      Visit(*D);
}

/// Null without such memory.
void *allocateShared(const Routine &Self, Device &D, size_t Bytes) {
  auto Memory = withMemory(D, Holding::Nothing, [&] {
    return D.allocate(Bytes, ACCX_MEMORY_SHARED);
  });
  if (!Memory.ok())
    return nullptr;
  const uintptr_t Begin = address(*Memory);
  forEachOf(D, [&](Device &Other) {
    if (Other.unified())
      return;
    std::lock_guard Lock(Other.MapMutex);
    acc::check(Self, Other.Maps.associate({Begin, Begin + Bytes}, Begin,
                                          Self.Name, /*Associated=*/true));
  });
  Allocations &All = allocations();
  std::lock_guard Lock(All.Mutex);
  All.Of[Begin] = {Bytes, &D};
  return *Memory;
}

/// Unified memory; without it \p Data, or host memory if that is null.
void *create(const Routine &Self, void *Data, size_t Bytes) {
  if (Bytes == 0)
    return Data;
  if (Device *D = acc::currentDevice(Self))
    if (void *Shared = allocateShared(Self, *D, Bytes))
      return Shared;
  if (Data)
    return Data;
  void *Host = std::malloc(Bytes);
  if (!Host)
    acc::fail(Self, "there is no memory for %zu bytes", Bytes);
  return Host;
}

/// Memory with a copy of \p Data.
void *copyIn(const Routine &Self, void *Data, size_t Bytes) {
  if (Bytes == 0)
    return Data;
  void *New = create(Self, nullptr, Bytes);
  if (Data)
    std::memcpy(New, Data, Bytes);
  return New;
}

} // namespace

ACCX_ABI void *acc_create_unified(void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_create_unified);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return create(Self, Data, Bytes);
}

ACCX_ABI void *acc_pcreate_unified(void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_pcreate_unified);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return isUnified(Data, Bytes) ? Data : create(Self, Data, Bytes);
}

ACCX_ABI void *acc_copyin_unified(void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_copyin_unified);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return copyIn(Self, Data, Bytes);
}

ACCX_ABI void *acc_pcopyin_unified(void *Data, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_pcopyin_unified);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return isUnified(Data, Bytes) ? Data : copyIn(Self, Data, Bytes);
}

ACCX_ABI void acc_delete_unified(void *Data, size_t) noexcept {
  ACCX_ROUTINE(acc_delete_unified);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!Data)
    return;
  Device *Owner = nullptr;
  {
    Allocations &All = allocations();
    std::lock_guard Lock(All.Mutex);
    if (auto It = All.Of.find(address(Data)); It != All.Of.end()) {
      Owner = It->second.Owner;
      All.Of.erase(It);
    }
  }
  if (!Owner)
    return std::free(Data);
  forEachOf(*Owner, [&](Device &D) {
    // Queued work may still use it.
    if (D.hasAsyncQueues())
      acc::waitForQueues(D);
    if (D.unified())
      return;
    std::lock_guard Lock(D.MapMutex);
    acc::check(Self, D.Maps.disassociate(address(Data)));
  });
  acc::check(Self, Owner->release(Data, ACCX_MEMORY_SHARED));
}
