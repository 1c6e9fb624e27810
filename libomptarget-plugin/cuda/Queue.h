//===- Queue.h - Streams and events -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue is a stream with what its launches and copies need; an event is the
// driver's, from a pool.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_QUEUE_H
#define ACCX_PLUGIN_CUDA_QUEUE_H

#include "Device.h"
#include "Pieces.h"
#include "ReductionSlots.h"
#include "Replay.h"

namespace accx::cuda {

/// Calls on one queue do not overlap in time.
class Queue {
  Queue(Device &D, CUstream Stream, bool Owned)
      : D(D), Stream(Stream), Small(D, Stream), Reductions(D, Stream),
        Owned(Owned) {}
  Queue(const Queue &) = delete;

public:
  static accx_status create(Device &D, Queue *&Out);
  /// A queue of a stream that the program keeps.
  static accx_status adopt(Device &D, CUstream Stream, Queue *&Out);
  ~Queue();

  accx_status wait();
  accx_status query();
  /// Queues launches and meetings that were put off. Call before anything but
  /// a launch that may wait is asked of the queue; the context is current.
  accx_status flushLaunches() {
    if (!Repeats)
      return ACCX_OK;
    const auto Lock = Repeats->lock();
    return Repeats->flush(Lane);
  }
  /// Queues copies that were collected, too.
  accx_status flush() {
    const accx_status S = flushLaunches();
    return S ? S : Small.flush();
  }
  /// Queues a launch that may wait for others.
  accx_status launch(const ReadyLaunch &L);
  /// Whether it met queues of other devices, so that copies may wait, too.
  bool hasMet() const { return Repeats && Repeats->size() > 1; }
  /// Queues such a copy.
  accx_status copy(const PeerCopy &C);
  /// Later work of each of \p Queues, of different devices, starts after what
  /// is on all of them. No other call on one of them is under way.
  static accx_status meet(std::span<Queue *const> Queues);
  /// Whether started work is known to have failed.
  accx_status check();

  Device &D;
  const CUstream Stream;
  Pieces Small;
  ReductionSlots Reductions;
  /// The kernel launched last, for messages; lives as long as its image.
  const char *LastKernel = nullptr;

private:
  const bool Owned;
  /// Made by the first launch that may wait, or shared with queues that this
  /// one met; there it is number Lane.
  std::shared_ptr<Replay> Repeats;
  unsigned Lane = 0;

  accx_status finish(CUresult Result);
  accx_status failure(CUresult Result);
  accx_status leaveOthers();
  accx_status flushSmall();
};

/// The caller's queue, or for a null one a queue of the device's that is waited
/// for at the end.
class QueueUse {
  Device &D;
  Queue *Q;
  const bool Own;

public:
  QueueUse(Device &D, accx_queue Handle)
      : D(D), Q(reinterpret_cast<Queue *>(Handle)), Own(!Handle) {}
  ~QueueUse() {
    if (Own && Q)
      D.giveQueue(Q);
  }
  QueueUse(const QueueUse &) = delete;

  accx_status open() { return Own ? D.takeQueue(Q) : ACCX_OK; }
  Queue &queue() const { return *Q; }
  /// What the call returns, if queuing its work gave \p Status.
  accx_status close(accx_status Status) {
    if (!Own)
      return Status;
    const accx_status Waited = Status ? Status : Q->wait();
    if (Status) // What was queued before the failure must end too.
      Cu.StreamSynchronize(Q->Stream), Q->Small.settle(false);
    return Waited;
  }
};

class Event {
  Device &D;
  const CUevent Handle;
  /// An event from the pool may still be under way for its last owner.
  bool Recorded = false;

  Event(Device &D, CUevent Handle) : D(D), Handle(Handle) {}

public:
  static accx_status create(Device &D, Event *&Out);
  ~Event() { D.giveEvent(Handle); }

  accx_status record(Queue &Q);
  accx_status wait(Queue &Q);
  accx_status sync();
  accx_status query();
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_QUEUE_H
