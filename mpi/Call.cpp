//===- Call.cpp - Calls that queue messages -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "Settings.h"
#include "Wire.h"

#include <climits>

using namespace accx::mpi;

namespace {

/// Pieces of a message that the library has at once.
constexpr unsigned Depth = 4;

int largestTag() {
  static const int Largest = [] {
    int *Value = nullptr, IsThere = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &Value, &IsThere);
    return IsThere ? *Value : SHRT_MAX;
  }();
  return Largest;
}

} // namespace

std::string accx::mpi::rankText(int Rank) {
  return Rank == MPI_ANY_SOURCE  ? "any rank"
         : Rank == MPI_PROC_NULL ? "no rank"
                                 : std::to_string(Rank);
}

std::string accx::mpi::tagText(int Tag) {
  return Tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(Tag);
}

bool accx::mpi::isUsable(MPI_Comm Comm, const void *Data, size_t Size) {
  return Comm != MPI_COMM_NULL && (Data || !Size);
}

bool accx::mpi::isTag(int Tag, bool AnyToo) {
  return (Tag >= 0 && Tag <= largestTag()) || (AnyToo && Tag == MPI_ANY_TAG);
}

bool accx::mpi::isPeer(int Peer, bool AnyToo) {
  return Peer >= 0 || Peer == MPI_PROC_NULL ||
         (AnyToo && Peer == MPI_ANY_SOURCE);
}

int Call::queue(const accx_transfer &T, void (*AtRefusal)(void *),
                void *Attached, void (*Drop)(void *)) const {
  // An event tells whether the operation was taken on.
  accx_event_t Own = nullptr;
  const int Result = __accx_transfer(Queue, &T, NumWait, Wait, &Own);
  if (!Own) {
    AtRefusal(T.self);
    if (Drop)
      Drop(Attached);
    if (Event)
      *Event = nullptr;
    return Result < 0 ? Result : -EINVAL;
  }
  if (Drop && (!Event || __accx_event_attach(Own, Attached, Drop) != 0))
    Drop(Attached);
  if (Event)
    *Event = Own;
  else
    accx_event_release(Own);
  return Result;
}

accx_stream accx::mpi::messageStream(int Direction, const void *Data,
                                     size_t Size) {
  accx_stream S = {};
  S.direction = Direction;
  S.address = const_cast<void *>(Data);
  S.size = Size;
  if (Size > PlainBytes) {
    S.first_bytes = firstPart(Size, Settings::get().Chunk);
    S.piece_bytes = Settings::get().Chunk;
  }
  S.depth = Depth;
  return S;
}
