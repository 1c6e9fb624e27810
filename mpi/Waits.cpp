//===- Waits.cpp - MPI_Wait and its kin -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that blocks in MPI moves no message of this library on, and where
// that thread is the only one that may call MPI nobody does. So while the
// program has a request of ours, waiting is testing again and again.
//
//===----------------------------------------------------------------------===//

#include "ClMem.h"

#include "Engine.h"
#include "Export.h"
#include "support/Backoff.h"

using namespace accx::mpi;

namespace {

bool mustHelp() { return openRequests().load(std::memory_order_relaxed) != 0; }

void help() {
  if (mustHelp())
    (void)Engine::get().progress(true);
}

/// Calls \p Test, which sets its argument at the end, until then.
template <typename Fn> int testUntil(Fn Test) {
  accx::Backoff Pauses;
  for (;;) {
    int IsDone = 0;
    const int Result = Test(&IsDone);
    if (IsDone || Result != MPI_SUCCESS)
      return Result;
    (void)Engine::get().progress(true);
    Pauses.pause(accx::Backoff::MessageSpin);
  }
}

} // namespace

ACCX_MPI_ABI int MPI_Wait(MPI_Request *Request, MPI_Status *Status) {
  if (!mustHelp())
    return PMPI_Wait(Request, Status);
  return testUntil(
      [&](int *IsDone) { return PMPI_Test(Request, IsDone, Status); });
}

ACCX_MPI_ABI int MPI_Waitall(int Count, MPI_Request Requests[],
                             MPI_Status Statuses[]) {
  if (!mustHelp())
    return PMPI_Waitall(Count, Requests, Statuses);
  return testUntil([&](int *IsDone) {
    return PMPI_Testall(Count, Requests, IsDone, Statuses);
  });
}

ACCX_MPI_ABI int MPI_Waitany(int Count, MPI_Request Requests[], int *Index,
                             MPI_Status *Status) {
  if (!mustHelp())
    return PMPI_Waitany(Count, Requests, Index, Status);
  return testUntil([&](int *IsDone) {
    return PMPI_Testany(Count, Requests, Index, IsDone, Status);
  });
}

ACCX_MPI_ABI int MPI_Waitsome(int Count, MPI_Request Requests[], int *NumDone,
                              int Indices[], MPI_Status Statuses[]) {
  if (!mustHelp())
    return PMPI_Waitsome(Count, Requests, NumDone, Indices, Statuses);
  return testUntil([&](int *IsDone) {
    const int Result =
        PMPI_Testsome(Count, Requests, NumDone, Indices, Statuses);
    *IsDone = *NumDone != 0; // MPI_UNDEFINED: there was nothing to wait for.
    return Result;
  });
}

ACCX_MPI_ABI int MPI_Test(MPI_Request *Request, int *IsDone,
                          MPI_Status *Status) {
  help();
  return PMPI_Test(Request, IsDone, Status);
}

ACCX_MPI_ABI int MPI_Testall(int Count, MPI_Request Requests[], int *IsDone,
                             MPI_Status Statuses[]) {
  help();
  return PMPI_Testall(Count, Requests, IsDone, Statuses);
}

ACCX_MPI_ABI int MPI_Testany(int Count, MPI_Request Requests[], int *Index,
                             int *IsDone, MPI_Status *Status) {
  help();
  return PMPI_Testany(Count, Requests, Index, IsDone, Status);
}

ACCX_MPI_ABI int MPI_Testsome(int Count, MPI_Request Requests[], int *NumDone,
                              int Indices[], MPI_Status Statuses[]) {
  help();
  return PMPI_Testsome(Count, Requests, NumDone, Indices, Statuses);
}
