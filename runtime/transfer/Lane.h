//===- Lane.h - One stream of a pipeline ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a stream into pieces, copies them between the device and pinned memory,
// and gives them to the stream's mover. See Pipeline.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_LANE_H
#define ACCX_TRANSFER_LANE_H

#include "support/Backoff.h"
#include "support/Error.h"
#include "transfer/Imports.h"
#include "transfer/PinnedBlock.h"
#include "transfer/Pipeline.h"
#include "transfer/Runs.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accx {

class Lane;
class MovingPiece;

/// What the streams of a transfer share.
struct PipelineState {
  Device *D = nullptr;
  accx_queue Queue = nullptr;
  Backoff Pauses;
  /// The failure nearest to its stream's begin.
  MoveResult Result;
  size_t FailedAt = 0;
  /// The plugin's queue tells of it once more.
  bool HasDeviceFailed = false;

  std::mutex Mutex;
  std::condition_variable Arrival;
  /// Pieces whose movers are done with them; guarded by Mutex.
  std::vector<MovingPiece *> Arrived;

  bool failed() const { return Result.Code != 0; }
  void fail(int Code, std::string Text, size_t At = 0);
  void arrive(MovingPiece &P);
  /// Hands arrived pieces to their lanes; whether there were any.
  bool takeArrived();
};

class MovingPiece final : public Piece {
public:
  explicit MovingPiece(Lane &Of) : Of(Of) {}
  Lane &Of;
  char *Data = nullptr;
  size_t At = 0;
  size_t Size = 0;
  /// Where Data lies, unless that is in the section itself.
  PinnedBlock Block;
  /// Why it is offered or taken: the memory itself moves, no piece.
  enum { Moves, IsOffered, IsTaken, WasTaken } Purpose = Moves;
  /// Written by the mover before it arrives.
  MoveResult Result;
  std::unique_ptr<ShareOffer> Offer;
  /// Held until the copy from there is done.
  std::vector<std::unique_ptr<ImportedPart>> Taken;
};

/// Used by the transfer's thread alone.
class Lane {
  const Stream S;
  const SectionRuns Runs;
  const bool Waits; ///< For the other streams of a joint transfer.
  /// Bytes that the stream has; less when an incoming one ends early.
  size_t Total;
  size_t Next = 0;
  size_t Moved = 0;
  bool MayOffer;
  bool HasBegun = false;
  unsigned NumMoving = 0;
  std::vector<std::unique_ptr<MovingPiece>> All;
  std::vector<MovingPiece *> Free;
  /// In the order in which their copies were queued.
  std::deque<MovingPiece *> Copying;
  /// Copied from the device, in order.
  std::deque<MovingPiece *> Ready;
  MovingPiece *Waiting = nullptr;

  bool hasMore() const;
  bool mayBegin() const;
  size_t nextSize() const;
  MovingPiece &takePiece();
  void release(MovingPiece &P);
  bool prepare(MovingPiece &P);
  void begin();
  void copyOut(MovingPiece &P);
  void copyIn(MovingPiece &P);
  void move(MovingPiece &P);
  void moveReady();
  Status copyBetween(const MovingPiece &P) const;
  void await(MovingPiece &P, Status Queued);
  void copied(MovingPiece &P, Status Result);
  void beginOffer();
  void makeOffer(MovingPiece &P);
  void offerEnded(MovingPiece &P);
  void take(MovingPiece &P);
  Status copyTaken(MovingPiece &P) const;
  void taken(MovingPiece &P, const Status &Result);

public:
  PipelineState &Shared;

  Lane(PipelineState &Shared, Stream S, bool Joint);
  /// The mover is done with \p P.
  void arrived(MovingPiece &P);
  /// Looks after copies and begins pieces; whether anything went on.
  bool step();
  bool isOnHost() const { return S.OnHost; }
  bool isCopying() const { return !Copying.empty(); }
  bool isWaiting() const { return Waiting != nullptr; }
  void startWaiting();
  bool isDone() const;
  Mover &mover() const { return *S.To; }
  /// Whether all has come in and is on its way to the device.
  bool hasOnlyCopies() const;
  size_t bytesCopying() const;
  size_t bytesMoved() const { return Moved; }
};

} // namespace accx

#endif // ACCX_TRANSFER_LANE_H
