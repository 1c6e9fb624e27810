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
#include <pthread.h>
#include <signal.h>

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
  while (Members.size() < D.Env.CopyThreads) {
    Members.push_back(std::make_unique<Member>());
    Member &M = *Members.back();
    if (accx_status S = prepare(M)) {
      stop();
      return S;
    }
    if (Members.size() == 1)
      continue;
    // Signals belong to the program's own threads.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    M.Thread = std::thread([this, &M] { run(M); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
    pthread_setname_np(M.Thread.native_handle(), "accx-copy");
  }
  return ACCX_OK;
}

void CopyCrew::stop() {
  Stop = true;
  ++Generation;
  Generation.notify_all();
  for (auto &M : Members) {
    if (M->Thread.joinable())
      M->Thread.join();
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
  Stop = false;
}

void CopyCrew::run(Member &M) {
  // The thread has no other context to give back.
  Cu.CtxSetCurrent(D.context());
  for (uint32_t Seen = 0; !Stop;) {
    Generation.wait(Seen);
    Seen = Generation;
    // Join, unless the job is over already.
    uint32_t Before = Working;
    while ((Before & Open) &&
           !Working.compare_exchange_weak(Before, Before + 1))
      ;
    if (!(Before & Open))
      continue;
    takePart(M);
    if (--Working == 0)
      Working.notify_one();
  }
}

void CopyCrew::takePart(Member &M) {
  if (CUresult R = work(M))
    Now.Error.store(R, std::memory_order_relaxed);
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

CUresult CopyCrew::work(Member &M) {
  for (Buffer &B : M.Buffers)
    B.Size = 0;
  for (unsigned Turn = 0;; Turn ^= 1) {
    const size_t Offset =
        Now.NextByte.fetch_add(Now.Chunk, std::memory_order_relaxed);
    if (Offset >= Now.Size)
      break;
    if (!M.Took)
      if (CUresult R = Cu.StreamWaitEvent(M.Stream, Now.Start, 0))
        return R;
    M.Took = true;
    const size_t Size = std::min(Now.Chunk, Now.Size - Offset);
    Buffer &B = M.Buffers[Turn];
    if (Now.FromDevice) {
      if (CUresult R = empty(B))
        return R;
      B.Host = Now.Host + Offset;
      B.Size = Size;
      if (CUresult R = Cu.MemcpyDtoHAsync(B.Memory, Now.OnDevice + Offset, Size,
                                          M.Stream))
        return R;
    } else {
      // Also of an earlier array.
      if (CUresult R = await(B))
        return R;
      std::memcpy(B.Memory, Now.Host + Offset, Size);
      if (CUresult R = Cu.MemcpyHtoDAsync(Now.OnDevice + Offset, B.Memory, Size,
                                          M.Stream))
        return R;
    }
    if (CUresult R = Cu.EventRecord(B.Done, M.Stream))
      return R;
  }
  if (!M.Took)
    return CUDA_SUCCESS;
  // What was begun first ends first.
  if (Now.FromDevice) {
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
    Now.FromDevice = FromDevice;
    Now.OnDevice = OnDevice;
    Now.Host = Host;
    Now.Size = Size;
    // Everybody gets work for both buffers, in whole pages.
    const size_t Share = Size / (2 * Members.size());
    Now.Chunk =
        std::clamp((Share + 4095) & ~size_t(4095), MinChunk, BufferBytes);
    Now.Start = Start;
    Now.NextByte = 0;
    Now.Error = CUDA_SUCCESS;
    for (auto &M : Members)
      M->Took = false;
    Working = Open + 1;
    ++Generation;
    Generation.notify_all();
    takePart(*Members.front());
    // Nothing is left to take: wait for those who still work.
    uint32_t Left = Working -= Open + 1;
    for (; Left; Left = Working)
      Working.wait(Left);
    R = CUresult(Now.Error.load());
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
