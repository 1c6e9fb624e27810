//===- Call.h - Calls that queue messages -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of accx/mpi.h share: checks of arguments, and the way into
// the runtime's queues.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_CALL_H
#define ACCX_MPI_CALL_H

#include "Engine.h"
#include "Piece.h"

#include <accx/mpi.h>

#include <cerrno>
#include <memory>
#include <string>

namespace accx::mpi {

/// "3", "any rank", "no rank".
std::string rankText(int Rank);
std::string tagText(int Tag);

/// Whether \p Comm, and \p Size bytes at \p Data, may be used at all.
bool isUsable(MPI_Comm Comm, const void *Data, size_t Size);
bool isTag(int Tag, bool AnyToo);
bool isPeer(int Peer, bool AnyToo);

/// The last arguments of a function that queues an operation.
struct Call {
  int Queue;
  int NumWait;
  const accx_event_t *Wait;
  accx_event_t *Event;

  /// Queues \p T. \p AtRefusal is called if the runtime refuses it without
  /// calling finish. With \p Attached, that is kept with the event.
  int queue(const accx_transfer &T, void (*AtRefusal)(void *Self),
            void *Attached = nullptr, void (*Drop)(void *) = nullptr) const;
};

/// A stream that is one message in or out: its first part, then chunks.
accx_stream messageStream(int Direction, const void *Data, size_t Size);

/// Hands \p P to \p To, which has give(), with the engine.
template <typename Target>
void handOver(const std::shared_ptr<Target> &To, const Piece &P) {
  if (!Engine::get().post([To, P] { To->give(P); }))
    P.end(0, -ECANCELED, "MPI_Finalize was called");
}

} // namespace accx::mpi

#endif // ACCX_MPI_CALL_H
