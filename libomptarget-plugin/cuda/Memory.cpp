//===- Memory.cpp - Allocations and pinned memory -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Memory.h.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <algorithm>
#include <map>
#include <shared_mutex>

using namespace accx;
using namespace accx::cuda;

namespace {

/// Allocations from here on can be mapped by other processes.
constexpr size_t SharedBytes = size_t(4) << 20;

/// Pinned memory of allocate(), by begin. Never destroyed: memory may be freed
/// while the process ends.
struct PinnedMemory {
  std::shared_mutex Mutex;
  std::map<uintptr_t, uintptr_t> Ends;

  static PinnedMemory &get() {
    static PinnedMemory &All = *new PinnedMemory;
    return All;
  }
  void add(const void *Begin, size_t Size) {
    const auto At = reinterpret_cast<uintptr_t>(Begin);
    std::lock_guard Lock(Mutex);
    Ends[At] = At + Size;
  }
  void remove(const void *Begin) {
    std::lock_guard Lock(Mutex);
    Ends.erase(reinterpret_cast<uintptr_t>(Begin));
  }
};

accx_status allocateOnDevice(Device &D, size_t Size, void **Address) {
  if (Size >= SharedBytes && D.Props.Exportable &&
      D.Reserved.allocate(Size, Address) == ACCX_OK)
    return ACCX_OK;
  CUdeviceptr Memory = 0;
  if (CUresult R = Cu.MemAlloc(&Memory, Size))
    return D.failure(R, "allocation of %zu bytes", Size);
  *Address = reinterpret_cast<void *>(Memory);
  return ACCX_OK;
}

} // namespace

bool cuda::isOurPinned(const void *Host, size_t Size) {
  PinnedMemory &All = PinnedMemory::get();
  const auto Begin = reinterpret_cast<uintptr_t>(Host);
  std::shared_lock Lock(All.Mutex);
  auto It = All.Ends.upper_bound(Begin);
  return It != All.Ends.begin() && Begin + Size <= (--It)->second;
}

accx_status cuda::allocate(Device &D, size_t Size, accx_memory_kind Kind,
                           void **Address) {
  if (Size == 0)
    return fail(ACCX_ERROR_INVALID, "allocation of 0 bytes");
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  switch (Kind) {
  case ACCX_MEMORY_DEVICE:
    return allocateOnDevice(D, Size, Address);
  case ACCX_MEMORY_HOST:
  case ACCX_MEMORY_SHARED:
    if (CUresult R = Cu.MemHostAlloc(Address, Size,
                                     CU_MEMHOSTALLOC_PORTABLE |
                                         CU_MEMHOSTALLOC_DEVICEMAP))
      return D.failure(R, "allocation of %zu pinned bytes", Size);
    PinnedMemory::get().add(*Address, Size);
    return ACCX_OK;
  }
  return fail(ACCX_ERROR_INVALID, "memory of unknown kind %d", int(Kind));
}

accx_status cuda::release(Device &D, void *Address, accx_memory_kind Kind) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  if (Kind == ACCX_MEMORY_DEVICE && D.Reserved.free(Address))
    return ACCX_OK;
  if (Kind == ACCX_MEMORY_DEVICE)
    NumFrees.fetch_add(1, std::memory_order_relaxed);
  else
    PinnedMemory::get().remove(Address);
  const CUresult R = Kind == ACCX_MEMORY_DEVICE
                         ? Cu.MemFree(reinterpret_cast<CUdeviceptr>(Address))
                         : Cu.MemFreeHost(Address);
  if (R == CUDA_ERROR_INVALID_VALUE)
    return fail(ACCX_ERROR_INVALID, "%p is no memory of this kind", Address);
  // While the process ends the driver takes its memory back by itself.
  if (R != CUDA_SUCCESS && R != CUDA_ERROR_DEINITIALIZED)
    return D.failure(R, "freeing %p", Address);
  return ACCX_OK;
}

accx_status cuda::pin(Device &D, void *Host, size_t Size,
                      void **DeviceAddress) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  if (CUresult R = Cu.MemHostRegister(Host, Size,
                                      CU_MEMHOSTREGISTER_PORTABLE |
                                          CU_MEMHOSTREGISTER_DEVICEMAP))
    return D.failure(R, "pinning %zu bytes at %p", Size, Host);
  CUdeviceptr Address = 0;
  if (CUresult R = Cu.MemHostGetDevicePointer(&Address, Host, 0)) {
    Cu.MemHostUnregister(Host);
    return D.failure(R, "device address of pinned memory at %p", Host);
  }
  if (DeviceAddress)
    *DeviceAddress = reinterpret_cast<void *>(Address);
  return ACCX_OK;
}

accx_status cuda::unpin(Device &D, void *Host) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  if (CUresult R = Cu.MemHostUnregister(Host))
    return D.failure(R, "unpinning %p", Host);
  return ACCX_OK;
}

bool cuda::isPageable(const void *Host, size_t Size) {
  auto IsKnown = [](uintptr_t Address) {
    // This one, unlike the query for a single attribute, calls it no error when
    // the driver does not know the address.
    CUmemorytype Type = {};
    CUpointer_attribute Attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void *Value = &Type;
    return Cu.PointerGetAttributes(1, &Attribute, &Value, Address) ==
               CUDA_SUCCESS &&
           Type != 0;
  };
  const auto Begin = reinterpret_cast<uintptr_t>(Host);
  return !IsKnown(Begin) || !IsKnown(Begin + Size - 1);
}
