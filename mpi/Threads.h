//===- Threads.h - Which thread may call MPI --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_THREADS_H
#define ACCX_MPI_THREADS_H

namespace accx::mpi {

/// What MPI_Query_thread says; MPI has to be initialized.
int threadLevel();
/// Whether the calling thread may call MPI now. \p Waiting: it is one of the
/// program's, in a call that counts as a call of MPI (accx/mpi.h).
bool mayCallMpi(bool Waiting);

} // namespace accx::mpi

#endif // ACCX_MPI_THREADS_H
