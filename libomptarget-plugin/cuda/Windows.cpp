//===- Windows.cpp - Reserved addresses of a GPU --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Windows.h.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "Device.h"
#include "Memory.h"
#include "Sharing.h"

#include <algorithm>

using namespace accx;
using namespace accx::cuda;

/// Memory of a chunk can only be given back as a whole: a bound on what one
/// page in use may hold on to.
static constexpr size_t MaxChunkBytes = size_t(128) << 20;

static CUdeviceptr toInt(const void *Address) {
  return reinterpret_cast<CUdeviceptr>(Address);
}

CUmemAllocationProp Windows::property(CUdevice Device, bool Exportable) {
  CUmemAllocationProp Prop = {};
  Prop.Type = CU_MEM_ALLOCATION_TYPE_PINNED;
  if (Exportable)
    Prop.RequestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  Prop.Location = {CU_MEM_LOCATION_TYPE_DEVICE, Device};
  return Prop;
}

accx_status Windows::checkRange(const char *What, const void *Address,
                                size_t Size, Range &R) const {
  const size_t Page = D.Props.Granularity;
  if (!Page)
    return fail(ACCX_ERROR_UNSUPPORTED, "%s: this device has no windows", What);
  R.Begin = toInt(Address);
  if (Size == 0 || Size % Page || R.Begin % Page ||
      __builtin_add_overflow(R.Begin, Size, &R.End))
    return fail(ACCX_ERROR_INVALID,
                "%s of %zu bytes at %p: both must be multiples of %zu", What,
                Size, Address, Page);
  return ACCX_OK;
}

accx_status Windows::reserve(size_t Size, void *Hint, void **Address) {
  Range R;
  if (accx_status S = checkRange("reservation", Hint, Size, R))
    return S;
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  CUdeviceptr Base = 0;
  CUresult Result =
      Cu.MemAddressReserve(&Base, Size, D.Props.Granularity, R.Begin, 0);
  if (Result != CUDA_SUCCESS && Hint)
    Result = Cu.MemAddressReserve(&Base, Size, D.Props.Granularity, 0, 0);
  if (Result != CUDA_SUCCESS)
    return D.failure(Result, "reservation of %zu bytes of addresses", Size);
  std::lock_guard Guard(Lock);
  Reserved[Base].End = Base + Size;
  *Address = reinterpret_cast<void *>(Base);
  return ACCX_OK;
}

accx_status Windows::release(void *Address, size_t Size) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  std::lock_guard Guard(Lock);
  auto It = Reserved.find(toInt(Address));
  if (It == Reserved.end() || It->second.End - It->first != Size)
    return fail(ACCX_ERROR_INVALID,
                "%zu bytes at %p are no reservation of this device", Size,
                Address);
  for (auto &[Begin, C] : It->second.Chunks)
    unmap(Begin, C);
  Reserved.erase(It);
  if (CUresult R = Cu.MemAddressFree(toInt(Address), Size))
    return D.failure(R, "release of %zu bytes of addresses", Size);
  return ACCX_OK;
}

Windows::Window *Windows::find(Range R) {
  auto It = Reserved.upper_bound(R.Begin);
  if (It == Reserved.begin())
    return nullptr;
  --It;
  return R.End <= It->second.End ? &It->second : nullptr;
}

std::map<CUdeviceptr, Windows::Chunk>::iterator
Windows::chunkAt(Window &W, CUdeviceptr Address) {
  auto It = W.Chunks.upper_bound(Address);
  if (It == W.Chunks.begin())
    return W.Chunks.end();
  --It;
  return Address < It->second.End ? It : W.Chunks.end();
}

bool Windows::anyLive(Window &W, Range R) const {
  const size_t Page = D.Props.Granularity;
  for (CUdeviceptr P = R.Begin; P < R.End; P += Page)
    if (auto It = chunkAt(W, P); It != W.Chunks.end())
      if (It->second.Live[(P - It->first) / Page])
        return true;
  return false;
}

bool Windows::allLive(Window &W, Range R) const {
  const size_t Page = D.Props.Granularity;
  for (CUdeviceptr P = R.Begin; P < R.End; P += Page) {
    auto It = chunkAt(W, P);
    if (It == W.Chunks.end() || !It->second.Live[(P - It->first) / Page])
      return false;
  }
  return true;
}

void Windows::setLive(Chunk &C, CUdeviceptr ChunkBegin, Range R,
                      bool Live) const {
  const size_t Page = D.Props.Granularity;
  for (CUdeviceptr P = R.Begin; P < R.End; P += Page)
    C.Live[(P - ChunkBegin) / Page] = Live;
  const size_t Pages = (R.End - R.Begin) / Page;
  C.NumLive = Live ? C.NumLive + Pages : C.NumLive - Pages;
}

accx_status Windows::access(CUdeviceptr Begin, CUdeviceptr End) {
  std::vector<CUmemAccessDesc> Who;
  auto Add = [&](CUdevice Device) {
    Who.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, Device},
                   CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  };
  Add(D.Handle);
  for (CUdevice Peer : Peers)
    Add(Peer);
  if (CUresult R = Cu.MemSetAccess(Begin, End - Begin, Who.data(), Who.size()))
    return D.failure(R, "access to %llu committed bytes",
                     static_cast<unsigned long long>(End - Begin));
  return ACCX_OK;
}

CUresult Windows::createMemory(CUmemHandle &Memory, size_t Size,
                               bool &Exportable) {
  auto Create = [&] {
    const CUmemAllocationProp Prop = property(D.Handle, Exportable);
    return Cu.MemCreate(&Memory, Size, &Prop, 0);
  };
  Exportable = D.Props.Exportable && !RefusesExport;
  const CUresult Result = Create();
  if (!Exportable || Result == CUDA_SUCCESS ||
      Result == CUDA_ERROR_OUT_OF_MEMORY || isSticky(Result))
    return Result;
  Exportable = false;
  const CUresult Plain = Create();
  // What refuses once, a container's rules for one, refuses always.
  RefusesExport = Plain == CUDA_SUCCESS;
  return Plain;
}

