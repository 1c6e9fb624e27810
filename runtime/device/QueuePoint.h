//===- QueuePoint.h - A queue's point as an event ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_QUEUEPOINT_H
#define ACCX_DEVICE_QUEUEPOINT_H

#include "device/AsyncQueue.h"
#include "event/Event.h"

#include <atomic>

namespace accx {

/// Ends when its queue has got there. Nobody tells: who wants to know looks.
class QueuePoint final : public Event {
  QueueEventRef Point; ///< Stays when it is set.
  std::atomic<bool> IsSet{false};

  void poll() override;

public:
  QueuePoint() { NeedsPoll = true; }
  /// What it stands for, once.
  void set(AsyncQueue &Q, QueueEventRef Marked);
  const QueueEventRef *queuePoint() override;
};

} // namespace accx

#endif // ACCX_DEVICE_QUEUEPOINT_H
