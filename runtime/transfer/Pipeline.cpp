//===- Pipeline.cpp - Device memory in pieces through the host ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread of the operation looks after all streams in turn. A piece goes
// through
//
//   out:  Copying (from the device) -> [Waiting] -> Moving -> free
//   in:   [Waiting] -> Moving -> Copying (to the device) -> free
//
// where Waiting is for other streams of a joint transfer. Movers tell of ends
// from any thread: they only put the piece on the list of what arrived.
//
//===----------------------------------------------------------------------===//

#include "transfer/Pipeline.h"

#include "device/Device.h"
#include "event/Progress.h"
#include "support/Backoff.h"
#include "transfer/Lane.h"

#include <cerrno>

using namespace accx;

static thread_local bool MayLeaveCopies = false;

LeavingCopies::LeavingCopies(bool May) : Before(MayLeaveCopies) {
  MayLeaveCopies = May;
}
LeavingCopies::~LeavingCopies() { MayLeaveCopies = Before; }

namespace {

/// All streams of one transfer.
class Transfer final : public CopiesLeft {
  PipelineState Shared;
  std::vector<std::unique_ptr<Lane>> Lanes;
  const bool Joint;

  bool isOrdered() const;
  Status awaitQueue();
  void startTogether();
  void await();
  bool hasOnlyCopies() const;
  MoveResult result();

public:
  Transfer(Device *D, accx_queue Queue, std::vector<Stream> Streams, bool Joint)
      : Joint(Joint) {
    Shared.D = D;
    Shared.Queue = Queue;
    for (Stream &S : Streams)
      Lanes.push_back(std::make_unique<Lane>(Shared, std::move(S), Joint));
  }
  /// \p Self keeps the transfer while copies are left.
  MoveResult run(const std::shared_ptr<Transfer> &Self);
  bool ended(MoveResult &Result) override;
};

} // namespace

/// Whether the device's queue keeps all pieces behind what is on it.
bool Transfer::isOrdered() const {
  if (!Shared.Queue)
    return true;
  for (const auto &L : Lanes)
    if (L->isOnHost())
      return false;
  return true;
}

/// Waits for what is on the queue: the host is about to use memory itself.
Status Transfer::awaitQueue() {
  Plugin &Of = Shared.D->plugin();
  accx_status Code = Of.api().queue_query(Shared.Queue);
  if (Code != ACCX_NOT_READY)
    return Of.check(Code);
  const PinnedBlock Block(Shared.D, 1);
  if (!Block.event())
    return Shared.D->wait(Shared.Queue);
  if (Status S = Of.check(Of.api().event_record(Block.event(), Shared.Queue));
      S.failed())
    return S;
  for (Backoff Pauses;
       (Code = Of.api().event_query(Block.event())) == ACCX_NOT_READY;
       Pauses.pause(Progress::spin()))
    (void)Progress::run();
  return Of.check(Code);
}

/// Starts the pieces of a joint transfer when there is one of each stream.
void Transfer::startTogether() {
  for (const auto &L : Lanes)
    if (!L->isWaiting())
      return;
  for (const auto &L : Lanes)
    L->startWaiting();
}

/// Blocks until a piece arrived or the device may have got on.
void Transfer::await() {
  bool IsCopying = false, IsMessage = false;
  for (const auto &L : Lanes) {
    IsCopying |= L->isCopying();
    IsMessage |= L->mover().IsMessage;
  }
  const bool Helps = Progress::helps();
  std::unique_lock Lock(Shared.Mutex);
  const auto HasArrived = [&] { return !Shared.Arrived.empty(); };
  const auto For =
      Shared.Pauses.next(IsMessage ? Backoff::MessageSpin : Backoff::Spin);
  if (!IsCopying && !Helps && (For.count() || !IsMessage))
    return Shared.Arrival.wait(Lock, HasArrived);
  if (For.count()) {
    Shared.Arrival.wait_for(Lock, For, HasArrived);
  } else if (!HasArrived()) {
    Lock.unlock();
    std::this_thread::yield();
  }
  if (Lock.owns_lock())
    Lock.unlock();
  if (Progress::run())
    Shared.Pauses.reset();
}

bool Transfer::hasOnlyCopies() const {
  for (const auto &L : Lanes)
    if (!L->hasOnlyCopies())
      return false;
  return !Shared.failed();
}

MoveResult Transfer::result() {
  // Whoever has the event is told: nobody has to be by the queue.
  if (Shared.HasDeviceFailed && Shared.Queue)
    (void)Shared.D->plugin().api().queue_wait(Shared.Queue);
  for (const auto &L : Lanes)
    Shared.Result.Bytes += L->bytesMoved();
  return std::move(Shared.Result);
}

bool Transfer::ended(MoveResult &Result) {
  for (const auto &L : Lanes) {
    (void)L->step();
    if (!L->isDone())
      return false;
  }
  Result = result();
  return true;
}

MoveResult Transfer::run(const std::shared_ptr<Transfer> &Self) {
  if (!isOrdered())
    if (Status S = awaitQueue(); S.failed())
      return {0, -EIO, S.text(), false, nullptr};
  for (;;) {
    bool AllDone = true, GotOn = Shared.takeArrived();
    for (const auto &L : Lanes)
      GotOn |= L->step();
    if (Joint && !Shared.failed())
      startTogether();
    for (const auto &L : Lanes)
      AllDone &= L->isDone();
    if (AllDone)
      return result();
    if (MayLeaveCopies && hasOnlyCopies()) {
      MoveResult R;
      for (const auto &L : Lanes)
        R.Bytes += L->bytesMoved() + L->bytesCopying();
      R.Left = Self;
      return R;
    }
    if (GotOn)
      Shared.Pauses.reset();
    else
      await();
  }
}

MoveResult accx::runPipeline(Device *D, accx_queue Queue,
                             std::vector<Stream> Streams, bool Joint) {
  const auto All =
      std::make_shared<Transfer>(D, Queue, std::move(Streams), Joint);
  return All->run(All);
}

//===----------------------------------------------------------------------===//
// What movers call
//===----------------------------------------------------------------------===//

void Piece::end(MoveResult R) {
  auto &P = static_cast<MovingPiece &>(*this);
  P.Result = std::move(R);
  P.Of.Shared.arrive(P);
}

void Piece::take(ShareOffer Offer) {
  auto &P = static_cast<MovingPiece &>(*this);
  P.Offer = std::make_unique<ShareOffer>(std::move(Offer));
  P.Of.Shared.arrive(P);
}

Mover &Piece::mover() const {
  return static_cast<const MovingPiece &>(*this).Of.mover();
}

void PipelineState::arrive(MovingPiece &P) {
  // Notified with the lock: the transfer may be gone once it is free.
  std::lock_guard Lock(Mutex);
  Arrived.push_back(&P);
  Arrival.notify_one();
}

bool PipelineState::takeArrived() {
  std::vector<MovingPiece *> Now;
  {
    std::lock_guard Lock(Mutex);
    Now.swap(Arrived);
  }
  for (MovingPiece *P : Now)
    P->Of.arrived(*P);
  return !Now.empty();
}

void PipelineState::fail(int Code, std::string Text, size_t At) {
  if (failed() && At >= FailedAt)
    return;
  FailedAt = At;
  Result.Code = Code;
  Result.Text = std::move(Text);
}
