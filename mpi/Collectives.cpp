//===- Collectives.cpp - accx_bcast and the like --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "CollectiveBlocks.h"
#include "CollectiveStreams.h"
#include "Export.h"
#include "Settings.h"

#include <cerrno>

using namespace accx::mpi;

namespace {

/// An operation as the runtime sees it, until finish().
struct Joint {
  /// accx_stream::self.
  struct Stream {
    Joint *Of;
    size_t Number;
  };
  std::shared_ptr<Collective> Op;
  std::vector<Stream> Streams;
};

void start(void *Self, void *Data, size_t At, size_t Size, accx_piece_t P) {
  const auto &S = *static_cast<Joint::Stream *>(Self);
  Piece New;
  New.Data = static_cast<char *>(Data);
  New.At = At;
  New.Size = Size;
  New.Runtime = P;
  if (!Engine::get().post(
          [Op = S.Of->Op, Number = S.Number, New] { Op->give(Number, New); }))
    New.end(0, -ECANCELED, "MPI_Finalize was called");
}

void finish(void *Self, int Status) {
  auto *J = static_cast<Joint *>(Self);
  if (Status < 0)
    Engine::get().post([Op = J->Op, Status] { Op->finished(Status); });
  delete J;
}

/// Of a call that the runtime refuses: there is no such operation.
void refuse(void *Self) { finish(Self, -EINVAL); }

int queueCollective(const char *What, std::shared_ptr<Collective> Op,
                    std::vector<accx_stream> Streams, bool IsJoint,
                    const Call &C) {
  auto *J = new Joint;
  J->Op = std::move(Op);
  J->Streams.resize(Streams.size());
  for (size_t I = 0; I < Streams.size(); ++I) {
    J->Streams[I] = {J, I};
    Streams[I].self = &J->Streams[I];
    Streams[I].start = start;
  }
  accx_transfer T = {};
  T.nstreams = static_cast<int>(Streams.size());
  T.streams = Streams.data();
  T.joint = IsJoint;
  T.what = What;
  T.path = "message";
  T.finish = finish;
  T.self = J;
  if (!Engine::get().post([Op = J->Op] { Op->enter(); })) {
    delete J;
    return -EINVAL;
  }
  return C.queue(T, refuse);
}

/// Size and rank of a communicator that collective operations may use.
bool ask(MPI_Comm Comm, int &Rank, int &Size) {
  if (Comm == MPI_COMM_NULL || Engine::get().open() != 0)
    return false;
  int IsInter = 0;
  PMPI_Comm_test_inter(Comm, &IsInter);
  PMPI_Comm_rank(Comm, &Rank);
  PMPI_Comm_size(Comm, &Size);
  return !IsInter;
}

/// Cut into pieces of at most \p Largest bytes; one piece if that is enough.
accx_stream pieces(int Direction, const void *Data, size_t Size,
                   size_t Largest) {
  accx_stream S = messageStream(Direction, Data, Size);
  S.first_bytes = 0;
  S.piece_bytes = Size > Largest ? Largest : 0;
  return S;
}

int queueBlocks(const char *What, MPI_Comm Comm, Blocks Out, Blocks In,
                std::vector<accx_stream> Streams, const Call &C) {
  // A rank without blocks takes part, too.
  static char Nothing;
  if (Streams.empty())
    Streams.push_back(pieces(ACCX_OUT, &Nothing, 0, 1));
  return queueCollective(What,
                         std::make_shared<BlockExchange>(Comm, Streams.size(),
                                                         std::move(Out),
                                                         std::move(In)),
                         std::move(Streams), /*IsJoint=*/true, C);
}

bool areUsable(MPI_Comm Comm, const void *Data, const size_t *Sizes,
               const size_t *Displacements, size_t NumRanks) {
  if (!Sizes || !Displacements)
    return false;
  size_t All = 0;
  for (size_t Rank = 0; Rank < NumRanks; ++Rank)
    All += Sizes[Rank];
  return isUsable(Comm, Data, All);
}

/// Not before the arguments are read: it may take the place of an event that is
/// waited for.
int refuse(accx_event_t *Event) {
  if (Event)
    *Event = nullptr;
  return -EINVAL;
}

} // namespace

