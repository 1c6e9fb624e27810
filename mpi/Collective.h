//===- Collective.h - Collective operations ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI matches collective operations of a communicator by their order. Here that
// is the order of the program's calls, whatever the order in which their queues
// come to them: an operation begins when the one before is wholly with MPI. One
// that fails before it has begun is left out.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_COLLECTIVE_H
#define ACCX_MPI_COLLECTIVE_H

#include "Engine.h"
#include "Piece.h"

#include <cerrno>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace accx::mpi {

/// All but the constructor is called with the engine.
class Collective : public Task,
                   public std::enable_shared_from_this<Collective> {
public:
  Collective(MPI_Comm Comm, size_t NumStreams)
      : Comm(Comm), Waiting(NumStreams) {}

  /// Takes its place in the order; when the program calls.
  void enter();
  /// The runtime has a piece of stream \p Stream.
  void give(size_t Stream, const Piece &P);
  void finished(int Code);
  bool advance(Clock::time_point Now) final;
  void close(bool All) final;

protected:
  /// Gives MPI what there is; true: that was all.
  virtual bool post() = 0;

  /// The pieces are \p R's from now on; whatever \p Kept holds, too.
  void fly(MPI_Request R, std::vector<Piece> Pieces,
           std::shared_ptr<void> Kept = nullptr);
  void fail(int Code, std::string Why);
  void failMpi(int Error) { fail(-EIO, errorText(Error)); }
  Piece takeWaiting(size_t Stream);

  const MPI_Comm Comm;
  /// By stream, in order.
  std::vector<std::deque<Piece>> Waiting;
  int Status = 0;

private:
  struct Flight {
    Requests::Id Request;
    std::vector<Piece> Pieces;
  };

  void endPiece(const Piece &P, size_t Size, bool Keeps = false);
  void giveUp();
  void leave();

  std::string Text;
  std::vector<Flight> Flights;
  bool HasBegun = false;
  bool HasPosted = false;
  bool HasLeft = false;
  Clock::time_point LastMove;
};

} // namespace accx::mpi

#endif // ACCX_MPI_COLLECTIVE_H
