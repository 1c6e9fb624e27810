//===- CollectiveStreams.cpp - Collectives piece by piece -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveStreams.h"

using namespace accx::mpi;

bool Broadcast::post() {
  while (!Waiting[0].empty()) {
    const Piece P = Waiting[0].front();
    MPI_Request R = MPI_REQUEST_NULL;
    if (const int Error = PMPI_Ibcast(P.Data, static_cast<int>(P.Size),
                                      MPI_BYTE, Root, Comm, &R)) {
      failMpi(Error);
      return false;
    }
    (void)takeWaiting(0);
    Posted += P.Size;
    fly(R, {P});
    if (Posted == Size)
      return true;
  }
  return false;
}

bool Allreduce::post() {
  while (!Waiting[0].empty() && !Waiting[1].empty()) {
    const Piece Out = Waiting[0].front(), In = Waiting[1].front();
    MPI_Request R = MPI_REQUEST_NULL;
    if (const int Error = PMPI_Iallreduce(
            Out.Data == In.Data ? MPI_IN_PLACE : Out.Data, In.Data,
            static_cast<int>(In.Size / Element), Type, Op, Comm, &R)) {
      failMpi(Error);
      return false;
    }
    (void)takeWaiting(0);
    (void)takeWaiting(1);
    Posted += In.Size;
    fly(R, {Out, In});
    if (Posted == Size)
      return true;
  }
  return false;
}
