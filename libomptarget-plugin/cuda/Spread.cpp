//===- Spread.cpp - Memory of several GPUs at one address -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spread.h.
//
//===----------------------------------------------------------------------===//

#include "Spread.h"

#include "Device.h"
#include "Memory.h"
#include "Windows.h"

#include <algorithm>

using namespace accx;
using namespace accx::cuda;

namespace {

/// One device for each GPU.
std::vector<Device *> gpusOf(std::span<Device *const> Devices) {
  std::vector<Device *> Gpus;
  for (Device *D : Devices)
    if (std::none_of(Gpus.begin(), Gpus.end(),
                     [&](const Device *G) { return G->sharesGpu(*D); }))
      Gpus.push_back(D);
  return Gpus;
}

/// The unit of parts; 0 if a device has none.
size_t pageOf(std::span<Device *const> Devices) {
  size_t Page = 0;
  for (const Device *D : Devices) {
    if (!D->Props.Granularity)
      return 0;
    Page = std::max(Page, D->Props.Granularity);
  }
  return Page;
}

accx_status checkParts(std::span<Device *const> Devices,
                       std::span<const accx_spread_part> Parts, size_t Size,
                       size_t Page) {
  uint64_t Sum = 0;
  for (const accx_spread_part &P : Parts) {
    if (P.owner >= Devices.size() || P.bytes == 0 || P.bytes % Page ||
        P.bytes > Size - Sum)
      return fail(ACCX_ERROR_INVALID, "part of %llu bytes for device %u of %zu",
                  static_cast<unsigned long long>(P.bytes), P.owner,
                  Devices.size());
    Sum += P.bytes;
  }
  if (Sum == 0 || Sum != Size)
    return fail(ACCX_ERROR_INVALID, "parts of %llu bytes for a range of %zu",
                static_cast<unsigned long long>(Sum), Size);
  return ACCX_OK;
}

/// Whether each GPU reaches the memory of all others.
accx_status checkReach(const std::vector<Device *> &Gpus) {
  for (const Device *From : Gpus)
    for (const Device *To : Gpus) {
      int Can = 0;
      if (From == To)
        continue;
      if (CUresult R = Cu.DeviceCanAccessPeer(&Can, From->Handle, To->Handle))
        return driverFailure(R, "access of CUDA device %u to %u", From->Ordinal,
                             To->Ordinal);
      if (!Can)
        return fail(ACCX_ERROR_UNSUPPORTED,
                    "CUDA device %u does not reach the memory of %u",
                    From->Ordinal, To->Ordinal);
    }
  return ACCX_OK;
}

accx_status grant(const std::vector<Device *> &Gpus, CUdeviceptr Base,
                  size_t Size) {
  std::vector<CUmemAccessDesc> Who;
  Who.reserve(Gpus.size());
  for (const Device *D : Gpus)
    Who.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, D->Handle},
                   CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  if (CUresult R = Cu.MemSetAccess(Base, Size, Who.data(), Who.size()))
    return Gpus.front()->failure(R, "access to %zu bytes of %zu GPUs", Size,
                                 Gpus.size());
  return ACCX_OK;
}

} // namespace

/// After a lost context this fails; the memory went with it.
void SpreadRanges::unmap(CUdeviceptr Base, const Range &R) {
  NumFrees.fetch_add(1, std::memory_order_relaxed);
  for (CUdeviceptr At = Base; size_t Bytes : R.Mapped) {
    Cu.MemUnmap(At, Bytes);
    At += Bytes;
  }
  Cu.MemAddressFree(Base, R.Size);
}

accx_status SpreadRanges::mapParts(std::span<Device *const> Devices,
                                   std::span<const accx_spread_part> Parts,
                                   CUdeviceptr Base, Range &R) {
  CUdeviceptr At = Base;
  for (size_t I = 0; I < Parts.size();) {
    Device &Owner = *Devices[Parts[I].owner];
    size_t Bytes = 0;
    for (; I < Parts.size() && Devices[Parts[I].owner]->sharesGpu(Owner); ++I)
      Bytes += Parts[I].bytes;
    const CUmemAllocationProp Prop = Windows::property(Owner.Handle, false);
    CUmemHandle Memory = 0;
    if (CUresult Result = Cu.MemCreate(&Memory, Bytes, &Prop, 0))
      return Owner.failure(Result,
                           "part of %zu bytes of a spread array on "
                           "CUDA device %u",
                           Bytes, Owner.Ordinal);
    const CUresult Result = Cu.MemMap(At, Bytes, 0, Memory, 0);
    // What is mapped stays until it is unmapped.
    Cu.MemRelease(Memory);
    if (Result)
      return Owner.failure(Result, "mapping of %zu bytes of CUDA device %u",
                           Bytes, Owner.Ordinal);
    R.Mapped.push_back(Bytes);
    At += Bytes;
  }
  return ACCX_OK;
}

accx_status SpreadRanges::allocate(std::span<Device *const> Devices,
                                   std::span<const accx_spread_part> Parts,
                                   size_t Size, void **Address) {
  const size_t Page = pageOf(Devices);
  if (!Page)
    return fail(ACCX_ERROR_UNSUPPORTED, "a device has no virtual memory");
  if (accx_status S = checkParts(Devices, Parts, Size, Page))
    return S;
  const std::vector<Device *> Gpus = gpusOf(Devices);
  if (accx_status S = checkReach(Gpus))
    return S;
  for (Device *D : Devices)
    if (accx_status S = D->activate())
      return S;
  Device &First = *Devices.front();
  Entered In(First);
  Range R;
  R.Size = Size;
  for (const Device *D : Gpus)
    R.Gpus.push_back(D->Handle);
  CUdeviceptr Base = 0;
  if (CUresult Result = Cu.MemAddressReserve(&Base, Size, Page, 0, 0))
    return First.failure(Result, "reservation of %zu bytes of addresses", Size);
  accx_status S = mapParts(Devices, Parts, Base, R);
  if (S == ACCX_OK)
    S = grant(Gpus, Base, Size);
  if (S != ACCX_OK) {
    unmap(Base, R);
    return S;
  }
  std::lock_guard Guard(Lock);
  Ranges.emplace(Base, std::move(R));
  *Address = reinterpret_cast<void *>(Base);
  return ACCX_OK;
}

accx_status SpreadRanges::release(Device &First, void *Address) {
  const auto Base = reinterpret_cast<CUdeviceptr>(Address);
  Entered In(First);
  if (accx_status S = In.status())
    return S;
  Range R;
  {
    std::lock_guard Guard(Lock);
    auto It = Ranges.find(Base);
    if (It == Ranges.end())
      return fail(ACCX_ERROR_INVALID, "%p is no spread memory", Address);
    R = std::move(It->second);
    Ranges.erase(It);
  }
  unmap(Base, R);
  return ACCX_OK;
}

bool SpreadRanges::holds(const Device &D, const void *Address, size_t Size) {
  const auto Begin = reinterpret_cast<CUdeviceptr>(Address);
  std::lock_guard Guard(Lock);
  auto It = Ranges.upper_bound(Begin);
  if (It == Ranges.begin())
    return false;
  --It;
  const Range &R = It->second;
  const size_t In = Begin - It->first;
  return In < R.Size && Size <= R.Size - In &&
         std::find(R.Gpus.begin(), R.Gpus.end(), D.Handle) != R.Gpus.end();
}