ACCX_MPI_ABI int accx_bcast(int Queue, void *Data, size_t Size, int Root,
                            MPI_Comm Comm, int NumWait,
                            const accx_event_t *Wait, accx_event_t *Event) {
  int Rank = 0, NumRanks = 0;
  if (!ask(Comm, Rank, NumRanks) || !isUsable(Comm, Data, Size) || Root < 0 ||
      Root >= NumRanks)
    return refuse(Event);
  return queueCollective("broadcast",
                         std::make_shared<Broadcast>(Comm, Size, Root),
                         {pieces(Rank == Root ? ACCX_OUT : ACCX_IN, Data, Size,
                                 Settings::get().Chunk)},
                         /*IsJoint=*/false, {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_allreduce(int Queue, const void *From, void *To,
                                size_t Count, MPI_Datatype Type, MPI_Op Op,
                                MPI_Comm Comm, int NumWait,
                                const accx_event_t *Wait, accx_event_t *Event) {
  int Rank = 0, NumRanks = 0;
  if (!ask(Comm, Rank, NumRanks) || Type == MPI_DATATYPE_NULL ||
      Op == MPI_OP_NULL)
    return refuse(Event);
  MPI_Aint Low = 0, Extent = 0;
  PMPI_Type_get_extent(Type, &Low, &Extent);
  const auto Element = static_cast<size_t>(Extent);
  if (From == MPI_IN_PLACE)
    From = To;
  if (Low != 0 || Extent <= 0 || Count > SIZE_MAX / Element ||
      !isUsable(Comm, From, Count) || !isUsable(Comm, To, Count))
    return refuse(Event);
  const size_t Chunk = Settings::get().Chunk;
  const size_t Largest = std::max(Chunk - Chunk % Element, Element);
  return queueCollective(
      "allreduce",
      std::make_shared<Allreduce>(Comm, Count * Element, Element, Type, Op),
      {pieces(ACCX_OUT, From, Count * Element, Largest),
       pieces(ACCX_IN, To, Count * Element, Largest)},
      /*IsJoint=*/false, {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_gatherv(int Queue, const void *From, size_t Size,
                              void *To, const size_t *Sizes,
                              const size_t *Displacements, int Root,
                              MPI_Comm Comm, int NumWait,
                              const accx_event_t *Wait, accx_event_t *Event) {
  int Rank = 0, NumRanks = 0;
  if (!ask(Comm, Rank, NumRanks) || !isUsable(Comm, From, Size) || Root < 0 ||
      Root >= NumRanks)
    return refuse(Event);
  const auto Num = static_cast<size_t>(NumRanks);
  if (Rank == Root && !areUsable(Comm, To, Sizes, Displacements, Num))
    return refuse(Event);
  std::vector<size_t> Mine(Num, 0), Zero(Num, 0);
  Mine[static_cast<size_t>(Root)] = Size;
  std::vector<accx_stream> Streams;
  Blocks Out(ACCX_OUT, From, Mine.data(), Zero.data(), Num, Streams);
  Blocks In = Rank == Root
                  ? Blocks(ACCX_IN, To, Sizes, Displacements, Num, Streams)
                  : Blocks(Num);
  return queueBlocks("gather", Comm, std::move(Out), std::move(In),
                     std::move(Streams), {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_alltoallv(int Queue, const void *From,
                                const size_t *SendSizes,
                                const size_t *SendDisplacements, void *To,
                                const size_t *ReceiveSizes,
                                const size_t *ReceiveDisplacements,
                                MPI_Comm Comm, int NumWait,
                                const accx_event_t *Wait, accx_event_t *Event) {
  int Rank = 0, NumRanks = 0;
  if (!ask(Comm, Rank, NumRanks))
    return refuse(Event);
  const auto Num = static_cast<size_t>(NumRanks);
  if (!areUsable(Comm, From, SendSizes, SendDisplacements, Num) ||
      !areUsable(Comm, To, ReceiveSizes, ReceiveDisplacements, Num))
    return refuse(Event);
  std::vector<accx_stream> Streams;
  Blocks Out(ACCX_OUT, From, SendSizes, SendDisplacements, Num, Streams);
  Blocks In(ACCX_IN, To, ReceiveSizes, ReceiveDisplacements, Num, Streams);
  return queueBlocks("exchange of all", Comm, std::move(Out), std::move(In),
                     std::move(Streams), {Queue, NumWait, Wait, Event});
}
