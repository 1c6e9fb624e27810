//===- Message.cpp - What messages in and out share -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include "Settings.h"

#include <algorithm>
#include <cstdio>

using namespace accx::mpi;

void Message::begin() {
  if (HasBegun)
    return;
  HasBegun = true;
  LastMove = Clock::now();
  enter();
  Engine::get().add(shared_from_this());
}

void Message::give(const Piece &P) {
  if (failed() || IsOver)
    return endPiece(P, 0);
  if (!HasBegun && Engine::get().isClosing()) {
    fail(-ECANCELED, "MPI_Finalize was called");
    return endPiece(P, 0);
  }
  if (Waiting.empty() && Flights.empty())
    LastMove = Clock::now();
  // The first piece comes again where memory was offered in vain.
  const auto Behind = std::find_if(Waiting.begin(), Waiting.end(),
                                   [&](const Piece &Q) { return Q.At > P.At; });
  Waiting.insert(Behind, P);
  begin();
}

void Message::finished(int Code) {
  if (Code < 0 && HasBegun && !IsOver)
    fail(Code, "the operation failed");
}

bool Message::advance(Clock::time_point Now) {
  checkTimeout(Now);
  return step();
}

void Message::checkTimeout(Clock::time_point Now) {
  const auto Limit = Settings::get().Timeout;
  const bool Needs = !Waiting.empty() || !Flights.empty() || AwaitsAnswer;
  if (!Limit.count() || !Needs || failed() || Now - LastMove < Limit)
    return;
  char Time[32];
  std::snprintf(Time, sizeof(Time), "%g",
                std::chrono::duration<double>(Limit).count());
  fail(-ETIMEDOUT, std::string("no answer for ") + Time + " s, " + soFar());
  giveUp();
}

void Message::close(bool All) {
  if (!All && hasBegun())
    return;
  fail(-ECANCELED, "MPI_Finalize was called");
  giveUp();
}

bool Message::cancel(int Code, const char *Why) {
  if (failed() || IsOver || hasBegun())
    return false;
  fail(Code, Why);
  giveUp();
  return true;
}

void Message::fail(int Code, std::string Why) {
  const bool IsFirst = !failed();
  if (IsFirst) {
    Status = Code;
    Text = std::move(Why);
  }
  endWaiting();
  // After this one's pieces: the operation's failure is the first it is told.
  if (const auto Other = Half.lock(); Other && IsFirst)
    Other->cancel(-ECANCELED, "the other half of the exchange failed");
}

void Message::endPiece(const Piece &P, size_t Size, bool Keeps) {
  if (failed())
    return P.end(0, Status, Text, Keeps);
  Bytes += Size;
  if (Size)
    LastMove = Clock::now();
  P.end(Size);
}

void Message::endWaiting() {
  while (!Waiting.empty())
    endPiece(takeWaiting(), 0);
}

Piece Message::takeWaiting() {
  const Piece P = Waiting.front();
  Waiting.pop_front();
  return P;
}

Piece Message::land(Requests::Id Request) {
  const auto At =
      std::find_if(Flights.begin(), Flights.end(),
                   [&](const Flight &F) { return F.Request == Request; });
  const Piece P = At->P;
  Flights.erase(At);
  return P;
}

bool Message::checkPeer() {
  int IsInter = 0, Size = 0;
  PMPI_Comm_test_inter(Comm, &IsInter);
  if (IsInter)
    PMPI_Comm_remote_size(Comm, &Size);
  else
    PMPI_Comm_size(Comm, &Size);
  if (Peer == MPI_ANY_SOURCE || (Peer >= 0 && Peer < Size))
    return true;
  fail(-EINVAL, "the communicator has " + std::to_string(Size) + " ranks");
  return false;
}