accx_status Windows::addChunk(Window &W, Range R) {
  const size_t Size = R.End - R.Begin;
  CUmemHandle Memory = 0;
  bool Exportable = false;
  if (CUresult Result = createMemory(Memory, Size, Exportable))
    return D.failure(Result, "commit of %zu bytes", Size);
  if (CUresult Result = Cu.MemMap(R.Begin, Size, 0, Memory, 0)) {
    Cu.MemRelease(Memory);
    return D.failure(Result, "mapping of %zu committed bytes", Size);
  }
  if (accx_status S = access(R.Begin, R.End)) {
    Cu.MemUnmap(R.Begin, Size);
    Cu.MemRelease(Memory);
    return S;
  }
  const size_t Pages = Size / D.Props.Granularity;
  W.Chunks.emplace(R.Begin, Chunk{R.End, Memory, std::vector<bool>(Pages, true),
                                  Pages, Exportable});
  return ACCX_OK;
}

accx_status Windows::commit(void *Address, size_t Size) {
  Range R;
  if (accx_status S = checkRange("commit", Address, Size, R))
    return S;
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  std::lock_guard Guard(Lock);
  Window *W = find(R);
  if (!W)
    return fail(ACCX_ERROR_INVALID,
                "commit of %zu bytes at %p: not inside one reservation", Size,
                Address);
  if (anyLive(*W, R))
    return fail(ACCX_ERROR_INVALID,
                "commit of %zu bytes at %p: a part has memory already", Size,
                Address);

  const size_t MaxChunk =
      std::max(MaxChunkBytes / D.Props.Granularity, size_t(1)) *
      D.Props.Granularity;
  for (CUdeviceptr P = R.Begin; P < R.End;) {
    auto It = chunkAt(*W, P);
    if (It != W->Chunks.end()) {
      const CUdeviceptr Stop = std::min(R.End, It->second.End);
      setLive(It->second, It->first, {P, Stop}, true);
      P = Stop;
      continue;
    }
    auto Next = W->Chunks.lower_bound(P);
    CUdeviceptr Stop = std::min(R.End, P + MaxChunk);
    if (Next != W->Chunks.end())
      Stop = std::min(Stop, Next->first);
    if (accx_status S = addChunk(*W, {P, Stop})) {
      kill(*W, {R.Begin, P});
      return S;
    }
    P = Stop;
  }
  return ACCX_OK;
}

void Windows::unmap(CUdeviceptr Begin, const Chunk &C) {
  // Other processes keep the memory that they have mapped.
  closeDescriptor(C.Descriptor);
  NumFrees.fetch_add(1, std::memory_order_relaxed);
  // After a lost context these fail; the memory went with it.
  Cu.MemUnmap(Begin, C.End - Begin);
  Cu.MemRelease(C.Memory);
}

void Windows::kill(Window &W, Range R) {
  for (CUdeviceptr P = R.Begin; P < R.End;) {
    auto It = chunkAt(W, P);
    const CUdeviceptr Stop = std::min(R.End, It->second.End);
    setLive(It->second, It->first, {P, Stop}, false);
    if (It->second.NumLive == 0) {
      unmap(It->first, It->second);
      W.Chunks.erase(It);
    }
    P = Stop;
  }
}

accx_status Windows::decommit(void *Address, size_t Size) {
  Range R;
  if (accx_status S = checkRange("decommit", Address, Size, R))
    return S;
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  std::lock_guard Guard(Lock);
  Window *W = find(R);
  if (!W || !allLive(*W, R))
    return fail(ACCX_ERROR_INVALID,
                "decommit of %zu bytes at %p: a part has no memory", Size,
                Address);
  kill(*W, R);
  return ACCX_OK;
}

accx_status Windows::allocate(size_t Size, void **Address) {
  const size_t Page = D.Props.Granularity;
  Size = (Size + Page - 1) / Page * Page;
  if (accx_status S = reserve(Size, nullptr, Address))
    return S;
  if (accx_status S = commit(*Address, Size)) {
    (void)release(*Address, Size);
    return S;
  }
  std::lock_guard Guard(Lock);
  Reserved[toInt(*Address)].IsAllocation = true;
  return ACCX_OK;
}

bool Windows::free(void *Address) {
  size_t Size = 0;
  {
    std::lock_guard Guard(Lock);
    const auto It = Reserved.find(toInt(Address));
    if (It == Reserved.end() || !It->second.IsAllocation)
      return false;
    Size = It->second.End - It->first;
  }
  // As cuMemFree does: what is queued may still use it.
  if (Entered In(D); In.status() == ACCX_OK)
    (void)Cu.CtxSynchronize();
  (void)release(Address, Size);
  return true;
}

void Windows::grant(CUdevice Peer) {
  Entered In(D);
  if (In.status() != ACCX_OK)
    return;
  std::lock_guard Guard(Lock);
  Peers.push_back(Peer);
  for (auto &[Base, W] : Reserved)
    for (auto &[Begin, C] : W.Chunks)
      // Without it the driver copies through the host: slower, not wrong.
      (void)access(Begin, C.End);
}

void Windows::releaseAll() {
  std::lock_guard Guard(Lock);
  for (auto &[Base, W] : Reserved) {
    for (auto &[Begin, C] : W.Chunks)
      unmap(Begin, C);
    Cu.MemAddressFree(Base, W.End - Base);
  }
  Reserved.clear();
}
