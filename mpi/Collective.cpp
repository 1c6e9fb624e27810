//===- Collective.cpp - Collective operations -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collective.h"

#include "Settings.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

using namespace accx::mpi;

namespace {

/// Operations of one communicator that are not wholly with MPI.
struct Line {
  std::deque<const Collective *> Operations;
  /// One stopped half way: the ranks do not agree any more.
  bool IsBroken = false;
};

Line &lineOf(MPI_Comm Comm) {
  static auto &All = *new std::map<MPI_Comm, Line>;
  return All[Comm];
}

} // namespace

void Collective::enter() {
  lineOf(Comm).Operations.push_back(this);
  LastMove = Clock::now();
  Engine::get().add(shared_from_this());
}

void Collective::leave() {
  if (!HasLeft)
    std::erase(lineOf(Comm).Operations, this);
  HasLeft = true;
}

void Collective::give(size_t Stream, const Piece &P) {
  if (Status)
    return endPiece(P, 0);
  if (!HasBegun)
    LastMove = Clock::now();
  HasBegun = true;
  Waiting[Stream].push_back(P);
}

void Collective::finished(int Code) {
  if (Code < 0)
    fail(Code, "the operation failed");
}

bool Collective::advance(Clock::time_point Now) {
  Line &Of = lineOf(Comm);
  if (!HasLeft && !Status && Of.Operations.front() == this) {
    if (Of.IsBroken && HasBegun)
      fail(-ECONNABORTED, "an earlier collective operation stopped half way");
    else if (HasBegun && post() && !Status)
      leave();
  }
  const auto Limit = Settings::get().Timeout;
  const bool Needs =
      HasBegun && (!Flights.empty() ||
                   std::any_of(Waiting.begin(), Waiting.end(),
                               [](const auto &W) { return !W.empty(); }));
  if (Limit.count() && Needs && !Status && Now - LastMove >= Limit) {
    char Time[32];
    std::snprintf(Time, sizeof(Time), "%g",
                  std::chrono::duration<double>(Limit).count());
    fail(-ETIMEDOUT, std::string("no answer for ") + Time + " s");
    giveUp();
  }
  return !HasLeft || !Flights.empty();
}

void Collective::close(bool All) {
  if (!All && HasPosted)
    return;
  fail(-ECANCELED, "MPI_Finalize was called");
  giveUp();
}

void Collective::fail(int Code, std::string Why) {
  if (!Status) {
    Status = Code;
    Text = std::move(Why);
    if (HasPosted && !HasLeft)
      lineOf(Comm).IsBroken = true;
    leave();
  }
  for (size_t S = 0; S < Waiting.size(); ++S)
    while (!Waiting[S].empty())
      endPiece(takeWaiting(S), 0);
}

/// Nothing of a collective operation can be cancelled.
void Collective::giveUp() {
  for (const Flight &F : std::exchange(Flights, {})) {
    Engine::get().requests().forget(F.Request);
    for (const Piece &P : F.Pieces)
      endPiece(P, 0, /*Keeps=*/true);
  }
}

void Collective::endPiece(const Piece &P, size_t Size, bool Keeps) {
  if (Status)
    P.end(0, Status, Text, Keeps);
  else
    P.end(Size);
}

Piece Collective::takeWaiting(size_t Stream) {
  const Piece P = Waiting[Stream].front();
  Waiting[Stream].pop_front();
  return P;
}

void Collective::fly(MPI_Request R, std::vector<Piece> Pieces,
                     std::shared_ptr<void> Kept) {
  HasPosted = true;
  const auto Self = shared_from_this();
  const auto Id = Engine::get().requests().add(
      R, [this, Self, Kept](Requests::Id Of, int Error, const MPI_Status &) {
        const auto At =
            std::find_if(Flights.begin(), Flights.end(),
                         [&](const Flight &F) { return F.Request == Of; });
        const Flight Landed = std::move(*At);
        Flights.erase(At);
        LastMove = Clock::now();
        if (Error)
          failMpi(Error);
        for (const Piece &P : Landed.Pieces)
          endPiece(P, P.Size);
      });
  Flights.push_back({Id, std::move(Pieces)});
}
