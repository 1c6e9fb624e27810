//===- Pieces.cpp - Copies of a queue, packed -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pieces.h.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include "Device.h"

#include <algorithm>
#include <cstring>

using namespace accx;
using namespace accx::cuda;

static CUdeviceptr toInt(const void *Address) {
  return reinterpret_cast<CUdeviceptr>(Address);
}

Pieces::~Pieces() {
  for (Block &B : Blocks)
    if (B.Memory) {
      Cu.MemFreeHost(B.Memory);
      D.giveEvent(B.Done);
    }
}

size_t Pieces::limit(const Device &D) {
  return std::min<size_t>(D.Env.PieceBytes, BlockBytes / 2);
}

void Pieces::Block::deliver() const {
  if (!FromDevice)
    return;
  for (unsigned I = 0; I < Count; ++I)
    Hands->copy(list()[I].Host, reinterpret_cast<const void *>(list()[I].Dst),
                list()[I].Size);
}

bool Pieces::Block::writes(CUdeviceptr Begin, size_t Size) const {
  return std::any_of(list(), list() + Count, [&](const Piece &P) {
    return P.Dst < Begin + Size && Begin < P.Dst + P.Size;
  });
}

void Pieces::Block::reset() {
  Used = 0;
  Count = 0;
  InFlight = Recorded = Delegated = false;
}

accx_status Pieces::prepare(Block &B) {
  void *Memory = nullptr;
  if (CUresult R =
          Cu.MemHostAlloc(&Memory, MaxPieces * sizeof(Piece) + BlockBytes,
                          CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP))
    return D.failure(R, "pinned memory for copies");
  if (accx_status S = D.takeEvent(B.Done)) {
    Cu.MemFreeHost(Memory);
    return S;
  }
  B.Memory = static_cast<char *>(Memory);
  B.Hands = &D.Hands;
  return ACCX_OK;
}

accx_status Pieces::nextBlock(bool FromDevice) {
  Block &B = Blocks[Next];
  if (!B.Memory)
    if (accx_status S = prepare(B))
      return S;
  if (B.InFlight) {
    // What was flushed after it tells too. A host function runs after the
    // event: only the stream's end shows it.
    const Block *Told = nullptr;
    for (unsigned I = 0; I < NumBlocks && !Told && !B.Delegated; ++I)
      if (const Block &Later = Blocks[(Next + I) % NumBlocks];
          Later.InFlight && Later.Recorded)
        Told = &Later;
    const CUresult R = D.await([&] {
      return Told ? Cu.EventQuery(Told->Done) : Cu.StreamQuery(Stream);
    });
    if (R != CUDA_SUCCESS)
      return D.failure(R, "earlier work of the queue");
    if (!B.Delegated)
      B.deliver();
    B.reset();
  }
  B.FromDevice = FromDevice;
  Filling = &B;
  Next = (Next + 1) % NumBlocks;
  return ACCX_OK;
}

accx_status Pieces::place(bool FromDevice, size_t Size, CUdeviceptr OnDevice,
                          char *&Bytes, size_t &Taken) {
  // Both sides get the same alignment, which is what the kernel needs.
  auto Start = [&] {
    return ((Filling->Used + 15) & ~size_t(15)) + (OnDevice & 15);
  };
  const size_t Least = std::min(Size, LeastPart);
  if (Filling && (Filling->FromDevice != FromDevice ||
                  Filling->Count == MaxPieces || Start() + Least > BlockBytes ||
                  (!FromDevice && Filling->writes(OnDevice, Size))))
    if (accx_status S = flushBlock())
      return S;
  if (!Filling)
    if (accx_status S = nextBlock(FromDevice))
      return S;
  Bytes = Filling->bytes() + Start();
  // Parts of a long copy are sent while the next ones are filled.
  Taken = std::min({Size, SendBytes, BlockBytes - size_t(Start())});
  Filling->Used = Start() + Taken;
  return ACCX_OK;
}

accx_status Pieces::add(const Piece &P) {
  Filling->list()[Filling->Count++] = P;
  return Filling->Used < SendBytes ? ACCX_OK : flushBlock();
}

accx_status Pieces::toDevice(CUdeviceptr Dst, const void *Src, size_t Size) {
  char *Bytes;
  for (size_t At = 0, Taken; At < Size; At += Taken) {
    if (accx_status S = place(false, Size - At, Dst + At, Bytes, Taken))
      return S;
    D.Hands.copy(Bytes, static_cast<const char *>(Src) + At, Taken);
    if (accx_status S = add({Dst + At, toInt(Bytes), Taken, nullptr}))
      return S;
  }
  return ACCX_OK;
}

