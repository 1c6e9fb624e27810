//===- Channels.cpp - Transfers that a library carries out ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of accx/channel.h.
//
//===----------------------------------------------------------------------===//

#include "abi/Operations.h"
#include "event/Progress.h"
#include "report/PathBytes.h"

#include <accx/channel.h>

#include <cerrno>
#include <chrono>

using namespace accx;
using acc::eventOf;

namespace {

/// A library's stream as a mover.
class LibraryMover final : public Mover {
public:
  explicit LibraryMover(const accx_stream &S) : S(S) {
    Offers = S.offer;
    IsMessage = true;
  }
  void start(void *Data, size_t At, size_t Size, Piece &P) override {
    S.start(S.self, Data, At, Size, &P);
  }
  bool offer(const std::vector<accx_share_part> &Parts, Piece &P) override {
    return S.offer(S.self, static_cast<int>(Parts.size()), Parts.data(), &P) !=
           0;
  }
  const accx_stream S;
};

/// A transfer from its call to its end.
struct LibraryTransfer {
  std::vector<std::unique_ptr<LibraryMover>> Movers;
  std::vector<Stream> Streams;
  std::vector<std::shared_ptr<ConstructTail>> Pins;
  bool Joint = false;
  std::string What;
  const char *Path = nullptr;

  /// Places the streams' memory; false if one is partly present.
  bool add(Device *D, const accx_stream &S);
  MoveResult run(Device *D, accx_queue Queue);
};

bool LibraryTransfer::add(Device *D, const accx_stream &S) {
  const accx_section All = {S.address, S.size, 1, S.size};
  acc::PlacedSections Placed;
  if (!acc::place(D, &All, 1, Placed))
    return false;
  Movers.push_back(std::make_unique<LibraryMover>(S));
  Pins.push_back(std::move(Placed.Pins));
  Stream New;
  New.Out = S.direction == ACCX_OUT;
  New.Sections = std::move(Placed.Sections);
  New.OnHost = Placed.OnHost;
  New.FirstBytes = S.first_bytes;
  New.PieceBytes = S.piece_bytes;
  New.Depth = S.depth ? S.depth : 1;
  New.To = Movers.back().get();
  Streams.push_back(std::move(New));
  return true;
}

MoveResult LibraryTransfer::run(Device *D, accx_queue Queue) {
  using Clock = std::chrono::steady_clock;
  const auto Begin = Clock::now();
  const bool Out = !Streams.empty() && Streams.front().Out;
  MoveResult R = runPipeline(D, Queue, std::move(Streams), Joint);
  const auto Ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
      Clock::now() - Begin);
  if (R.Code == 0)
    countPath(Path, Out, R.Bytes, static_cast<uint64_t>(Ns.count()));
  else
    R.Text = What + ": " + R.Text;
  return R;
}

} // namespace

ACCX_ABI int __accx_transfer(int Queue, const accx_transfer *T, int NumWait,
                             const accx_event_t *Wait, accx_event_t *Event) {
  ACCX_ROUTINE(accx_transfer);
  if (!T || T->nstreams < 0 || (T->nstreams && !T->streams))
    return -EINVAL;
  Device *D = acc::currentDevice(Self);
  auto Own = std::make_shared<LibraryTransfer>();
  Own->Joint = T->joint;
  Own->What = T->what ? T->what : "transfer";
  Own->Path = T->path ? T->path : "message";
  for (int I = 0; I < T->nstreams; ++I)
    if (!Own->add(D, T->streams[I]))
      return -EINVAL;
  accx::Event::Callback AtEnd;
  if (T->finish)
    AtEnd = [Finish = T->finish, Of = T->self](accx::Event &E) {
      Finish(Of, E.status());
    };
  return acc::queueOperation(
      {Self, Queue, NumWait, Wait, Event}, D, Own->Path,
      [Own](Device *On, accx_queue Queue) { return Own->run(On, Queue); },
      std::move(AtEnd));
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

ACCX_ABI void __accx_piece_end(accx_piece_t P, size_t Size, int Status,
                               const char *Message, int Keeps) {
  static_cast<Piece *>(P)->end(
      {Size, Status, Message ? Message : "", Keeps != 0, nullptr});
}

ACCX_ABI void __accx_piece_take(accx_piece_t P, uint64_t Owner, int NumParts,
                                const accx_share_part *Parts, size_t Size,
                                void (*Taken)(void *, int)) {
  auto *Of = static_cast<Piece *>(P);
  void *Stream = static_cast<LibraryMover &>(Of->mover()).S.self;
  Of->take({Owner, {Parts, Parts + NumParts}, Size, [=](int Status) {
              Taken(Stream, Status);
            }});
}

//===----------------------------------------------------------------------===//
// Progress and events
//===----------------------------------------------------------------------===//

ACCX_ABI void __accx_progress_add(accx_progress_fn Fn) {
  Progress::get().add(Fn);
}

ACCX_ABI void __accx_progress_remove(accx_progress_fn Fn) {
  Progress::get().remove(Fn);
}

ACCX_ABI void __accx_progress_wake(void) { Progress::get().wake(); }

ACCX_ABI int __accx_event_create(accx_event_t *E) {
  if (!E)
    return -EINVAL;
  *E = new Event;
  return 0;
}

ACCX_ABI void __accx_event_end(accx_event_t E, int Status,
                               const char *Message) {
  eventOf(E)->finish(Status, Message ? Message : "");
}

ACCX_ABI int __accx_event_attach(accx_event_t E, void *Data,
                                 void (*Drop)(void *)) {
  return E && eventOf(E)->attach(Data, Drop) ? 0 : -EINVAL;
}

ACCX_ABI void *__accx_event_attached(accx_event_t E) {
  return E ? eventOf(E)->attached() : nullptr;
}
