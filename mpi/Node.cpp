//===- Node.cpp - Ranks of the same machine -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicator, and who is where.
//
//===----------------------------------------------------------------------===//

#include "Node.h"

#include "Engine.h"
#include "Settings.h"
#include "Threads.h"

#include <climits>
#include <cstring>
#include <sys/random.h>
#include <unistd.h>
#include <utility>

using namespace accx::mpi;

namespace {

/// A process's socket and key; the kernel's names are at most so long.
struct Introduction {
  int Rank;
  unsigned Length;
  uint64_t Key[2];
  char Socket[104];
};

int atFinalize(MPI_Comm, int, void *, void *) {
  Engine::get().close();
  return MPI_SUCCESS;
}

} // namespace

/// Attributes of MPI_COMM_SELF are deleted first of all in MPI_Finalize.
void accx::mpi::closeAtFinalize() {
  static bool IsSet = false;
  int Key = MPI_KEYVAL_INVALID;
  if (std::exchange(IsSet, true))
    return;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, atFinalize, &Key,
                              nullptr) == MPI_SUCCESS)
    PMPI_Comm_set_attr(MPI_COMM_SELF, Key, nullptr);
}

Node &Node::get() {
  static Node &All = *new Node;
  return All;
}

void Node::open() {
  PMPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  // All ranks have to cut messages alike.
  unsigned long Chunk = Settings::get().Chunk;
  PMPI_Allreduce(MPI_IN_PLACE, &Chunk, 1, MPI_UNSIGNED_LONG, MPI_MIN,
                 MPI_COMM_WORLD);
  Settings::get().Chunk = Chunk;

  if (PMPI_Comm_dup(MPI_COMM_WORLD, &Control) != MPI_SUCCESS) {
    Control = MPI_COMM_NULL;
    return;
  }
  PMPI_Comm_set_errhandler(Control, MPI_ERRORS_RETURN);
  int *Largest = nullptr, IsThere = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &Largest, &IsThere);
  LargestTag = IsThere ? *Largest : SHRT_MAX;

  MPI_Comm Same = MPI_COMM_NULL;
  if (PMPI_Comm_split_type(Control, MPI_COMM_TYPE_SHARED, Rank, MPI_INFO_NULL,
                           &Same) != MPI_SUCCESS)
    return;
  Introduction Own = {Rank, 0, {}, {}};
  std::string Name;
  if (getrandom(Mine.data(), sizeof(Mine), 0) == sizeof(Mine) &&
      openSocket(Name) && Name.size() <= sizeof(Own.Socket)) {
    Own.Length = static_cast<unsigned>(Name.size());
    std::memcpy(Own.Key, Mine.data(), sizeof(Own.Key));
    std::memcpy(Own.Socket, Name.data(), Name.size());
  }
  int Size = 0;
  PMPI_Comm_size(Same, &Size);
  std::vector<Introduction> All(static_cast<size_t>(Size));
  if (PMPI_Allgather(&Own, sizeof(Own), MPI_BYTE, All.data(), sizeof(Own),
                     MPI_BYTE, Same) == MPI_SUCCESS)
    for (const Introduction &I : All)
      if (I.Length && I.Rank != Rank)
        Neighbours[I.Rank] = {std::string(I.Socket, I.Length),
                              {I.Key[0], I.Key[1]}};
  PMPI_Comm_free(&Same);
}

void Node::close() {
  if (Control != MPI_COMM_NULL)
    PMPI_Comm_free(&Control);
  std::lock_guard Lock(Mutex);
  for (const auto &[Of, Descriptor] : Descriptors)
    if (Descriptor >= 0)
      ::close(Descriptor);
  Descriptors.clear();
  if (Socket >= 0)
    ::close(Socket);
  Socket = -1;
}

int Node::neighbour(MPI_Comm Comm, int Peer) const {
  if (Neighbours.empty() || Settings::get().ShareFrom == SIZE_MAX ||
      !mayCallMpi(true))
    return -1;
  int IsInter = 0, Size = 0, Found = MPI_UNDEFINED;
  PMPI_Comm_test_inter(Comm, &IsInter);
  PMPI_Comm_size(Comm, &Size);
  if (IsInter || Peer < 0 || Peer >= Size)
    return -1;
  MPI_Group Of = MPI_GROUP_NULL, World = MPI_GROUP_NULL;
  PMPI_Comm_group(Comm, &Of);
  PMPI_Comm_group(Control, &World);
  PMPI_Group_translate_ranks(Of, 1, &Peer, World, &Found);
  PMPI_Group_free(&Of);
  PMPI_Group_free(&World);
  return Found != MPI_UNDEFINED && Neighbours.count(Found) ? Found : -1;
}

void Node::sign(Trailer &End) const {
  End.Owner = static_cast<uint64_t>(Rank);
  std::memcpy(End.Key, Mine.data(), sizeof(End.Key));
}

bool Node::isSigned(const Trailer &End) const {
  if (End.Magic != Trailer::Number || End.Version != Trailer::Current ||
      End.Owner > INT_MAX)
    return false;
  const auto From = Neighbours.find(static_cast<int>(End.Owner));
  return From != Neighbours.end() &&
         std::memcmp(End.Key, From->second.Own.data(), sizeof(End.Key)) == 0;
}

uint32_t Node::nextOffer() {
  return Offers++ % (static_cast<uint32_t>(LargestTag) + 1);
}
