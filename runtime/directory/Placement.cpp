//===- Placement.cpp - Homes of entries -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice between windows and blocks, and the life of both.
//
//===----------------------------------------------------------------------===//

#include "directory/Placement.h"

namespace accx {

Placement::Placement(DeviceMemory &Memory, const DirectoryOptions &Options,
                     EntrySet &Entries, const Shadows &Attached)
    : Memory(Memory), Entries(Entries), Attached(Attached), Options(Options),
      Granularity(Memory.granularity()), Capacity(Memory.capacity()),
      BasesOn(Options.Strategy == DirectoryOptions::Fused) {
  size_t Span = std::bit_ceil(std::max(Options.WindowBytes, Granularity));
  SpanBits = std::countr_zero(Span);
}

Placement::~Placement() {
  for (auto &W : Windows) {
    if (W->Impossible)
      continue;
    W->Committed.forEachRun(
        0, W->Host.size() / Granularity, true, [&](size_t First, size_t End) {
          Memory.decommit(W->Host.Begin + W->Delta + First * Granularity,
                          (End - First) * Granularity);
          return true;
        });
    Memory.unreserve(W->Reserved, W->ReservedSize);
  }
  // Entries of any age may still lie in blocks.
  Blocks.forEachOverlap({0, ~uintptr_t(0)}, [&](Block *B) {
    Memory.release(B->Memory);
    return true;
  });
  for (const Chunk &C : Retired)
    Memory.release(C.Address);
  for (auto &Class : Idle)
    for (const Chunk &C : Class)
      Memory.release(C.Address);
}

Outcome Placement::place(std::span<Node *const> Created,
                         std::span<const Link> Links, PlacementResult &R) {
  R.clear();
  Outcome O = placeAll(Created, Links, plain(), R);
  if (!R.Unplain)
    return O;
  // The first entry outside of windows: now it does matter what overlaps.
  AllLinks.clear();
  uint32_t Number = 0;
  for (Node *N : Created)
    N->Group = ++Number;
  for (Node *N : Created)
    Entries.Live.forEachOverlap(N->Host, [&](Node *Old) {
      if (!Old->Fresh || Old->Group < N->Group)
        AllLinks.push_back({N, Old});
      return true;
    });
  for (Node *N : Created)
    N->Group = 0;
  R.clear();
  return placeAll(Created, AllLinks, false, R);
}

Outcome Placement::placeAll(std::span<Node *const> Created,
                            std::span<const Link> Links, bool Plain,
                            PlacementResult &R) {
  CommittedNow.clear();
  Candidates.clear();
  size_t L = 0;
  Outcome O = Outcome::Done;
  for (Node *N : Created) {
    size_t First = L;
    while (L < Links.size() && Links[L].New == N)
      ++L;
    std::span<const Link> Own = Links.subspan(First, L - First);
    Window *W = Options.Strategy == DirectoryOptions::Mirror ? windowOf(N, Own)
                                                             : nullptr;
    const bool Fits = W && !wantsBlock(N, *W, Own);
    if (Plain && (!Fits || W->Header)) {
      R.Unplain = true;
      O = Outcome::Wait;
      break;
    }
    if (!Fits) {
      Candidates.push_back(N);
      continue;
    }
    for (const Link &K : Own)
      if (!K.Old->Where && K.Old->Delta != W->Delta)
        R.Error = Status(ErrorCode::Extension, "");
    if (R.Error.ok())
      R.Error = commit(*W, N->Host);
    if (R.Error.failed()) {
      R.Culprit = N;
      O = Outcome::Failed;
      break;
    }
    setPlace(N, W);
  }
  if (O == Outcome::Done && !Candidates.empty())
    O = fuse(Links, R);
  if (O != Outcome::Done) {
    for (Node *N : Created)
      if (N->Where)
        clearPlace(N);
    undoCommits();
  }
  return O;
}

void Placement::setPlace(Node *N, Home *H) {
  N->Where = H;
  N->Delta = H->Delta;
  if (H->Kind == Home::BlockKind) {
    auto *B = static_cast<Block *>(H);
    N->PrevMember = nullptr;
    N->NextMember = B->Members;
    if (B->Members)
      B->Members->PrevMember = N;
    B->Members = N;
  }
  comeBack(N);
}

void Placement::clearPlace(Node *N) {
  depart(N);
  if (N->Where->Kind == Home::BlockKind) {
    auto *B = static_cast<Block *>(N->Where);
    (N->PrevMember ? N->PrevMember->NextMember : B->Members) = N->NextMember;
    if (N->NextMember)
      N->NextMember->PrevMember = N->PrevMember;
  }
  N->Where = nullptr;
}

void Placement::comeBack(Node *N) {
  ++Changes;
  if (!N->Where)
    return;
  if (BasesOn)
    SameBase.add(N);
  if (N->Where->Kind == Home::WindowKind)
    WindowMapped += N->Host.size();
  else
    static_cast<Block *>(N->Where)->LiveBytes += N->Host.size();
}

void Placement::depart(Node *N) {
  ++Changes;
  if (!N->Where)
    return;
  SameBase.remove(N);
  if (N->Where->Kind == Home::WindowKind)
    WindowMapped -= N->Host.size();
  else
    static_cast<Block *>(N->Where)->LiveBytes -= N->Host.size();
}

void Placement::leave(Node *N) {
  if (!N->Where || N->Where->Kind != Home::BlockKind)
    return;
  auto *B = static_cast<Block *>(N->Where);
  (N->PrevMember ? N->PrevMember->NextMember : B->Members) = N->NextMember;
  if (N->NextMember)
    N->NextMember->PrevMember = N->PrevMember;
  N->Where = nullptr;
  if (B->Members)
    return;
  Blocks.remove(B);
  BlockBytes -= B->MemorySize;
  keepIdle(B->Memory, B->MemorySize);
  BlockStorage.destroy(B);
}

void Placement::join(Node *N, const Node *Other) {
  if (Other->Where)
    setPlace(N, Other->Where);
}

void Placement::startBases() {
  if (BasesOn)
    return;
  BasesOn = true;
  Entries.Live.forEachOverlap({0, ~uintptr_t(0)}, [&](Node *N) {
    SameBase.add(N);
    return true;
  });
}

/// Eight classes a power of two; sizes in a class differ by an eighth at most.
unsigned Placement::idleClass(size_t Size) {
  unsigned Log = 63 - std::countl_zero(Size);
  return Log < 3 ? Log : Log * 8 + (Size >> (Log - 3) & 7);
}

/// Memory for a block: an idle one of about this size, or new.
Status Placement::takeMemory(size_t Size, uintptr_t &Address, size_t &Got,
                             bool &Reused) {
  // Rounding makes blocks fit again. It is cut off where it would cost much.
  size_t Step = std::bit_floor(Size) / 8;
  Step = std::clamp<size_t>(Step, 256, size_t(2) << 20);
  Size = (Size + Step - 1) / Step * Step;
  auto &Class = Idle[idleClass(Size)];
  for (size_t I = Class.size(), Tries = 8; I-- > 0 && Tries-- > 0;) {
    if (Class[I].Size < Size)
      continue;
    Address = Class[I].Address;
    Got = Class[I].Size;
    Class.erase(Class.begin() + I);
    IdleBlockBytes -= Got;
    Reused = true;
    return Status();
  }
  Expected<uintptr_t> A = Memory.allocate(Size);
  if (!A.ok())
    return A.takeStatus();
  Address = *A;
  Got = Size;
  Reused = false;
  return Status();
}

/// Keeps memory for the next block, up to a share of the device.
void Placement::keepIdle(uintptr_t Address, size_t Size) {
  uint64_t Limit = std::max<uint64_t>(Capacity / 16, uint64_t(1) << 20);
  if (IdleBlockBytes + Size > Limit) {
    Memory.release(Address);
    return;
  }
  Idle[idleClass(Size)].push_back({Address, Size});
  IdleBlockBytes += Size;
}

void Placement::release(uintptr_t Address) {
  for (size_t I = 0; I < Retired.size(); ++I) {
    if (Retired[I].Address != Address)
      continue;
    BlockBytes -= Retired[I].Size;
    Retired[I] = Retired.back();
    Retired.pop_back();
    break;
  }
  Memory.release(Address);
}

uint64_t Placement::trim() {
  uint64_t Bytes = trimWindows() + IdleBlockBytes;
  for (auto &Class : Idle) {
    for (const Chunk &C : Class)
      Memory.release(C.Address);
    Class.clear();
  }
  IdleBlockBytes = 0;
  return Bytes;
}

const Node *Placement::entryAt(HostRange OnDevice) const {
  const Node *Found = nullptr;
  auto Take = [&](const Node *N) {
    Found = N;
    return false;
  };
  auto LookBehind = [&](uintptr_t Delta) {
    const HostRange R = {OnDevice.Begin - Delta, OnDevice.End - Delta};
    if (!Found && R.Begin < R.End)
      Entries.Live.forEachOverlap(
          R, [&](Node *N) { return N->Delta != Delta || Take(N); });
  };
  Strangers.forEachOverlap(OnDevice, Take);
  for (const auto &W : Windows)
    if (!W->Impossible)
      LookBehind(W->Delta);
  Blocks.forEachOverlap({0, ~uintptr_t(0)}, [&](Block *B) {
    if (OnDevice.Begin < B->Memory + B->MemorySize && B->Memory < OnDevice.End)
      LookBehind(B->Delta);
    return !Found;
  });
  return Found;
}

void Placement::addStats(DirectoryStats &S) const {
  S.CommittedBytes += PageBytes + BlockBytes + IdleBlockBytes;
  S.Blocks += Blocks.size();
  for (auto &W : Windows)
    S.Windows += !W->Impossible;
}

} // namespace accx
