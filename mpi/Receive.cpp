//===- Receive.cpp - A message in -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Receive.h"

#include "Node.h"
#include "Order.h"

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
  const bool IsPlain = Size >= 0 && size_t(Size) <= PlainBytes;
  if (IsPlain)
    Result->Size = Total = static_cast<size_t>(Size);
  if (IsPlain && !failed() && Total <= Waiting.front().Size)
    return receivePlain(Of, Size);
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
  Flights.push_back({Id, P, /*IsCopy=*/false});
  leave();
}

/// Into memory of the library: the first message of a long one, or one that
/// there is no room for.
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
  if (Data.size() <= PlainBytes) {
    fail(-EMSGSIZE, "the message has " + std::to_string(Data.size()) +
                        " bytes, there is room for " +
                        std::to_string(Capacity));
    return leave();
  }
  Trailer End;
  if (Data.size() == FirstBytes)
    std::memcpy(&End, Data.data() + PlainBytes, sizeof(End));
  if (Data.size() != FirstBytes || End.Magic != Trailer::Number ||
      End.Version != Trailer::Current || End.Total <= PlainBytes ||
      End.Chunk == 0 || End.Chunk > INT32_MAX) {
    Result->Size = Data.size();
    fail(-EPROTO, "a message of MPI's own of " + std::to_string(Data.size()) +
                      " bytes; beyond " + std::to_string(PlainBytes) +
                      " its type has to be MPI_CL_MEM");
    return leave();
  }
  Result->Size = Total = End.Total;
  Chunk = End.Chunk;
  if (End.Flags & Trailer::GivenUp) {
    fail(-ECONNABORTED, "the sender has given up");
    return leave();
  }
  if (Total > Capacity)
    fail(-EMSGSIZE, "the message has " + std::to_string(Total) +
                        " bytes, there is room for " +
                        std::to_string(Capacity));
  if (End.Flags & Trailer::Offer) {
    Offered = End;
    return takeOffer(Data.data());
  }
  NextAt = PlainBytes;
  State = Chunks;
  if (failed())
    return;
  const Piece P = takeWaiting();
  std::memcpy(P.Data, Data.data(), PlainBytes);
  endPiece(P, PlainBytes);
}

//===----------------------------------------------------------------------===//
// Offers
//===----------------------------------------------------------------------===//

void Receive::takeOffer(const char *Data) {
  if (failed()) {
    answer(Answer::Copied); // There is no room for it anywhere.
    return leave();
  }
  Parts.resize(
      std::min<size_t>(Offered.Parts, PlainBytes / sizeof(accx_share_part)));
  std::memcpy(Parts.data(), Data, Parts.size() * sizeof(Parts[0]));
  const Piece P = Waiting.front();
  if (!P.Runtime || Parts.empty() ||
      !Node::get().findDescriptors(static_cast<int>(Offered.Owner), Parts)) {
    answer(Answer::Declined);
    State = Probing;
    return;
  }
  (void)takeWaiting();
  State = Taking;
  __accx_piece_take(P.Runtime, Offered.Owner, static_cast<int>(Parts.size()),
                    Parts.data(), Total, AtTaken);
}

void Receive::taken(bool IsCopied) {
  answer(IsCopied ? Answer::Copied : Answer::Declined);
  State = Probing;
  if (!IsCopied)
    return;
  Node::get().closeDescriptors(static_cast<int>(Offered.Owner), Parts);
  Bytes = Total;
  leave();
}

void Receive::answer(Answer A) {
  const auto Data = std::make_shared<Answer>(A);
  MPI_Request R = MPI_REQUEST_NULL;
  if (PMPI_Isend(Data.get(), sizeof(Answer), MPI_BYTE,
                 static_cast<int>(Offered.Owner), static_cast<int>(Offered.Op),
                 Node::get().control(), &R) == MPI_SUCCESS)
    Engine::get().requests().add(
        R, [Data](Requests::Id, int, const MPI_Status &) {});
}
