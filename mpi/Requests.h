//===- Requests.h - Requests of MPI under way -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_REQUESTS_H
#define ACCX_MPI_REQUESTS_H

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace accx::mpi {

/// Text of an error code of MPI.
std::string errorText(int Code);

/// The library's own requests, tested together. Used by whoever has the engine.
class Requests {
public:
  using Id = uint64_t;
  /// \p Error is MPI_SUCCESS or a code of MPI.
  using Done = std::function<void(Id, int Error, const MPI_Status &Status)>;
  enum class Cancelled {
    Yes,   ///< MPI does not touch its memory any more; nothing was received.
    Ended, ///< It came to its end before; its function has been called.
    No,    ///< MPI may still write. Its function is forgotten.
  };

  /// \p Then is called once, by test(), when \p R has ended.
  Id add(MPI_Request R, Done Then);
  /// Calls what belongs to requests that have ended; whether there were any.
  bool test();
  /// Cancels a receive.
  Cancelled cancelReceive(Id Of);
  /// Forgets the function of a request, which stays under way. What the
  /// function held is kept till the request's end.
  void forget(Id Of);
  /// Whether there are any whose end somebody waits for.
  bool areAwaited() const;

private:
  struct Entry {
    Id Number;
    Done Then;
    bool Forgotten = false;
  };
  std::vector<MPI_Request> Under;
  std::vector<Entry> Entries;
  std::vector<int> Indices;
  std::vector<MPI_Status> Statuses;
  Id Next = 1;

  size_t find(Id Of) const;
  void remove(size_t At);
};

} // namespace accx::mpi

#endif // ACCX_MPI_REQUESTS_H
