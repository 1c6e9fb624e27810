//===- Transfer.cpp - Copies and fills ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of each copy: small ones and those of pageable memory packed, large
// ones of it through the copy crew, all others by the driver.
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"

#include "Memory.h"

#include <algorithm>
#include <cstring>

using namespace accx;
using namespace accx::cuda;

namespace {

CUdeviceptr toInt(const void *Address) {
  return reinterpret_cast<CUdeviceptr>(Address);
}

/// Which way a copy of the program's memory goes.
enum class Way {
  Packed, ///< Through the queue's blocks.
  Crewed, ///< Through the crew's.
  Driver,
};

Way wayOf(const Device &D, const void *Host, size_t Size, uint64_t Staged) {
  if (D.Env.CopyThreads <= 1 || !isPageable(Host, Size))
    return Way::Driver;
  if (Size >= Staged)
    return Way::Crewed;
  return Pieces::limit(D) ? Way::Packed : Way::Driver;
}

accx_status failed(Queue &Q, CUresult Result, size_t Size) {
  return Result ? Q.D.failure(Result, "copy of %zu bytes", Size) : ACCX_OK;
}

accx_status toDevice(Queue &Q, void *Dst, const void *Src, size_t Size) {
  // Host bytes that an earlier copy of this queue is still to write.
  if (Q.Small.overlapsUndelivered(Src, Size)) [[unlikely]]
    if (accx_status S = Q.wait())
      return S;
  const Way W = Size <= Pieces::limit(Q.D)
                    ? Way::Packed
                    : wayOf(Q.D, Src, Size, Q.D.Env.StagedIn);
  if (W == Way::Packed)
    return Q.Small.toDevice(toInt(Dst), Src, Size);
  if (accx_status S = Q.Small.flush())
    return S;
  if (W == Way::Crewed)
    return Q.D.ToDevice.copy(Q.Stream, false, toInt(Dst),
                             const_cast<char *>(static_cast<const char *>(Src)),
                             Size);
  return failed(Q, Cu.MemcpyHtoDAsync(toInt(Dst), Src, Size, Q.Stream), Size);
}

accx_status fromDevice(Queue &Q, void *Dst, const void *Src, size_t Size) {
  // What events follow is delivered by the copy itself only to pinned memory.
  const Way W = Size > Pieces::limit(Q.D)
                    ? wayOf(Q.D, Dst, Size, Q.D.Env.StagedOut)
                : isOurPinned(Dst, Size) ? Way::Driver
                                         : Way::Packed;
  if (W == Way::Packed)
    return Q.Small.fromDevice(Dst, toInt(Src), Size);
  if (Q.Small.overlapsUndelivered(Dst, Size)) [[unlikely]]
    if (accx_status S = Q.wait())
      return S;
  if (accx_status S = Q.Small.flush())
    return S;
  if (W == Way::Crewed)
    return Q.D.FromDevice.copy(Q.Stream, true, toInt(Src),
                               static_cast<char *>(Dst), Size);
  return failed(Q, Cu.MemcpyDtoHAsync(Dst, toInt(Src), Size, Q.Stream), Size);
}

/// The driver does not define what happens when the two overlap.
accx_status withinDevice(Queue &Q, void *Dst, const void *Src, size_t Size) {
  const CUdeviceptr To = toInt(Dst), From = toInt(Src);
  if (To == From)
    return ACCX_OK;
  if (accx_status S = Q.Small.flush())
    return S;
  const CUdeviceptr Distance = To > From ? To - From : From - To;
  if (Distance >= Size)
    return failed(Q, Cu.MemcpyDtoDAsync(To, From, Size, Q.Stream), Size);

  CUdeviceptr Middle = 0;
  if (CUresult R = Cu.MemAlloc(&Middle, Size))
    return Q.D.failure(R, "copy of %zu bytes onto themselves", Size);
  CUresult R = Cu.MemcpyDtoDAsync(Middle, From, Size, Q.Stream);
  if (R == CUDA_SUCCESS)
    R = Cu.MemcpyDtoDAsync(To, Middle, Size, Q.Stream);
  if (R == CUDA_SUCCESS)
    R = Cu.StreamSynchronize(Q.Stream);
  Cu.MemFree(Middle);
  return failed(Q, R, Size);
}

/// Whether one engine's copy brings the bytes from one GPU to another. The two
/// overlap in spread memory, of which each has all.
bool isBetweenGpus(const Queue &Q, const Device &Peer, const void *Dst,
                   const void *Src, size_t Size) {
  const CUdeviceptr To = toInt(Dst), From = toInt(Src);
  return !Q.D.sharesGpu(Peer) && (To > From ? To - From : From - To) >= Size;
}

accx_status toPeer(Queue &Q, Device &Peer, void *Dst, const void *Src,
                   size_t Size) {
  if (!isBetweenGpus(Q, Peer, Dst, Src, Size))
    return withinDevice(Q, Dst, Src, Size);
  if (accx_status S = Peer.activate())
    return S;
  Q.D.reach(Peer);
  if (accx_status S = Q.Small.flush())
    return S;
  return copyNow(Q.Stream, {&Q.D, &Peer, toInt(Dst), toInt(Src), Size});
}

accx_status oneRow(Queue &Q, const accx_copy &C, void *Dst, const void *Src,
                   size_t Size) {
  switch (C.direction) {
  case ACCX_TO_DEVICE:
    return toDevice(Q, Dst, Src, Size);
  case ACCX_FROM_DEVICE:
    return fromDevice(Q, Dst, Src, Size);
  case ACCX_WITHIN_DEVICE:
    return withinDevice(Q, Dst, Src, Size);
  case ACCX_TO_PEER:
    return toPeer(Q, *reinterpret_cast<Device *>(C.peer), Dst, Src, Size);
  }
  return fail(ACCX_ERROR_INVALID, "copy in unknown direction %d",
              int(C.direction));
}

CUresult allRowsToPeer(Queue &Q, Device &Peer, const accx_copy &C) {
  if (Peer.activate())
    return CUDA_ERROR_NOT_SUPPORTED; // The first row tells.
  Q.D.reach(Peer);
  CUmemcpy3DPeer D = {};
  D.Width = C.width;
  D.Height = C.height;
  D.Depth = 1;
  D.Src.Type = D.Dst.Type = CU_MEMORYTYPE_DEVICE;
  D.Src.Device = toInt(C.src);
  D.Dst.Device = toInt(C.dst);
  D.Src.Context = Q.D.context();
  D.Dst.Context = Peer.context();
  D.Src.Pitch = C.src_pitch;
  D.Dst.Pitch = C.dst_pitch;
  D.Src.Height = D.Dst.Height = C.height;
  return Cu.Memcpy3DPeerAsync(&D, Q.Stream);
}

/// One call for all rows, where the driver has one; NOT_SUPPORTED otherwise.
CUresult allRows(Queue &Q, const accx_copy &C) {
  if (C.dst_pitch > Q.D.Props.MaxPitch || C.src_pitch > Q.D.Props.MaxPitch)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (C.direction == ACCX_TO_PEER)
    if (auto &Peer = *reinterpret_cast<Device *>(C.peer); !Q.D.sharesGpu(Peer))
      return allRowsToPeer(Q, Peer, C);
  CUmemcpy2D D = {};
  D.Width = C.width;
  D.Height = C.height;
  D.SrcPitch = C.src_pitch;
  D.DstPitch = C.dst_pitch;
  D.SrcType = D.DstType = CU_MEMORYTYPE_DEVICE;
  D.SrcDevice = toInt(C.src);
  D.DstDevice = toInt(C.dst);
  if (C.direction == ACCX_TO_DEVICE) {
    D.SrcType = CU_MEMORYTYPE_HOST;
    D.SrcHost = C.src;
  } else if (C.direction == ACCX_FROM_DEVICE) {
    D.DstType = CU_MEMORYTYPE_HOST;
    D.DstHost = C.dst;
  }
  return Cu.Memcpy2DAsync(&D, Q.Stream);
}

} // namespace

