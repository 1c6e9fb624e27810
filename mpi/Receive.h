//===- Receive.h - A message in ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message is looked for with a matched probe rather than with a posted
// receive: its size is known before MPI gets memory for it, so that nothing is
// ever truncated (an error that ends most programs), and a receive that nobody
// answers has left nothing with MPI. Chunks, whose size is known, are posted
// ahead.
//
//   Probing -> plain                                            -> over
//           -> first message -> chunks                          -> over
//                            -> offer -> copied                 -> over
//                                     -> declined -> Probing
//
// A message that fails half way is received to its end all the same, into
// memory of the library, so that later ones are not taken for its chunks.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_RECEIVE_H
#define ACCX_MPI_RECEIVE_H

#include "Message.h"
#include "Wire.h"

namespace accx::mpi {

/// What accx_recv_result says.
struct ReceiveResult {
  bool IsKnown = false;
  int Source = MPI_ANY_SOURCE;
  int Tag = MPI_ANY_TAG;
  size_t Size = 0;
};

class Receive final : public Message {
public:
  Receive(MPI_Comm Comm, int Source, int Tag, size_t Capacity,
          void (*AtTaken)(void *, int))
      : Message(Comm, Source, Tag), Result(std::make_shared<ReceiveResult>()),
        AtTaken(AtTaken), Capacity(Capacity) {}

  /// The runtime has copied what was offered, or cannot. With the engine.
  void taken(bool IsCopied);
  /// Nobody may call MPI any more.
  void takenTooLate() { Taken.end(Total); }
  /// To be read when the last piece has ended.
  const std::shared_ptr<ReceiveResult> Result;
  /// accx_stream::self, for __accx_piece_take().
  void (*const AtTaken)(void *, int);

private:
  enum { Probing, First, Chunks, Taking } State = Probing;

  void enter() override;
  bool step() override;
  void giveUp() override;
  bool hasBegun() const override { return Result->IsKnown; }
  std::string soFar() const override;

  /// Pieces behind the first are there before it where memory was offered in
  /// vain.
  bool hasFirst() const { return !Waiting.empty() && Waiting.front().At == 0; }
  void probe();
  void receivePlain(MPI_Message &Of, int Size);
  void receiveFirst(MPI_Message &Of, size_t Size);
  void receiveOwn(MPI_Message &Of, int Size);
  bool readTrailer(const Trailer &End, size_t Size);
  void readOwn(const std::vector<char> &Data);
  void readPlain(const std::vector<char> &Data);
  void readNotice(const Trailer &End, const char *OfParts);
  void failTooLong();
  void hasTotal(const Trailer &End);
  void takeOffer(const char *OfParts);
  void answer(Answer A, const Piece &Then);
  void postChunks();
  void postChunk(const Piece &P, size_t Size);
  void drainChunk();
  void leave();

  const size_t Capacity;
  size_t Total = 0;
  size_t Chunk = 0;
  /// Where the next chunk begins that MPI has no memory for yet.
  size_t NextAt = 0;
  bool HasLeft = false;
  /// A chunk that nobody wants is being received.
  bool IsDraining = false;
  std::vector<char> Unwanted;
  Requests::Id Drain = 0;
  /// Of an offer.
  Trailer Offered;
  std::vector<accx_share_part> Parts;
  Piece Taken;
};

} // namespace accx::mpi

#endif // ACCX_MPI_RECEIVE_H
