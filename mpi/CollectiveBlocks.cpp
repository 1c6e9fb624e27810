//===- CollectiveBlocks.cpp - A block for each rank -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveBlocks.h"

#include <algorithm>

using namespace accx::mpi;

namespace {

constexpr size_t LargestRun = size_t(1) << 30;

/// One side's arguments of MPI_Ialltoallw, as long as that is under way.
struct Side {
  std::vector<int> Counts, Offsets;
  std::vector<MPI_Datatype> Types;

  Side(const Blocks &Of, const std::vector<std::deque<Piece>> &Pieces)
      : Counts(Of.Places.size(), 0), Offsets(Of.Places.size(), 0),
        Types(Of.Places.size(), MPI_BYTE) {
    for (size_t Rank = 0; Rank < Types.size(); ++Rank) {
      const Blocks::Place &P = Of.Places[Rank];
      if (!P.Size)
        continue;
      char *Begin = Pieces[P.Stream].front().Data + P.Offset;
      std::vector<int> Lengths;
      std::vector<MPI_Aint> Addresses;
      for (size_t At = 0; At < P.Size; At += LargestRun) {
        Lengths.push_back(static_cast<int>(std::min(LargestRun, P.Size - At)));
        Addresses.emplace_back();
        PMPI_Get_address(Begin + At, &Addresses.back());
      }
      PMPI_Type_create_hindexed(static_cast<int>(Lengths.size()),
                                Lengths.data(), Addresses.data(), MPI_BYTE,
                                &Types[Rank]);
      PMPI_Type_commit(&Types[Rank]);
      Counts[Rank] = 1;
    }
  }
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;
  /// With the engine, when the request has ended.
  ~Side() {
    for (size_t Rank = 0; Rank < Types.size(); ++Rank)
      if (Counts[Rank])
        PMPI_Type_free(&Types[Rank]);
  }
};

struct Arguments {
  Side Out, In;
  Arguments(const Blocks &Out, const Blocks &In,
            const std::vector<std::deque<Piece>> &Pieces)
      : Out(Out, Pieces), In(In, Pieces) {}
};

} // namespace

Blocks::Blocks(int Direction, const void *Data, const size_t *Sizes,
               const size_t *Displacements, size_t NumRanks,
               std::vector<accx_stream> &Streams)
    : Places(NumRanks) {
  bool AreAdjacent = true;
  size_t End = 0;
  bool IsFirst = true;
  for (size_t Rank = 0; Rank < NumRanks; ++Rank) {
    if (!Sizes[Rank])
      continue;
    AreAdjacent &= IsFirst || Displacements[Rank] == End;
    End = Displacements[Rank] + Sizes[Rank];
    IsFirst = false;
  }
  accx_stream *Last = nullptr;
  for (size_t Rank = 0; Rank < NumRanks; ++Rank) {
    const size_t Size = Sizes[Rank];
    if (!Size)
      continue;
    if (!Last || !AreAdjacent) {
      Streams.push_back({});
      Last = &Streams.back();
      Last->direction = Direction;
      Last->address = const_cast<char *>(static_cast<const char *>(Data)) +
                      Displacements[Rank];
      Last->depth = 1;
    }
    Places[Rank] = {Size, Streams.size() - 1, Last->size};
    Last->size += Size;
  }
}

bool BlockExchange::post() {
  // One piece of each stream, all at once.
  if (std::any_of(Waiting.begin(), Waiting.end(),
                  [](const auto &W) { return W.empty(); }))
    return false;
  const auto Args = std::make_shared<Arguments>(Out, In, Waiting);
  MPI_Request R = MPI_REQUEST_NULL;
  if (const int Error = PMPI_Ialltoallw(
          MPI_BOTTOM, Args->Out.Counts.data(), Args->Out.Offsets.data(),
          Args->Out.Types.data(), MPI_BOTTOM, Args->In.Counts.data(),
          Args->In.Offsets.data(), Args->In.Types.data(), Comm, &R)) {
    failMpi(Error);
    return false;
  }
  std::vector<Piece> Pieces;
  for (size_t S = 0; S < Waiting.size(); ++S)
    Pieces.push_back(takeWaiting(S));
  fly(R, std::move(Pieces), Args);
  return true;
}