bool cuda::readsAtOnce(const Device &D, const void *Host, size_t Size) {
  return Size <= Pieces::limit(D) ||
         wayOf(D, Host, Size, D.Env.StagedIn) == Way::Packed;
}

accx_status cuda::copy(Queue &Q, const accx_copy &C) {
  if (accx_status S = Q.flushLaunches())
    return S;
  if (C.width == 0 || C.height == 0)
    return ACCX_OK;
  if (!C.dst || !C.src)
    return fail(ACCX_ERROR_INVALID, "copy of %zu bytes %s null", C.width,
                C.dst ? "from" : "to");
  if (C.direction == ACCX_TO_PEER && !C.peer)
    return fail(ACCX_ERROR_INVALID, "copy to a peer that is null");
  if (C.height == 1)
    return oneRow(Q, C, C.dst, C.src, C.width);
  if (C.dst_pitch < C.width || C.src_pitch < C.width)
    return fail(ACCX_ERROR_INVALID,
                "copy of rows of %zu bytes with pitches %zu and %zu", C.width,
                C.dst_pitch, C.src_pitch);
  if (C.dst_pitch == C.width && C.src_pitch == C.width)
    return oneRow(Q, C, C.dst, C.src, C.width * C.height);

  // Rows that a small copy before still has to bring would be overwritten.
  const bool Host =
      C.direction == ACCX_TO_DEVICE || C.direction == ACCX_FROM_DEVICE;
  const void *OnHost = C.direction == ACCX_TO_DEVICE ? C.src : C.dst;
  const size_t Pitch =
      C.direction == ACCX_TO_DEVICE ? C.src_pitch : C.dst_pitch;
  if (Host &&
      Q.Small.overlapsUndelivered(OnHost, Pitch * (C.height - 1) + C.width))
    if (accx_status S = Q.wait())
      return S;
  if (accx_status S = Q.Small.flush())
    return S;
  const CUresult R = allRows(Q, C);
  if (R == CUDA_SUCCESS)
    return ACCX_OK;
  if (R != CUDA_ERROR_NOT_SUPPORTED && R != CUDA_ERROR_INVALID_VALUE)
    return failed(Q, R, C.width * C.height);
  for (size_t Row = 0; Row < C.height; ++Row)
    if (accx_status S = oneRow(
            Q, C, static_cast<char *>(C.dst) + Row * C.dst_pitch,
            static_cast<const char *>(C.src) + Row * C.src_pitch, C.width))
      return S;
  return ACCX_OK;
}

