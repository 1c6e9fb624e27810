//===- Message.h - What messages in and out share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces come from the runtime, or from memory of the host (HostMove.h), wait
// for their turn, are in flight as requests of MPI, and end.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_MESSAGE_H
#define ACCX_MPI_MESSAGE_H

#include "Engine.h"
#include "Piece.h"

#include <cerrno>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace accx::mpi {

/// All but the constructor is called with the engine.
class Message : public Task, public std::enable_shared_from_this<Message> {
public:
  /// The runtime, or the host's side, has a piece.
  void give(const Piece &P);
  /// The operation has ended: what is left of the message is the engine's.
  void finished(int Code);
  /// The other half of a send and receive: if one fails, the other must not
  /// wait for a message that may never come.
  void pairWith(const std::shared_ptr<Message> &Other) { Half = Other; }
  bool advance(Clock::time_point Now) final;
  void close(bool All) final;
  /// Fails what has not begun on the other side; false: too late.
  bool cancel(int Code, const char *Why);

  MPI_Comm comm() const { return Comm; }
  int peer() const { return Peer; }
  int tag() const { return Tag; }

protected:
  Message(MPI_Comm Comm, int Peer, int Tag)
      : Comm(Comm), Peer(Peer), Tag(Tag) {}

  /// A piece that MPI has.
  struct Flight {
    Requests::Id Request;
    Piece P;
  };

  /// Takes its place in the order of messages.
  virtual void enter() = 0;
  /// Posts what may be posted; false: nothing is left to do.
  virtual bool step() = 0;
  /// It failed: MPI is to have no more of its pieces.
  virtual void giveUp() = 0;
  /// Whether the other side has begun, so that it must be carried on.
  virtual bool hasBegun() const = 0;
  /// What has come so far, for the text of a time-out.
  virtual std::string soFar() const = 0;

  /// Registers with the engine, the first time.
  void begin();
  /// The first failure counts. Ends the pieces that wait.
  void fail(int Code, std::string Why);
  void failMpi(int Error) { fail(-EIO, errorText(Error)); }
  bool failed() const { return Status != 0; }
  /// Ends a piece; with the failure if there is one.
  void endPiece(const Piece &P, size_t Size, bool Keeps = false);
  void endWaiting();
  Piece takeWaiting();
  /// Takes a piece whose request has ended off the list.
  Piece land(Requests::Id Request);
  /// Whether the other side's rank exists; fails otherwise.
  bool checkPeer();

  const MPI_Comm Comm;
  int Peer;
  int Tag;
  /// In the order of At.
  std::deque<Piece> Waiting;
  std::vector<Flight> Flights;
  size_t Bytes = 0; ///< Moved so far.
  int Status = 0;
  std::string Text;
  /// All has been said to the other side: further pieces are empty.
  bool IsOver = false;
  /// An offer waits for its answer.
  bool AwaitsAnswer = false;

private:
  void checkTimeout(Clock::time_point Now);

  bool HasBegun = false;
  /// When the other side was last seen to do something, or was first needed.
  Clock::time_point LastMove;
  std::weak_ptr<Message> Half;
};

} // namespace accx::mpi

#endif // ACCX_MPI_MESSAGE_H
