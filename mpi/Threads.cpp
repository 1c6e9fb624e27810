//===- Threads.cpp - Which thread may call MPI ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MULTIPLE: any. SERIALIZED: the program's own in calls that count as MPI's,
// which the program keeps apart. FUNNELED and SINGLE: the main one there.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include <mpi.h>

int accx::mpi::threadLevel() {
  static const int Level = [] {
    int Provided = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&Provided);
    return Provided;
  }();
  return Level;
}

bool accx::mpi::mayCallMpi(bool Waiting) {
  const int Level = threadLevel();
  if (Level == MPI_THREAD_MULTIPLE)
    return true;
  if (!Waiting)
    return false;
  if (Level == MPI_THREAD_SERIALIZED)
    return true;
  int IsMain = 0;
  return PMPI_Is_thread_main(&IsMain) == MPI_SUCCESS && IsMain;
}
