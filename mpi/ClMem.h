//===- ClMem.h - Messages of type MPI_CL_MEM --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_CLMEM_H
#define ACCX_MPI_CLMEM_H

#include <accx/mpi.h>

#include <atomic>

namespace accx::mpi {

/// Requests of this library that the program has and that have not ended: while
/// there are any MPI_Wait and the like have to move messages on.
std::atomic<int> &openRequests();

inline bool isClMem(MPI_Datatype Type) {
  return Type == accx_mpi_cl_mem && Type != MPI_DATATYPE_NULL;
}

} // namespace accx::mpi

#endif // ACCX_MPI_CLMEM_H
