//===- ReceiveChunks.cpp - The rest of a long message ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks are posted ahead, in order, as the runtime has memory for them. Those
// of a message that failed go to memory of the library, one at a time.
//
//===----------------------------------------------------------------------===//

#include "Order.h"
#include "Receive.h"

#include <cerrno>
#include <utility>

using namespace accx::mpi;

void Receive::postChunks() {
  while (NextAt < Total && !failed() && !Waiting.empty()) {
    const Piece P = takeWaiting();
    const size_t Size = chunkAt(NextAt, Total, Chunk);
    if (P.At == NextAt && P.Size >= Size) {
      postChunk(P, Size);
      continue;
    }
    fail(-EPROTO, "ACCX_MPI_CHUNK is " + std::to_string(Chunk) +
                      " where the message comes from, and another size here");
    endPiece(P, 0);
  }
  if (failed() && NextAt < Total && !IsDraining)
    drainChunk();
  if (NextAt >= Total && !IsDraining && !HasLeft)
    leave();
}

void Receive::postChunk(const Piece &P, size_t Size) {
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Irecv(P.Data, static_cast<int>(Size), MPI_BYTE,
                                   Peer, Tag, Comm, &R)) {
    failMpi(Error);
    return endPiece(P, 0);
  }
  NextAt += Size;
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R, [this, Self, Size](Requests::Id Of, int Error, const MPI_Status &S) {
        const Piece Came = land(Of);
        int Count = 0;
        PMPI_Get_count(&S, MPI_BYTE, &Count);
        if (Error)
          failMpi(Error);
        else if (static_cast<size_t>(Count) != Size)
          fail(-ECONNABORTED, "the sender has given up, " + soFar());
        endPiece(Came, Size);
      });
  Flights.push_back({Id, P});
}

void Receive::drainChunk() {
  const size_t Size = chunkAt(NextAt, Total, Chunk);
  Unwanted.resize(std::max(Unwanted.size(), Size));
  MPI_Request R = MPI_REQUEST_NULL;
  if (PMPI_Irecv(Unwanted.data(), static_cast<int>(Size), MPI_BYTE, Peer, Tag,
                 Comm, &R) != MPI_SUCCESS) {
    NextAt = Total;
    return;
  }
  IsDraining = true;
  const auto Self = shared_from_this();
  Drain = Engine::get().requests().add(
      R, [this, Self, Size](Requests::Id, int, const MPI_Status &) {
        IsDraining = false;
        NextAt += Size;
      });
}

void Receive::giveUp() {
  // MPI matches receives in the order in which they were posted: those that
  // can be cancelled are the last ones, and their chunks are still to come.
  for (const Flight &F : std::vector(Flights)) {
    const auto Was = Engine::get().requests().cancelReceive(F.Request);
    if (Was == Requests::Cancelled::Ended)
      continue;
    (void)land(F.Request);
    if (Was == Requests::Cancelled::Yes && State == Chunks)
      NextAt = std::min(NextAt, F.P.At);
    endPiece(F.P, 0, /*Keeps=*/Was == Requests::Cancelled::No);
  }
  if (State != Chunks)
    return;
  if (Engine::get().isClosing()) {
    // Nobody comes after it.
    if (IsDraining)
      Engine::get().requests().cancelReceive(Drain);
    IsDraining = false;
    NextAt = Total;
  } else if (NextAt < Total && HasLeft) {
    ReceiveOrder::get().enterAgain(*this);
    HasLeft = IsOver = false;
  }
}
