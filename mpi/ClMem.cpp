//===- ClMem.cpp - Messages of type MPI_CL_MEM ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's own functions for the host's side of a message whose other side may be
// memory of a device (section 4.2 of the paper that accx/mpi.h names). Requests
// are generalized requests of MPI.
//
//===----------------------------------------------------------------------===//

#include "ClMem.h"

#include "Export.h"
#include "HostMove.h"
#include "support/Backoff.h"

#include <cerrno>

using namespace accx::mpi;

std::atomic<int> &accx::mpi::openRequests() {
  static std::atomic<int> Number{0};
  return Number;
}

namespace {

int errorClass(int Status) {
  switch (Status) {
  case 0:
    return MPI_SUCCESS;
  case -EMSGSIZE:
    return MPI_ERR_TRUNCATE;
  case -EINVAL:
    return MPI_ERR_RANK;
  default:
    return MPI_ERR_OTHER;
  }
}

void fill(MPI_Status *Status, const ReceiveResult &Result, bool IsCancelled) {
  if (Status == MPI_STATUS_IGNORE)
    return;
  Status->MPI_SOURCE = Result.Source;
  Status->MPI_TAG = Result.Tag;
  PMPI_Status_set_elements_x(Status, MPI_BYTE,
                             static_cast<MPI_Count>(Result.Size));
  PMPI_Status_set_cancelled(Status, IsCancelled);
}

using Move = std::shared_ptr<HostMove>;

//===----------------------------------------------------------------------===//
// Nonblocking
//===----------------------------------------------------------------------===//

int query(void *State, MPI_Status *Status) {
  const HostMove &Of = **static_cast<Move *>(State);
  (void)Of.hasEnded(); // Orders this behind the end, whatever MPI does.
  fill(Status, Of.result(), Of.wasCancelled());
  return Of.wasCancelled() ? MPI_SUCCESS : errorClass(Of.status());
}

int drop(void *State) {
  delete static_cast<Move *>(State);
  return MPI_SUCCESS;
}

int cancel(void *State, int IsComplete) {
  const Move Of = *static_cast<Move *>(State);
  if (!IsComplete)
    Engine::get().post([Of] { Of->cancel(); });
  return MPI_SUCCESS;
}

int begin(const Move &Of, MPI_Request *Request) {
  auto *State = new Move(Of);
  if (const int Error =
          PMPI_Grequest_start(query, drop, cancel, State, Request)) {
    delete State;
    return Error;
  }
  openRequests().fetch_add(1);
  Of->begin([R = *Request](HostMove &) {
    openRequests().fetch_sub(1);
    PMPI_Grequest_complete(R);
  });
  (void)Engine::get().progress(true);
  return MPI_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Blocking
//===----------------------------------------------------------------------===//

/// Moves everything on until \p Of has ended.
int finish(const Move &Of, MPI_Comm Comm, MPI_Status *Status) {
  const auto HasEnded = std::make_shared<std::atomic<bool>>(false);
  Of->begin([HasEnded](HostMove &) { HasEnded->store(true); });
  accx::Backoff Pauses;
  while (!HasEnded->load()) {
    (void)Engine::get().progress(true);
    if (!HasEnded->load())
      Pauses.pause(accx::Backoff::MessageSpin);
  }
  fill(Status, Of->result(), false);
  const int Error = errorClass(Of->status());
  if (Error)
    PMPI_Comm_call_errhandler(Comm, Error);
  return Error;
}

/// Whether the engine carries it out.
bool isOurs(MPI_Datatype Type, int Count, int Peer) {
  return isClMem(Type) && Count >= 0 && Peer != MPI_PROC_NULL &&
         Engine::get().open() == 0;
}

size_t sizeOf(int Count) { return static_cast<size_t>(Count); }

} // namespace

ACCX_MPI_ABI int MPI_Isend(const void *From, int Count, MPI_Datatype Type,
                           int Dest, int Tag, MPI_Comm Comm,
                           MPI_Request *Request) {
  if (!isOurs(Type, Count, Dest))
    return PMPI_Isend(From, Count, Type, Dest, Tag, Comm, Request);
  return begin(HostMove::send(From, sizeOf(Count), Dest, Tag, Comm), Request);
}

ACCX_MPI_ABI int MPI_Irecv(void *To, int Count, MPI_Datatype Type, int Source,
                           int Tag, MPI_Comm Comm, MPI_Request *Request) {
  if (!isOurs(Type, Count, Source))
    return PMPI_Irecv(To, Count, Type, Source, Tag, Comm, Request);
  return begin(HostMove::receive(To, sizeOf(Count), Source, Tag, Comm),
               Request);
}

ACCX_MPI_ABI int MPI_Send(const void *From, int Count, MPI_Datatype Type,
                          int Dest, int Tag, MPI_Comm Comm) {
  if (!isOurs(Type, Count, Dest))
    return PMPI_Send(From, Count, Type, Dest, Tag, Comm);
  return finish(HostMove::send(From, sizeOf(Count), Dest, Tag, Comm), Comm,
                MPI_STATUS_IGNORE);
}

ACCX_MPI_ABI int MPI_Recv(void *To, int Count, MPI_Datatype Type, int Source,
                          int Tag, MPI_Comm Comm, MPI_Status *Status) {
  if (!isOurs(Type, Count, Source))
    return PMPI_Recv(To, Count, Type, Source, Tag, Comm, Status);
  return finish(HostMove::receive(To, sizeOf(Count), Source, Tag, Comm), Comm,
                Status);
}

ACCX_MPI_ABI int
MPI_Sendrecv(const void *From, int SendCount, MPI_Datatype SendType, int Dest,
             int SendTag, void *To, int ReceiveCount, MPI_Datatype ReceiveType,
             int Source, int ReceiveTag, MPI_Comm Comm, MPI_Status *Status) {
  if (!isClMem(SendType) && !isClMem(ReceiveType))
    return PMPI_Sendrecv(From, SendCount, SendType, Dest, SendTag, To,
                         ReceiveCount, ReceiveType, Source, ReceiveTag, Comm,
                         Status);
  // Either half may be of another type.
  MPI_Request Halves[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int Error = MPI_Irecv(To, ReceiveCount, ReceiveType, Source, ReceiveTag, Comm,
                        &Halves[0]);
  if (!Error)
    Error =
        MPI_Isend(From, SendCount, SendType, Dest, SendTag, Comm, &Halves[1]);
  const int Sent = Error ? Error : MPI_Wait(&Halves[1], MPI_STATUS_IGNORE);
  const int Received = Error ? Error : MPI_Wait(&Halves[0], Status);
  if (!Error && Source == MPI_PROC_NULL) // MPICH leaves it as it was.
    fill(Status, {true, MPI_PROC_NULL, MPI_ANY_TAG, 0}, false);
  return Sent ? Sent : Received;
}
