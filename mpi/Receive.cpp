//===- Receive.cpp - A message in -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Receive.h"

#include "Node.h"
#include "Order.h"
#include "TrailerType.h"

#include <cerrno>
#include <cstring>

using namespace accx::mpi;

void Receive::enter() { ReceiveOrder::get().enter(*this); }

void Receive::leave() {
  ReceiveOrder::get().leave(*this);
  HasLeft = IsOver = true;
  endWaiting(); // Room beyond the message's end.
}

std::string Receive::soFar() const {
  if (!Result->IsKnown)
    return "no message came";
  return std::to_string(Bytes) + " of " + std::to_string(Total) + " bytes came";
}

bool Receive::step() {
  switch (State) {
  case Probing:
    if (failed() && !Result->IsKnown)
      leave();
    else if ((hasFirst() || failed()) && ReceiveOrder::get().isFirst(*this))
      probe();
    return !IsOver;
  case First:
  case Taking:
    return !IsOver || !Flights.empty();
  case Chunks:
    postChunks();
    return !IsOver || !Flights.empty();
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The first message
//===----------------------------------------------------------------------===//

void Receive::probe() {
  if (!Result->IsKnown && !checkPeer())
    return leave();
  int IsThere = 0;
  MPI_Message Of = MPI_MESSAGE_NULL;
  MPI_Status Found;
  if (const int Error = PMPI_Improbe(Peer, Tag, Comm, &IsThere, &Of, &Found)) {
    failMpi(Error);
    return leave();
  }
  if (!IsThere)
    return;
  Result->IsKnown = true;
  Result->Source = Peer = Found.MPI_SOURCE;
  Result->Tag = Tag = Found.MPI_TAG;
  int Size = 0;
  PMPI_Get_count(&Found, MPI_BYTE, &Size);
  State = First;
  const auto All = static_cast<size_t>(std::max(Size, 0));
  const size_t Room = failed() ? 0 : Waiting.front().Size;
  const bool MayBeNotice = hasNoticeSize(All) && Node::get().hasNeighbours();
  if (Size >= 0 && All <= PlainBytes && !MayBeNotice && !failed() &&
      All <= Room) {
    Result->Size = Total = All;
    return receivePlain(Of, Size);
  }
  if (All >= ShortestLong && !failed() && All - sizeof(Trailer) <= Room)
    return receiveFirst(Of, All - sizeof(Trailer));
  receiveOwn(Of, Size);
}

void Receive::receivePlain(MPI_Message &Of, int Size) {
  const Piece P = takeWaiting();
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Imrecv(P.Data, Size, MPI_BYTE, &Of, &R)) {
    failMpi(Error);
    endPiece(P, 0);
    return leave();
  }
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R, [this, Self](Requests::Id Of, int Error, const MPI_Status &) {
        const Piece Came = land(Of);
        if (Error)
          failMpi(Error);
        endPiece(Came, Total);
      });
  Flights.push_back({Id, P});
  leave();
}

/// The first message of a long one, to where its \p Size bytes of data belong.
void Receive::receiveFirst(MPI_Message &Of, size_t Size) {
  const Piece P = takeWaiting();
  const auto End = std::make_shared<Trailer>();
  const TrailerType Type(P.Data, Size, End.get());
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Imrecv(MPI_BOTTOM, 1, Type.get(), &Of, &R)) {
    failMpi(Error);
    endPiece(P, 0);
    return leave();
  }
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R,
      [this, Self, End, Size](Requests::Id Of, int Error, const MPI_Status &) {
        const Piece Came = land(Of);
        if (Error)
          failMpi(Error);
        const bool IsRight = !Error && readTrailer(*End, Size);
        endPiece(Came, IsRight ? Size : 0);
        if (!IsRight)
          leave();
      });
  Flights.push_back({Id, P});
}

/// Into memory of the library: a notice, or what there is no room for.
void Receive::receiveOwn(MPI_Message &Of, int Size) {
  // A length beyond int is no message of this library's, nor received by it.
  const auto Data = std::make_shared<std::vector<char>>(
      static_cast<size_t>(std::max(Size, 0)));
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error =
          PMPI_Imrecv(Data->data(), std::max(Size, 0), MPI_BYTE, &Of, &R)) {
    failMpi(Error);
    return leave();
  }
  const auto Self = shared_from_this();
  Engine::get().requests().add(
      R, [this, Self, Data](Requests::Id, int Error, const MPI_Status &) {
        if (Error) {
          failMpi(Error);
          return leave();
        }
        readOwn(*Data);
      });
}

