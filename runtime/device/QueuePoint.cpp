//===- QueuePoint.cpp - A queue's point as an event -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/QueuePoint.h"

#include <cerrno>

using namespace accx;

void QueuePoint::set(AsyncQueue &Q, QueueEventRef Marked) {
  Point = std::move(Marked);
  Of.store(&Q, std::memory_order_relaxed);
  stamp(Submitted);
  IsSet.store(true, std::memory_order_release);
}

const QueueEventRef *QueuePoint::queuePoint() {
  return IsSet.load(std::memory_order_acquire) ? &Point : nullptr;
}

void QueuePoint::poll() {
  const QueueEventRef *P = queuePoint();
  if (!P || !(*P)->done())
    return;
  const Status S = (*P)->outcome();
  FailureId.store((*P)->failureId(), std::memory_order_relaxed);
  // Of a failure before it the queue knows more than that it did not run.
  if (S.ok())
    finish(0);
  else if ((*P)->failureId())
    finish(-ECANCELED, "not done, as its queue failed before: " + S.text());
  else
    finish(-EIO, S.text());
}