accx_status cuda::copyLater(Queue &Q, const accx_copy &C) {
  auto *Peer = reinterpret_cast<Device *>(C.peer);
  if (Q.hasMet() && Peer && C.dst && C.src && C.width && C.height == 1 &&
      isBetweenGpus(Q, *Peer, C.dst, C.src, C.width) && Q.D.reach(*Peer))
    return Q.copy({&Q.D, Peer, toInt(C.dst), toInt(C.src), C.width});
  return copy(Q, C);
}

/// Writes a first part from the host and doubles it on the device.
static CUresult fillByDoubling(Queue &Q, CUdeviceptr To,
                               const unsigned char *Pattern, uint32_t Width,
                               size_t Size) {
  unsigned char First[4096];
  const size_t FirstSize = std::min(Size, sizeof(First));
  for (size_t I = 0; I < FirstSize; I += Width)
    std::memcpy(First + I, Pattern, Width);
  // The driver copies that little pageable memory before it returns.
  CUresult R = Cu.MemcpyHtoDAsync(To, First, FirstSize, Q.Stream);
  for (size_t Done = FirstSize; R == CUDA_SUCCESS && Done < Size;) {
    const size_t More = std::min(Done, Size - Done);
    R = Cu.MemcpyDtoDAsync(To + Done, To, More, Q.Stream);
    Done += More;
  }
  return R;
}

accx_status cuda::fill(Queue &Q, void *Address, uint64_t Pattern,
                       uint32_t Width, size_t Count) {
  if (Width != 1 && Width != 2 && Width != 4 && Width != 8)
    return fail(ACCX_ERROR_INVALID,
                "fill with a pattern of %u bytes: must be 1, 2, 4 or 8", Width);
  size_t Size = 0;
  if (__builtin_mul_overflow(Count, size_t(Width), &Size))
    return fail(ACCX_ERROR_INVALID, "fill of %zu times %u bytes", Count, Width);
  if (Size == 0)
    return ACCX_OK;
  if (!Address)
    return fail(ACCX_ERROR_INVALID, "fill of %zu bytes at null", Size);
  if (accx_status S = Q.flush())
    return S;

  // The narrowest equal pattern: the driver has none of 8 bytes, and wants
  // addresses aligned to the width.
  unsigned char Bytes[8];
  std::memcpy(Bytes, &Pattern, sizeof(Bytes));
  uint32_t Narrow = Width;
  while (Narrow > 1 && std::memcmp(Bytes, Bytes + Narrow / 2, Narrow / 2) == 0)
    Narrow /= 2;
  const CUdeviceptr To = toInt(Address);
  CUresult R;
  if (Narrow == 1)
    R = Cu.MemsetD8Async(To, Bytes[0], Size, Q.Stream);
  else if (Narrow == 2 && To % 2 == 0)
    R = Cu.MemsetD16Async(To, static_cast<unsigned short>(Pattern), Size / 2,
                          Q.Stream);
  else if (Narrow == 4 && To % 4 == 0)
    R = Cu.MemsetD32Async(To, static_cast<unsigned>(Pattern), Size / 4,
                          Q.Stream);
  else
    R = fillByDoubling(Q, To, Bytes, Width, Size);
  return R ? Q.D.failure(R, "fill of %zu bytes", Size) : ACCX_OK;
}
