//===- PointToPoint.cpp - accx_send, accx_recv, accx_sendrecv -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Export.h"
#include "Node.h"
#include "Receive.h"
#include "Send.h"
#include "Settings.h"

#include <cerrno>
#include <cstring>

using namespace accx::mpi;

namespace {

using SharedResult = std::shared_ptr<ReceiveResult>;

/// A message out, one in, or both; the runtime's until finish(). A message from
/// or to MPI_PROC_NULL is null.
struct Exchange {
  std::shared_ptr<Send> Out;
  std::shared_ptr<Receive> In;
  /// Where memory may be offered: the receiver's rank among all.
  int Neighbour = -1;
};

Exchange &exchangeOf(void *Self) { return *static_cast<Exchange *>(Self); }

Piece runtimePiece(void *Data, size_t At, size_t Size, accx_piece_t P) {
  Piece New;
  New.Data = static_cast<char *>(Data);
  New.At = At;
  New.Size = Size;
  New.Runtime = P;
  return New;
}

void startOut(void *Self, void *Data, size_t At, size_t Size, accx_piece_t P) {
  if (const auto &Out = exchangeOf(Self).Out)
    return handOver(Out, runtimePiece(Data, At, Size, P));
  __accx_piece_end(P, Size, 0, "", 0);
}

void startIn(void *Self, void *Data, size_t At, size_t Size, accx_piece_t P) {
  if (const auto &In = exchangeOf(Self).In)
    return handOver(In, runtimePiece(Data, At, Size, P));
  __accx_piece_end(P, 0, 0, "", 0);
}

int offerOut(void *Self, int NumParts, const accx_share_part *Parts,
             accx_piece_t P) {
  const Exchange &X = exchangeOf(Self);
  std::vector<accx_share_part> All(Parts, Parts + NumParts);
  if (All.size() > MostParts || !Node::get().giveDescriptors(X.Neighbour, All))
    return 0;
  return Engine::get().post(
      [Out = X.Out, Rank = X.Neighbour, All = std::move(All), P] {
        Out->offer(runtimePiece(nullptr, 0, 0, P), All, Rank);
      });
}

void takenIn(void *Self, int Status) {
  const auto In = exchangeOf(Self).In;
  if (!Engine::get().post([In, Status] { In->taken(Status == 0); }) &&
      Status == 0)
    In->takenTooLate();
}

void dropExchange(void *Self) { delete &exchangeOf(Self); }

void finish(void *Self, int Status) {
  const Exchange &X = exchangeOf(Self);
  if (X.Out && Status < 0)
    Engine::get().post([M = X.Out, Status] { M->finished(Status); });
  if (X.In && Status < 0)
    Engine::get().post([M = X.In, Status] { M->finished(Status); });
  dropExchange(Self);
}

void dropResult(void *Data) { delete static_cast<SharedResult *>(Data); }

struct Half {
  const void *Data;
  size_t Size;
  int Peer;
  int Tag;

  bool isValid(bool IsIn) const {
    return isPeer(Peer, IsIn) && isTag(Tag, IsIn);
  }
  std::string text() const { return rankText(Peer) + ", " + tagText(Tag); }
};

int queueExchange(const Half *Out, const Half *In, MPI_Comm Comm,
                  const Call &C) {
  bool MakesSense = Engine::get().open() == 0;
  for (const Half *H : {Out, In})
    MakesSense =
        MakesSense &&
        (!H || (isUsable(Comm, H->Data, H->Size) && H->isValid(H == In)));
  if (!MakesSense) {
    // Not before: it may take the place of one that is waited for.
    if (C.Event)
      *C.Event = nullptr;
    return -EINVAL;
  }

  auto *X = new Exchange;
  std::vector<accx_stream> Streams;
  std::string What;
  SharedResult *Result = nullptr;
  if (Out) {
    if (Out->Peer != MPI_PROC_NULL)
      X->Out = std::make_shared<Send>(Comm, Out->Peer, Out->Tag, Out->Size);
    Streams.push_back(messageStream(ACCX_OUT, Out->Data, Out->Size));
    Streams.back().start = startOut;
    if (X->Out && Out->Size > PlainBytes &&
        Out->Size >= Settings::get().ShareFrom) {
      X->Neighbour = Node::get().neighbour(Comm, Out->Peer);
      if (X->Neighbour >= 0)
        Streams.back().offer = offerOut;
    }
    What = "send to " + Out->text();
  }
  if (In) {
    if (In->Peer != MPI_PROC_NULL) {
      X->In =
          std::make_shared<Receive>(Comm, In->Peer, In->Tag, In->Size, takenIn);
      Result = new SharedResult(X->In->Result);
    } else {
      Result = new SharedResult(std::make_shared<ReceiveResult>(
          ReceiveResult{true, MPI_PROC_NULL, MPI_ANY_TAG, 0}));
    }
    Streams.push_back(messageStream(ACCX_IN, In->Data, In->Size));
    Streams.back().start = startIn;
    What += (What.empty() ? "receive from " : ", receive from ") + In->text();
  }
  if (X->Out && X->In) {
    X->Out->pairWith(X->In);
    X->In->pairWith(X->Out);
  }
  for (accx_stream &S : Streams)
    S.self = X;
  accx_transfer T = {};
  T.nstreams = static_cast<int>(Streams.size());
  T.streams = Streams.data();
  T.what = What.c_str();
  T.path = "message";
  T.finish = finish;
  T.self = X;
  return C.queue(T, dropExchange, Result, Result ? dropResult : nullptr);
}

} // namespace

ACCX_MPI_ABI int accx_send(int Queue, const void *From, size_t Size, int Dest,
                           int Tag, MPI_Comm Comm, int NumWait,
                           const accx_event_t *Wait, accx_event_t *Event) {
  const Half Out = {From, Size, Dest, Tag};
  return queueExchange(&Out, nullptr, Comm, {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_recv(int Queue, void *To, size_t Size, int Source,
                           int Tag, MPI_Comm Comm, int NumWait,
                           const accx_event_t *Wait, accx_event_t *Event) {
  const Half In = {To, Size, Source, Tag};
  return queueExchange(nullptr, &In, Comm, {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_sendrecv(int Queue, const void *From, size_t SendSize,
                               int Dest, int SendTag, void *To,
                               size_t ReceiveSize, int Source, int ReceiveTag,
                               MPI_Comm Comm, int NumWait,
                               const accx_event_t *Wait, accx_event_t *Event) {
  const Half Out = {From, SendSize, Dest, SendTag};
  const Half In = {To, ReceiveSize, Source, ReceiveTag};
  return queueExchange(&Out, &In, Comm, {Queue, NumWait, Wait, Event});
}

ACCX_MPI_ABI int accx_recv_result(accx_event_t Event, int *Source, int *Tag,
                                  size_t *Size) {
  const auto *Of = static_cast<SharedResult *>(__accx_event_attached(Event));
  if (!Of || accx_event_status(Event) == 1 || !(*Of)->IsKnown)
    return -EINVAL;
  if (Source)
    *Source = (*Of)->Source;
  if (Tag)
    *Tag = (*Of)->Tag;
  if (Size)
    *Size = (*Of)->Size;
  return 0;
}
