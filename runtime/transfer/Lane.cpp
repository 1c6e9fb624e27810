//===- Lane.cpp - One stream of a pipeline --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces between the device, host memory and the mover.
//
//===----------------------------------------------------------------------===//

#include "transfer/Lane.h"

#include "device/Device.h"

#include <cerrno>
#include <cstring>

using namespace accx;

namespace {

/// Pieces beyond those with the mover: being copied meanwhile.
constexpr unsigned NumCopied = 2;
/// A run of host memory of so many bytes is a piece of its own.
constexpr size_t SmallestRun = size_t(64) << 10;

} // namespace

Lane::Lane(PipelineState &Shared, Stream Of, bool Joint)
    : S(std::move(Of)), Runs(S.Sections), Waits(Joint), Total(Runs.bytes()),
      MayOffer(S.Out && !S.OnHost && Total && S.To->Offers && !Joint),
      Shared(Shared) {}

bool Lane::hasMore() const {
  if (Total == 0)
    return !HasBegun && (S.PieceBytes == 0 || S.FirstBytes);
  return Next < Total;
}

bool Lane::isDone() const {
  return NumMoving == 0 && Copying.empty() &&
         (Shared.failed() || (!hasMore() && Ready.empty() && !Waiting));
}

bool Lane::hasOnlyCopies() const {
  if (S.Out)
    return isDone();
  for (const MovingPiece *P : Copying)
    if (P->Purpose != MovingPiece::Moves)
      return false;
  return NumMoving == 0 && !hasMore() && !Waiting;
}

size_t Lane::bytesCopying() const {
  size_t Bytes = 0;
  for (const MovingPiece *P : Copying)
    Bytes += P->Size;
  return Bytes;
}

bool Lane::mayBegin() const {
  if (!hasMore() || Waiting)
    return false;
  const size_t InUse = All.size() - Free.size();
  return S.Out ? InUse < S.Depth + NumCopied
               : NumMoving < S.Depth && InUse < S.Depth + NumCopied;
}

size_t Lane::nextSize() const {
  const size_t Left = Total - Next;
  size_t Limit = S.PieceBytes ? S.PieceBytes : Left;
  if (Next == 0 && S.FirstBytes)
    Limit = S.FirstBytes;
  if (S.CutsAtRows && S.OnHost && Left)
    if (const size_t Run = Runs.runFrom(Next); Run >= SmallestRun)
      Limit = std::min(Limit, Run);
  return std::min(Left, Limit);
}

MovingPiece &Lane::takePiece() {
  if (Free.empty()) {
    All.push_back(std::make_unique<MovingPiece>(*this));
    Free.push_back(All.back().get());
  }
  MovingPiece &P = *Free.back();
  Free.pop_back();
  P.Purpose = MovingPiece::Moves;
  return P;
}

void Lane::release(MovingPiece &P) {
  P.Taken.clear();
  Free.push_back(&P);
}

/// Gives the piece its host memory; false if there is none.
bool Lane::prepare(MovingPiece &P) {
  if (S.OnHost && (P.Size == 0 || Runs.runFrom(P.At) >= P.Size)) {
    P.Block = PinnedBlock();
    P.Data = Runs.addressOf(P.At);
    return true;
  }
  if (P.Block.size() < P.Size || !P.Block.data())
    P.Block = PinnedBlock(S.OnHost ? nullptr : Shared.D, P.Size);
  P.Data = P.Block.data();
  if (!P.Data)
    Shared.fail(-ENOMEM,
                "no host memory for a piece of " + std::to_string(P.Size) +
                    " bytes",
                P.At);
  return P.Data != nullptr;
}

/// Copies between the piece's block and its place in the sections.
Status Lane::copyBetween(const MovingPiece &P) const {
  return Runs.forEach(
      P.At, P.Size,
      [&](char *At, size_t Offset, size_t Width, size_t Height, size_t Pitch) {
        char *Host = P.Data + Offset;
        if (!S.OnHost)
          return Shared.D->copy(
              Shared.Queue, S.Out ? accx_copy{ACCX_FROM_DEVICE, Host, At, Width,
                                              Height, Width, Pitch, nullptr}
                                  : accx_copy{ACCX_TO_DEVICE, At, Host, Width,
                                              Height, Pitch, Width, nullptr});
        for (size_t Row = 0; Row < Height; ++Row)
          if (S.Out)
            std::memcpy(Host + Row * Width, At + Row * Pitch, Width);
          else
            std::memcpy(At + Row * Pitch, Host + Row * Width, Width);
        return Status();
      });
}

