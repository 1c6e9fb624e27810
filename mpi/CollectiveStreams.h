//===- CollectiveStreams.h - Collectives piece by piece ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcasts and reductions, of any size: every piece is an operation of MPI,
// so that copies of the device go on meanwhile. All ranks cut alike.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_COLLECTIVESTREAMS_H
#define ACCX_MPI_COLLECTIVESTREAMS_H

#include "Collective.h"

namespace accx::mpi {

class Broadcast final : public Collective {
  const size_t Size;
  const int Root;
  size_t Posted = 0;

  bool post() override;

public:
  Broadcast(MPI_Comm Comm, size_t Size, int Root)
      : Collective(Comm, 1), Size(Size), Root(Root) {}
};

class Allreduce final : public Collective {
  const size_t Size;
  const size_t Element;
  const MPI_Datatype Type;
  const MPI_Op Op;
  size_t Posted = 0;

  bool post() override;

public:
  /// Stream 0 goes out, 1 comes in.
  Allreduce(MPI_Comm Comm, size_t Size, size_t Element, MPI_Datatype Type,
            MPI_Op Op)
      : Collective(Comm, 2), Size(Size), Element(Element), Type(Type), Op(Op) {}
};

} // namespace accx::mpi

#endif // ACCX_MPI_COLLECTIVESTREAMS_H
