//===- CopyCrew.cpp - Threads that copy large pageable arrays -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CopyCrew.h.
//
//===----------------------------------------------------------------------===//

#include "CopyCrew.h"

#include "Device.h"

#include <algorithm>
#include <cstring>

using namespace accx;
using namespace accx::cuda;

accx_status CopyCrew::prepare(Member &M) {
  if (CUresult R = Cu.StreamCreate(&M.Stream, CU_STREAM_NON_BLOCKING))
    return D.failure(R, "a stream for copies");
  if (accx_status S = D.takeEvent(M.End))
    return S;
  for (Buffer &B : M.Buffers) {
    void *Memory = nullptr;
    if (CUresult R =
            Cu.MemHostAlloc(&Memory, BufferBytes, CU_MEMHOSTALLOC_PORTABLE))
      return D.failure(R, "pinned memory for copies");
    B.Memory = static_cast<char *>(Memory);
    if (accx_status S = D.takeEvent(B.Done))
      return S;
  }
  return ACCX_OK;
}

accx_status CopyCrew::start() {
  while (Members.size() < Hands.count()) {
    Members.push_back(std::make_unique<Member>());
    if (accx_status S = prepare(*Members.back())) {
      release();
      return S;
    }
  }
  return ACCX_OK;
}

void CopyCrew::release() {
  for (auto &M : Members) {
    for (Buffer &B : M->Buffers) {
      if (B.Done)
        Cu.EventDestroy(B.Done);
      if (B.Memory)
        Cu.MemFreeHost(B.Memory);
    }
    if (M->End)
      Cu.EventDestroy(M->End);
    if (M->Stream)
      Cu.StreamDestroy(M->Stream);
  }
  Members.clear();
}

void CopyCrew::Transfer::takePart(unsigned Member) {
  // A helper has no other context to give back.
  if (Member != 0)
    Cu.CtxSetCurrent(Crew.D.context());
  if (CUresult R = Crew.work(*this, *Crew.Members[Member]))
    Error.store(R, std::memory_order_relaxed);
}

CUresult CopyCrew::await(const Buffer &B) const {
  return D.await([&] { return Cu.EventQuery(B.Done); });
}

CUresult CopyCrew::empty(Buffer &B) {
  if (!B.Size)
    return CUDA_SUCCESS;
  if (CUresult R = await(B))
    return R;
  std::memcpy(B.Host, B.Memory, B.Size);
  B.Size = 0;
  return CUDA_SUCCESS;
}

CUresult CopyCrew::work(Transfer &T, Member &M) {
  for (Buffer &B : M.Buffers)
    B.Size = 0;
  for (unsigned Turn = 0;; Turn ^= 1) {
    const size_t Offset =
        T.NextByte.fetch_add(T.Chunk, std::memory_order_relaxed);
    if (Offset >= T.Size)
      break;
    if (!M.Took)
      if (CUresult R = Cu.StreamWaitEvent(M.Stream, T.Start, 0))
        return R;
    M.Took = true;
    const size_t Size = std::min(T.Chunk, T.Size - Offset);
    Buffer &B = M.Buffers[Turn];
    if (T.FromDevice) {
      if (CUresult R = empty(B))
        return R;
      B.Host = T.Host + Offset;
      B.Size = Size;
      if (CUresult R =
              Cu.MemcpyDtoHAsync(B.Memory, T.OnDevice + Offset, Size, M.Stream))
        return R;
    } else {
      // Also of an earlier array.
      if (CUresult R = await(B))
        return R;
      std::memcpy(B.Memory, T.Host + Offset, Size);
      if (CUresult R =
              Cu.MemcpyHtoDAsync(T.OnDevice + Offset, B.Memory, Size, M.Stream))
        return R;
    }
    if (CUresult R = Cu.EventRecord(B.Done, M.Stream))
      return R;
  }
  if (!M.Took)
    return CUDA_SUCCESS;
  // What was begun first ends first.
  if (T.FromDevice) {
    const bool Swap = M.Buffers[0].Host > M.Buffers[1].Host;
    for (unsigned I = 0; I < 2; ++I)
      if (CUresult R = empty(M.Buffers[I ^ unsigned(Swap)]))
        return R;
  }
  return Cu.EventRecord(M.End, M.Stream);
}

accx_status CopyCrew::copy(CUstream Stream, bool FromDevice,
                           CUdeviceptr OnDevice, char *Host, size_t Size) {
  std::lock_guard Whole(CopyLock);
  if (accx_status S = start())
    return S;
  CUevent Start = nullptr;
  if (accx_status S = D.takeEvent(Start))
    return S;
  CUresult R = Cu.EventRecord(Start, Stream);
  if (R == CUDA_SUCCESS) {
    // Everybody gets work for both buffers, in whole pages.
    const size_t Share = Size / (2 * Members.size());
    Transfer Whole(
        *this, FromDevice, OnDevice, Host, Size,
        std::clamp((Share + 4095) & ~size_t(4095), MinChunk, BufferBytes),
        Start);
    for (auto &M : Members)
      M->Took = false;
    Hands.share(Whole, /*Wait=*/true);
    R = CUresult(Whole.Error.load());
  }
  // What comes next on the stream is after all members' copies.
  for (auto &M : Members)
    if (R == CUDA_SUCCESS && M->Took)
      R = Cu.StreamWaitEvent(Stream, M->End, 0);
  D.giveEvent(Start);
  if (R != CUDA_SUCCESS)
    return D.failure(R, "copy of %zu bytes", Size);
  return ACCX_OK;
}
