//===- Send.cpp - A message out -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Send.h"

#include "Node.h"
#include "Order.h"
#include "Settings.h"
#include "TrailerType.h"

#include <cerrno>
#include <cstring>

using namespace accx::mpi;

Send::Send(MPI_Comm Comm, int Dest, int Tag, size_t Total)
    : Message(Comm, Dest, Tag), Total(Total), Chunk(Settings::get().Chunk) {}

void Send::enter() { SendOrder::get().enter(*this); }

std::string Send::soFar() const {
  return std::to_string(Bytes) + " of " + std::to_string(Total) +
         " bytes were taken";
}

bool Send::step() {
  if (!HasLeft && SendOrder::get().isFirst(*this))
    postMore();
  if (AwaitsAnswer || (HasPosted ? !allPosted() : !failed()))
    return true;
  // Later messages may go now, whether these have arrived or not.
  if (!HasLeft)
    SendOrder::get().leave(*this);
  HasLeft = true;
  IsOver = Flights.empty();
  return !IsOver;
}

void Send::postMore() {
  if (IsOffering && !HasPosted && !failed())
    postOffer();
  if (!HasPosted && !Waiting.empty())
    (void)checkPeer();
  while (!failed() && !Waiting.empty())
    post(takeWaiting());
  if (!failed() || AwaitsAnswer)
    return;
  if (HasPosted)
    postRest();
  else if (WasDeclined)
    postGivenUp();
}

void Send::giveUp() {
  // What MPI still reads must stay; a send cannot be taken back.
  for (const Flight &F : std::exchange(Flights, {})) {
    Engine::get().requests().forget(F.Request);
    endPiece(F.P, 0, /*Keeps=*/true);
  }
  if (IsOffering)
    endPiece(std::exchange(Offered, {}), 0);
  IsOffering = false;
  if (AwaitsAnswer && Engine::get().isClosing()) {
    Engine::get().requests().cancelReceive(AnswerRequest);
    AwaitsAnswer = false;
    Posted = Total;
  }
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void Send::post(const Piece &P) {
  const bool IsFirst = P.At == 0 && Total > PlainBytes;
  if (P.At != Posted || P.Size > Total - Posted ||
      (IsFirst && P.Size != firstPart(Total, Chunk))) {
    fail(-EPROTO, "a piece is out of order");
    return endPiece(P, 0);
  }
  HasPosted = true;
  Posted += P.Size;
  if (IsFirst)
    return postFirst(P);
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Isend(P.Data, static_cast<int>(P.Size), MPI_BYTE,
                                   Peer, Tag, Comm, &R)) {
    failMpi(Error);
    return endPiece(P, 0);
  }
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R, [this, Self](Requests::Id Of, int Error, const MPI_Status &) {
        const Piece Sent = land(Of);
        if (Error)
          failMpi(Error);
        endPiece(Sent, Sent.Size);
      });
  Flights.push_back({Id, P});
}

/// The first message of a long one, from where the data lies.
void Send::postFirst(const Piece &P) {
  const auto End = std::make_shared<Trailer>();
  End->Total = Total;
  End->Chunk = Chunk;
  const TrailerType Type(P.Data, P.Size, End.get());
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error =
          PMPI_Isend(MPI_BOTTOM, 1, Type.get(), Peer, Tag, Comm, &R)) {
    failMpi(Error);
    return endPiece(P, 0);
  }
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R, [this, Self, End](Requests::Id Of, int Error, const MPI_Status &) {
        const Piece Sent = land(Of);
        if (Error)
          failMpi(Error);
        endPiece(Sent, Sent.Size);
      });
  Flights.push_back({Id, P});
}

/// What is said to the receiver instead of the message.
void Send::postNotice(Trailer End, const std::vector<accx_share_part> &Of) {
  End.Total = Total;
  End.Chunk = Chunk;
  End.Parts = static_cast<uint32_t>(Of.size());
  Node::get().sign(End);
  const size_t Before = Of.size() * sizeof(Of[0]);
  const auto Copy = std::make_shared<std::vector<char>>(Before + sizeof(End));
  if (Before)
    std::memcpy(Copy->data(), Of.data(), Before);
  std::memcpy(Copy->data() + Before, &End, sizeof(End));
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Isend(Copy->data(), static_cast<int>(Copy->size()),
                                   MPI_BYTE, Peer, Tag, Comm, &R))
    return failMpi(Error);
  const auto Self = shared_from_this();
  Engine::get().requests().add(
      R, [this, Self, Copy](Requests::Id, int Error, const MPI_Status &) {
        if (Error)
          failMpi(Error);
      });
}

/// The chunks that will not come, as empty messages: the receiver has posted
/// receives for them, which would take later messages.
void Send::postRest() {
  for (; Posted < Total; Posted += chunkAt(Posted, Total, Chunk)) {
    MPI_Request R = MPI_REQUEST_NULL;
    if (PMPI_Isend(nullptr, 0, MPI_BYTE, Peer, Tag, Comm, &R) == MPI_SUCCESS)
      Engine::get().requests().add(
          R, [](Requests::Id, int, const MPI_Status &) {});
  }
}

//===----------------------------------------------------------------------===//
// Offers
//===----------------------------------------------------------------------===//

void Send::offer(const Piece &P, std::vector<accx_share_part> Of, int Rank) {
  if (failed() || Engine::get().isClosing())
    return P.end(0, ACCX_MOVE_PIECES);
  Offered = P;
  Parts = std::move(Of);
  World = Rank;
  IsOffering = true;
  begin();
}

void Send::postOffer() {
  if (!checkPeer())
    return giveUp();
  Trailer End;
  End.Flags = Trailer::Offer;
  End.Op = Node::get().nextOffer();

  const auto Reply = std::make_shared<Answer>(Answer::Declined);
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error =
          PMPI_Irecv(Reply.get(), sizeof(Answer), MPI_BYTE, World,
                     static_cast<int>(End.Op), Node::get().control(), &R)) {
    failMpi(Error);
    return giveUp();
  }
  const auto Self = shared_from_this();
  AnswerRequest = Engine::get().requests().add(
      R, [this, Self, Reply](Requests::Id, int Error, const MPI_Status &) {
        if (Error)
          failMpi(Error);
        answered(*Reply);
      });
  HasPosted = AwaitsAnswer = true;
  postNotice(End, Parts);
}

void Send::answered(Answer A) {
  AwaitsAnswer = false;
  if (IsOffering) {
    IsOffering = false;
    const Piece P = std::exchange(Offered, {});
    if (failed())
      endPiece(P, 0);
    else if (A == Answer::Copied)
      P.end(Total);
    else
      P.end(0, ACCX_MOVE_PIECES);
  }
  if (A == Answer::Copied) {
    Posted = Total;
  } else {
    WasDeclined = true;
    HasPosted = false;
  }
}

/// Instead of the message, which the receiver looks for again.
void Send::postGivenUp() {
  Trailer End;
  End.Flags = Trailer::GivenUp;
  HasPosted = true;
  Posted = Total;
  postNotice(End, {});
}
