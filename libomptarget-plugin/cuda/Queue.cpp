//===- Queue.cpp - Streams and events -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Queue.h.
//
//===----------------------------------------------------------------------===//

#include "Queue.h"

#include <algorithm>
#include <utility>

using namespace accx;
using namespace accx::cuda;

accx_status Queue::create(Device &D, Queue *&Out) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  CUstream Stream = nullptr;
  if (CUresult R = Cu.StreamCreate(&Stream, CU_STREAM_NON_BLOCKING))
    return D.failure(R, "a new stream");
  Out = new Queue(D, Stream, /*Owned=*/true);
  return ACCX_OK;
}

accx_status Queue::adopt(Device &D, CUstream Stream, Queue *&Out) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  // Tells at once of a handle that is no stream of this context.
  const CUresult R = Cu.StreamQuery(Stream);
  if (R != CUDA_SUCCESS && R != CUDA_ERROR_NOT_READY)
    return D.failure(R, "taking the program's stream");
  Out = new Queue(D, Stream, /*Owned=*/false);
  return ACCX_OK;
}

Queue::~Queue() {
  ContextScope Scope(D.context());
  (void)wait();
  (void)leaveOthers();
  if (Owned)
    Cu.StreamDestroy(Stream);
}

accx_status Queue::finish(CUresult Result) {
  Small.settle(Result == CUDA_SUCCESS);
  return Result == CUDA_SUCCESS ? ACCX_OK : failure(Result);
}

accx_status Queue::failure(CUresult Result) {
  if (LastKernel)
    return D.failure(Result, "queued work failed, at the latest in kernel '%s'",
                     LastKernel);
  return D.failure(Result, "queued work failed");
}

accx_status Queue::wait() {
  ContextScope Scope(D.context());
  if (accx_status S = flush())
    return S;
  return finish(D.await([&] { return Cu.StreamQuery(Stream); }));
}

accx_status Queue::query() {
  ContextScope Scope(D.context());
  if (accx_status S = flush())
    return S;
  const CUresult R = Cu.StreamQuery(Stream);
  return R == CUDA_ERROR_NOT_READY ? ACCX_NOT_READY : finish(R);
}

accx_status Queue::check() {
  ContextScope Scope(D.context());
  const CUresult R = Cu.StreamQuery(Stream);
  return !R || R == CUDA_ERROR_NOT_READY ? ACCX_OK : failure(R);
}

accx_status Queue::launch(const ReadyLaunch &L) {
  if (!Repeats) {
    Repeats = std::make_shared<Replay>(std::vector<Lanes::Lane>{{&D, Stream}});
    Lane = 0;
  }
  const auto Lock = Repeats->lock();
  const accx_status S = flushSmall();
  return S ? S : Repeats->launch(Lane, L);
}

accx_status Queue::copy(const PeerCopy &C) {
  const auto Lock = Repeats->lock();
  const accx_status S = flushSmall();
  return S ? S : Repeats->copy(Lane, C);
}

/// Queues copies that were collected; Repeats is locked.
accx_status Queue::flushSmall() {
  if (Small.isEmpty())
    return ACCX_OK;
  const accx_status S = Repeats->touch(Lane);
  return S ? S : Small.flush();
}

/// What is queued next has nothing to do with what others queue.
accx_status Queue::leaveOthers() {
  if (!Repeats)
    return ACCX_OK;
  const std::shared_ptr<Replay> Old = std::exchange(Repeats, nullptr);
  const auto Lock = Old->lock();
  return Old->remove(Lane);
}

accx_status Queue::meet(std::span<Queue *const> Queues) {
  for (Queue *Q : Queues) {
    ContextScope Scope(Q->D.context());
    if (Q->Small.isEmpty())
      continue;
    if (accx_status S = Q->flush())
      return S;
  }
  Queue &First = *Queues.front();
  const std::shared_ptr<Replay> Known = First.Repeats;
  const bool Together =
      Known && Known->size() == Queues.size() &&
      std::all_of(Queues.begin(), Queues.end(),
                  [&](Queue *Q) { return Q->Repeats == Known; });
  if (!Together) {
    std::vector<Lanes::Lane> All;
    for (Queue *Q : Queues) {
      ContextScope Scope(Q->D.context());
      if (accx_status S = Q->leaveOthers())
        return S;
      All.push_back({&Q->D, Q->Stream});
    }
    const auto Shared = std::make_shared<Replay>(std::move(All));
    for (size_t I = 0; I < Queues.size(); ++I) {
      Queues[I]->Repeats = Shared;
      Queues[I]->Lane = unsigned(I);
    }
  }
  const auto Lock = First.Repeats->lock();
  return First.Repeats->meet();
}

accx_status Event::create(Device &D, Event *&Out) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  CUevent Handle = nullptr;
  if (accx_status S = D.takeEvent(Handle))
    return S;
  Out = new Event(D, Handle);
  return ACCX_OK;
}

accx_status Event::record(Queue &Q) {
  ContextScope Scope(Q.D.context());
  if (accx_status S = Q.flush())
    return S;
  if (accx_status S = Q.Small.deliverInOrder())
    return S;
  if (CUresult R = Cu.EventRecord(Handle, Q.Stream))
    return Q.D.failure(R, "recording an event");
  Recorded = true;
  return ACCX_OK;
}

accx_status Event::wait(Queue &Q) {
  if (!Recorded)
    return ACCX_OK;
  ContextScope Scope(Q.D.context());
  if (accx_status S = Q.flush())
    return S;
  if (CUresult R = Cu.StreamWaitEvent(Q.Stream, Handle, 0))
    return Q.D.failure(R, "waiting for an event");
  return ACCX_OK;
}

accx_status Event::sync() {
  if (!Recorded)
    return ACCX_OK;
  ContextScope Scope(D.context());
  if (CUresult R = D.await([&] { return Cu.EventQuery(Handle); }))
    return D.failure(R, "work before an event");
  return ACCX_OK;
}

accx_status Event::query() {
  if (!Recorded)
    return ACCX_OK;
  ContextScope Scope(D.context());
  const CUresult R = Cu.EventQuery(Handle);
  if (R == CUDA_SUCCESS || R == CUDA_ERROR_NOT_READY)
    return R ? ACCX_NOT_READY : ACCX_OK;
  return D.failure(R, "work before an event");
}