accx_status Pieces::fromDevice(void *Dst, CUdeviceptr Src, size_t Size) {
  char *Bytes;
  for (size_t At = 0, Taken; At < Size; At += Taken) {
    if (accx_status S = place(true, Size - At, Src + At, Bytes, Taken))
      return S;
    if (accx_status S =
            add({toInt(Bytes), Src + At, Taken, static_cast<char *>(Dst) + At}))
      return S;
  }
  return ACCX_OK;
}

static unsigned wordAt(const char *Bytes) {
  unsigned Word;
  std::memcpy(&Word, Bytes, sizeof(Word));
  return Word;
}

/// Whether a fill can bring \p P, whose bytes are \p Bytes: a number, as a rule
/// what a sum starts with. It takes the device less than a copy.
static bool isOneWord(const char *Bytes, const Piece &P) {
  return P.Dst % 4 == 0 && (P.Size == 4 || P.Size == 8) &&
         wordAt(Bytes) == wordAt(Bytes + P.Size - 4);
}

accx_status Pieces::flushBlock() {
  Block &B = *Filling;
  Filling = nullptr;
  B.InFlight = true;
  CUresult R = CUDA_SUCCESS;
  CUfunction Kernel = B.Count >= MinPacked ? D.pieceKernel() : nullptr;
  if (Kernel) {
    CUdeviceptr List = toInt(B.list());
    void *Arguments[] = {&List};
    uint64_t Longest = 0;
    for (unsigned I = 0; I < B.Count; ++I)
      Longest = std::max(Longest, B.list()[I].Size);
    R = Cu.LaunchKernel(Kernel, B.Count,
                        unsigned((Longest + SliceBytes - 1) / SliceBytes), 1,
                        PieceThreads, 1, 1, 0, Stream, Arguments, nullptr);
  }
  for (unsigned I = 0; !Kernel && R == CUDA_SUCCESS && I < B.Count; ++I) {
    const Piece &P = B.list()[I];
    const auto *Bytes = reinterpret_cast<const char *>(P.Src);
    if (B.FromDevice)
      R = Cu.MemcpyDtoHAsync(reinterpret_cast<void *>(P.Dst), P.Src, P.Size,
                             Stream);
    else if (isOneWord(Bytes, P))
      R = Cu.MemsetD32Async(P.Dst, wordAt(Bytes), P.Size / 4, Stream);
    else
      R = Cu.MemcpyHtoDAsync(P.Dst, Bytes, P.Size, Stream);
  }
  // One copy in and one out are followed by a wait, as a rule: an event would
  // cost as much as the copy.
  const auto InFlight = std::count_if(
      Blocks.begin(), Blocks.end(), [](const Block &O) { return O.InFlight; });
  if (R == CUDA_SUCCESS && InFlight > 2) {
    R = Cu.EventRecord(B.Done, Stream);
    B.Recorded = R == CUDA_SUCCESS;
  }
  if (R != CUDA_SUCCESS) {
    // What of it is on the stream still uses the block, so it stays in flight,
    // but nothing of it may reach the program.
    B.FromDevice = false;
    return D.failure(R, "copy of %u pieces", B.Count);
  }
  return ACCX_OK;
}

accx_status Pieces::deliverInOrder() {
  for (unsigned I = 0; I < NumBlocks; ++I) {
    Block &B = Blocks[(Next + I) % NumBlocks];
    if (!B.InFlight || !B.FromDevice || B.Delegated)
      continue;
    if (CUresult R = Cu.LaunchHostFunc(
            Stream, [](void *Which) { static_cast<Block *>(Which)->deliver(); },
            &B))
      return D.failure(R, "delivery of pieces");
    B.Delegated = true;
  }
  return ACCX_OK;
}

void Pieces::settle(bool Success) {
  for (unsigned I = 0; I < NumBlocks; ++I) {
    Block &B = Blocks[(Next + I) % NumBlocks];
    if (!B.InFlight)
      continue;
    if (Success && !B.Delegated)
      B.deliver();
    B.reset();
  }
  // The blocks used last are in the caches.
  if (!Filling)
    Next = 0;
}

bool Pieces::overlapsUndelivered(const void *Host, size_t Size) const {
  const auto *Begin = static_cast<const char *>(Host);
  for (const Block &B : Blocks)
    if (B.FromDevice && B.Count)
      for (unsigned I = 0; I < B.Count; ++I) {
        const auto *P = static_cast<const char *>(B.list()[I].Host);
        if (P < Begin + Size && Begin < P + B.list()[I].Size)
          return true;
      }
  return false;
}
