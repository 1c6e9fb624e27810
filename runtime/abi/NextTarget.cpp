//===- NextTarget.cpp - The queue of a thread's next construct ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/NextTarget.h"

#include "abi/Policy.h"
#include "device/QueuePoint.h"
#include "report/Report.h"

using namespace accx;

thread_local constinit bool detail::HasNextTarget = false;

namespace {

struct NextTarget {
  AsyncQueue *Queue = nullptr;
  int64_t Number = 0;
  EventRef Point;
};
thread_local NextTarget Next;

/// Its end is what is on the queue by now.
void markEnd() {
  if (Next.Point)
    static_cast<QueuePoint *>(Next.Point.get())
        ->set(*Next.Queue, Next.Queue->mark());
  Next.Point = EventRef();
}

} // namespace

void accx::setNextTarget(AsyncQueue &Queue, int64_t Number, EventRef Point) {
  // Of a call that no construct followed.
  markEnd();
  Next = {&Queue, Number, std::move(Point)};
  detail::HasNextTarget = true;
}

void accx::dropNextTarget() {
  detail::HasNextTarget = false;
  if (const QueueOutcome O = Next.Queue->wait(); O.Result.failed())
    reportAsyncFailure(Next.Queue->device(), O);
  markEnd();
}

void NextTargetScope::begin(Device &D) {
  detail::HasNextTarget = false;
  if (&Next.Queue->device() != &D)
    fatal(1,
          "accx_next_target named a queue of device %d, and the construct "
          "that followed is one of device %d; name the device with "
          "acc_set_device_num or omp_set_default_device before both",
          Next.Queue->device().id(), D.id());
  Outer = asyncScope::enter(Next.Number);
}

void NextTargetScope::end() {
  asyncScope::enter(Outer);
  markEnd();
}
