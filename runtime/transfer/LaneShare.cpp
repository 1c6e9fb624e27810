//===- LaneShare.cpp - Streams whose memory itself is given away ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks of one machine copy from each other's device memory:
//
//   out:  all on the queue is done -> offered -> the other side has copied it
//   in:   first piece becomes a copy within the device
//
//===----------------------------------------------------------------------===//

#include "device/Device.h"
#include "transfer/Exports.h"
#include "transfer/Imports.h"
#include "transfer/Lane.h"

#include <cerrno>

using namespace accx;

/// Waits for what is to be in memory before others look at it.
void Lane::beginOffer() {
  MovingPiece &P = takePiece();
  P.Purpose = MovingPiece::IsOffered;
  P.At = 0;
  P.Size = 0;
  HasBegun = true;
  // For its event; pieces need the block, if it comes to them.
  P.Block = PinnedBlock(Shared.D, 1);
  if (!P.Block.data()) {
    MayOffer = HasBegun = false;
    return release(P);
  }
  // Two processes' work takes turns on a device: not even an event is free.
  Plugin &Of = Shared.D->plugin();
  if (const accx_status Now = Of.api().queue_query(Shared.Queue);
      Now != ACCX_NOT_READY)
    return copied(P, Of.check(Now));
  await(P, Status());
}

void Lane::makeOffer(MovingPiece &P) {
  const auto Parts = exportParts(*Shared.D, S.Sections);
  ++NumMoving;
  if (!Parts.empty() && S.To->offer(Parts, P))
    return;
  --NumMoving;
  MayOffer = HasBegun = false;
  release(P);
}

void Lane::offerEnded(MovingPiece &P) {
  MayOffer = HasBegun = false;
  if (P.Result.Code == 0) {
    Next = Moved = Total;
    HasBegun = true;
  }
  release(P);
}

/// Copies from the offered memory to the begin of the sections.
Status Lane::copyTaken(MovingPiece &P) const {
  size_t At = 0;
  for (const accx_share_part &Part : P.Offer->Parts) {
    auto Found = Imports::get().get(*Shared.D, P.Offer->Owner, Part);
    if (!Found.ok())
      return Found.takeStatus();
    P.Taken.push_back(std::make_unique<ImportedPart>(std::move(*Found)));
    const auto *From = reinterpret_cast<char *>(P.Taken.back()->address());
    const size_t Size = std::min<size_t>(Part.size, P.Offer->Bytes - At);
    Status Queued = Runs.forEach(At, Size,
                                 [&](char *To, size_t Offset, size_t Width,
                                     size_t Height, size_t Pitch) {
                                   return Shared.D->copy(
                                       Shared.Queue,
                                       {ACCX_WITHIN_DEVICE, To, From + Offset,
                                        Width, Height, Pitch, Width, nullptr});
                                 });
    if (Queued.failed())
      return Queued;
    At += Size;
  }
  return Status();
}

void Lane::take(MovingPiece &P) {
  P.Purpose = MovingPiece::IsTaken;
  if (S.OnHost || P.Offer->Bytes > Total || !P.Block.event())
    return taken(P, Status(ErrorCode::Unsupported, "no memory of a device"));
  Status Queued = copyTaken(P);
  // What was queued before the failure still uses the memory.
  if (Queued.failed())
    (void)Shared.D->wait(Shared.Queue);
  await(P, std::move(Queued));
}

void Lane::taken(MovingPiece &P, const Status &Result) {
  const auto Offer = std::move(P.Offer);
  if (Result.ok()) {
    // The mover tells the other side, and then ends the piece.
    P.Purpose = MovingPiece::WasTaken;
    Next = Total = Offer->Bytes;
    ++NumMoving;
    return Offer->Taken(0);
  }
  P.Purpose = MovingPiece::Moves;
  Offer->Taken(-EIO);
  // Pieces come instead, with this one; of a transfer that has failed the mover
  // ends them all.
  P.Taken.clear();
  move(P);
}
