//===- TrailerType.h - Data and a trailer as one message --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_TRAILERTYPE_H
#define ACCX_MPI_TRAILERTYPE_H

#include "Wire.h"

namespace accx::mpi {

/// A type of MPI of one element at MPI_BOTTOM: bytes where they lie, and a
/// trailer behind them. MPI keeps it for messages that have begun.
class TrailerType {
  MPI_Datatype Type = MPI_DATATYPE_NULL;

public:
  TrailerType(const void *Data, size_t Size, const Trailer *End) {
    const int Lengths[2] = {static_cast<int>(Size), sizeof(Trailer)};
    MPI_Aint At[2];
    PMPI_Get_address(Data, &At[0]);
    PMPI_Get_address(End, &At[1]);
    PMPI_Type_create_hindexed(2, Lengths, At, MPI_BYTE, &Type);
    PMPI_Type_commit(&Type);
  }
  ~TrailerType() { PMPI_Type_free(&Type); }
  TrailerType(const TrailerType &) = delete;
  TrailerType &operator=(const TrailerType &) = delete;

  MPI_Datatype get() const { return Type; }
};

} // namespace accx::mpi

#endif // ACCX_MPI_TRAILERTYPE_H
