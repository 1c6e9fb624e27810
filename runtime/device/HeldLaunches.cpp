//===- HeldLaunches.cpp - Launches that a thread has put off --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HeldLaunches.h.
//
//===----------------------------------------------------------------------===//

#include "device/HeldLaunches.h"

#include "device/AsyncQueue.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace accx;

thread_local constinit unsigned held::detail::Num = 0;

/// Plain data, as constructs may still run when a thread's other variables are
/// gone. Queues live as long as the process.
static thread_local constinit AsyncQueue *Queues[8] = {};

void held::add(AsyncQueue &Q) {
  if (std::find(Queues, Queues + detail::Num, &Q) != Queues + detail::Num)
    return;
  if (detail::Num == std::size(Queues))
    start();
  Queues[detail::Num++] = &Q;
}

void held::start() {
  for (unsigned I = 0, Num = std::exchange(detail::Num, 0); I < Num; ++I)
    Queues[I]->startHeld();
}
