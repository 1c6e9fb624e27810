//===- Lifetime.cpp - MPI_Init and MPI_Finalize ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Init is where all ranks come by: there they agree on the size of chunks,
// and those of a machine find each other. A program whose MPI_Init is not this
// one (a library that calls MPI is before this one in its link order) does
// without both.
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "Export.h"
#include "Node.h"

#include <accx/mpi.h>

using namespace accx::mpi;

ACCX_MPI_ABI MPI_Datatype accx_mpi_cl_mem = MPI_DATATYPE_NULL;

namespace {

void begin() {
  closeAtFinalize();
  Node::get().open();
  if (PMPI_Type_contiguous(1, MPI_BYTE, &accx_mpi_cl_mem) == MPI_SUCCESS)
    PMPI_Type_commit(&accx_mpi_cl_mem);
}

} // namespace

ACCX_MPI_ABI int MPI_Init(int *Count, char ***Arguments) {
  const int Result = PMPI_Init(Count, Arguments);
  if (Result == MPI_SUCCESS)
    begin();
  return Result;
}

ACCX_MPI_ABI int MPI_Init_thread(int *Count, char ***Arguments, int Required,
                                 int *Provided) {
  const int Result = PMPI_Init_thread(Count, Arguments, Required, Provided);
  if (Result == MPI_SUCCESS)
    begin();
  return Result;
}

ACCX_MPI_ABI int MPI_Finalize(void) {
  Engine::get().close();
  Node::get().close();
  if (accx_mpi_cl_mem != MPI_DATATYPE_NULL)
    PMPI_Type_free(&accx_mpi_cl_mem);
  return PMPI_Finalize();
}