/// Calls copied() when what was queued for \p P is done.
void Lane::await(MovingPiece &P, Status Queued) {
  if (Queued.ok() && P.Block.event()) {
    Plugin &Of = Shared.D->plugin();
    Queued = Of.check(Of.api().event_record(P.Block.event(), Shared.Queue));
    if (Queued.ok())
      return Copying.push_back(&P);
  }
  copied(P, std::move(Queued));
}

/// The copy of \p P, or what it stood for, is done or has failed.
void Lane::copied(MovingPiece &P, Status Result) {
  if (P.Purpose == MovingPiece::IsTaken)
    return taken(P, Result);
  if (Result.failed()) {
    Shared.fail(-EIO, Result.text(), P.At);
    Shared.HasDeviceFailed = true;
  }
  if (Shared.failed() && (S.Out || Result.failed()))
    return release(P);
  if (P.Purpose == MovingPiece::IsOffered)
    return makeOffer(P);
  if (S.Out) {
    Ready.push_back(&P);
    return;
  }
  Moved += P.Size;
  release(P);
}

void Lane::copyOut(MovingPiece &P) {
  if (!P.Block.data() || P.Size == 0)
    Ready.push_back(&P);
  else
    await(P, copyBetween(P));
}

void Lane::copyIn(MovingPiece &P) {
  if (!P.Block.data() || P.Size == 0) {
    Moved += P.Size;
    return release(P);
  }
  await(P, copyBetween(P));
}

void Lane::begin() {
  MovingPiece &P = takePiece();
  P.At = Next;
  P.Size = nextSize();
  if (!prepare(P))
    return release(P);
  HasBegun = true;
  Next += P.Size;
  if (S.Out)
    copyOut(P);
  else if (Waits)
    Waiting = &P;
  else
    move(P);
}

void Lane::move(MovingPiece &P) {
  ++NumMoving;
  S.To->start(P.Data, P.At, P.Size, P);
}

void Lane::moveReady() {
  while (!Ready.empty() && NumMoving < S.Depth && !Waiting) {
    MovingPiece &P = *Ready.front();
    Ready.pop_front();
    if (Waits)
      Waiting = &P;
    else
      move(P);
  }
}

void Lane::startWaiting() { move(*std::exchange(Waiting, nullptr)); }

void Lane::arrived(MovingPiece &P) {
  --NumMoving;
  if (P.Offer)
    return take(P);
  if (P.Result.Keeps)
    P.Block.leak();
  if (P.Result.Code < 0)
    Shared.fail(P.Result.Code, std::move(P.Result.Text), P.At);
  if (P.Purpose == MovingPiece::IsOffered)
    return offerEnded(P);
  if (P.Purpose == MovingPiece::WasTaken) {
    Moved = Next;
    return release(P);
  }
  const size_t Bytes = std::min(P.Result.Bytes, P.Size);
  if (S.Out || P.Result.Keeps) {
    Moved += Bytes;
    return release(P);
  }
  // What was there before a failure is to be in memory, too.
  if (Bytes < P.Size)
    Total = std::min(Total, P.At + Bytes);
  P.Size = Bytes;
  copyIn(P);
}

bool Lane::step() {
  bool GotOn = false;
  while (!Copying.empty()) {
    MovingPiece &P = *Copying.front();
    Plugin &Of = Shared.D->plugin();
    const accx_status Now = Of.api().event_query(P.Block.event());
    if (Now == ACCX_NOT_READY)
      break;
    Copying.pop_front();
    copied(P, Of.check(Now));
    GotOn = true;
  }
  if (Shared.failed())
    return GotOn;
  if (MayOffer && !HasBegun) {
    beginOffer();
    GotOn = true;
  }
  if (MayOffer)
    return GotOn; // The memory itself is under way.
  moveReady();
  while (!Shared.failed() && mayBegin()) {
    begin();
    moveReady();
    GotOn = true;
  }
  return GotOn;
}
