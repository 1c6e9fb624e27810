//===- CollectiveBlocks.h - A block for each rank ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers, and exchanges of all with all. Blocks that lie one behind the other
// are one stream, others a stream each, so that what is between them is left
// alone. They are anywhere in host memory then: MPI_Ialltoallw takes a type
// with the address of every block, which serves sizes beyond int as well.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_COLLECTIVEBLOCKS_H
#define ACCX_MPI_COLLECTIVEBLOCKS_H

#include "Collective.h"

#include <accx/channel.h>

#include <vector>

namespace accx::mpi {

/// The blocks of one side, by rank.
struct Blocks {
  struct Place {
    size_t Size = 0;
    size_t Stream = 0;
    size_t Offset = 0; ///< In the stream.
  };
  std::vector<Place> Places;

  /// No block at all, for \p NumRanks ranks.
  explicit Blocks(size_t NumRanks) : Places(NumRanks) {}
  /// Blocks at \p Data, whose streams are appended to \p Streams.
  Blocks(int Direction, const void *Data, const size_t *Sizes,
         const size_t *Displacements, size_t NumRanks,
         std::vector<accx_stream> &Streams);
};

class BlockExchange final : public Collective {
  const Blocks Out, In;

  bool post() override;

public:
  BlockExchange(MPI_Comm Comm, size_t NumStreams, Blocks Out, Blocks In)
      : Collective(Comm, NumStreams), Out(std::move(Out)), In(std::move(In)) {}
};

} // namespace accx::mpi

#endif // ACCX_MPI_COLLECTIVEBLOCKS_H