void Receive::readOwn(const std::vector<char> &Data) {
  const size_t Size = Data.size() - sizeof(Trailer);
  Trailer End;
  if (Data.size() >= sizeof(End))
    std::memcpy(&End, Data.data() + Size, sizeof(End));
  else
    End.Magic = 0;
  if (Data.size() <= PlainBytes) {
    if (hasNoticeSize(Data.size()) &&
        End.Parts * sizeof(accx_share_part) == Size &&
        Node::get().isSigned(End))
      return readNotice(End, Data.data());
    return readPlain(Data);
  }
  if (!readTrailer(End, Size))
    return leave();
  if (failed())
    return;
  const Piece P = takeWaiting();
  std::memcpy(P.Data, Data.data(), std::min(Size, P.Size));
  endPiece(P, std::min(Size, P.Size));
}

void Receive::readPlain(const std::vector<char> &Data) {
  Result->Size = Total = Data.size();
  if (failed() || Total > Waiting.front().Size) {
    failTooLong();
    return leave();
  }
  const Piece P = takeWaiting();
  if (Total)
    std::memcpy(P.Data, Data.data(), Total);
  endPiece(P, Total);
  leave();
}

void Receive::readNotice(const Trailer &End, const char *OfParts) {
  if (End.Flags & Trailer::GivenUp) {
    Result->Size = End.Total;
    fail(-ECONNABORTED, "the sender has given up");
    return leave();
  }
  hasTotal(End);
  Offered = End;
  takeOffer(OfParts);
}

void Receive::failTooLong() {
  fail(-EMSGSIZE, "the message has " + std::to_string(Total) +
                      " bytes, there is room for " + std::to_string(Capacity));
}

void Receive::hasTotal(const Trailer &End) {
  Result->Size = Total = End.Total;
  Chunk = End.Chunk;
  if (Total > Capacity)
    failTooLong();
}

/// What comes behind the first message, which has \p Size bytes of data. False:
/// nothing does. A message for which there is no room fails and is drained.
bool Receive::readTrailer(const Trailer &End, size_t Size) {
  if (End.Magic != Trailer::Number || End.Version != Trailer::Current ||
      End.Total <= PlainBytes || End.Chunk == 0 || End.Chunk > INT32_MAX ||
      Size != firstPart(End.Total, End.Chunk)) {
    Result->Size = Size + sizeof(Trailer);
    fail(-EPROTO, "a message of MPI's own of " + std::to_string(Result->Size) +
                      " bytes; beyond " + std::to_string(PlainBytes) +
                      " its type has to be MPI_CL_MEM");
    return false;
  }
  hasTotal(End);
  NextAt = Size;
  State = Chunks;
  return true;
}

//===----------------------------------------------------------------------===//
// Offers
//===----------------------------------------------------------------------===//

void Receive::takeOffer(const char *OfParts) {
  if (failed()) {
    answer(Answer::Copied, {}); // There is no room for it anywhere.
    return leave();
  }
  Parts.resize(Offered.Parts);
  if (!Parts.empty())
    std::memcpy(Parts.data(), OfParts, Parts.size() * sizeof(Parts[0]));
  const Piece P = Waiting.front();
  if (!P.Runtime || Parts.empty() ||
      !Node::get().findDescriptors(static_cast<int>(Offered.Owner), Parts)) {
    answer(Answer::Declined, {});
    State = Probing;
    return;
  }
  Taken = takeWaiting();
  State = Taking;
  __accx_piece_take(P.Runtime, Offered.Owner, static_cast<int>(Parts.size()),
                    Parts.data(), Total, AtTaken);
}

void Receive::taken(bool IsCopied) {
  State = Probing;
  if (!IsCopied)
    return answer(Answer::Declined, {});
  answer(Answer::Copied, Taken);
  Node::get().closeDescriptors(static_cast<int>(Offered.Owner), Parts);
  leave();
}

/// \p Then, if it is a piece, ends when MPI has the answer: before that the
/// program must not go on, to a call of MPI perhaps that does not send it.
void Receive::answer(Answer A, const Piece &Then) {
  const auto Data = std::make_shared<Answer>(A);
  const auto Self = shared_from_this();
  auto Sent = [this, Self, Data, Then](Requests::Id, int, const MPI_Status &) {
    if (Then.Runtime)
      endPiece(Then, Total);
  };
  MPI_Request R = MPI_REQUEST_NULL;
  if (PMPI_Isend(Data.get(), sizeof(Answer), MPI_BYTE,
                 static_cast<int>(Offered.Owner), static_cast<int>(Offered.Op),
                 Node::get().control(), &R) == MPI_SUCCESS)
    Engine::get().requests().add(R, std::move(Sent));
  else
    Sent({}, 0, {});
}
