//===- Arrivals.cpp - Data that is still on its way -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arrivals.h.
//
//===----------------------------------------------------------------------===//

#include "device/Arrivals.h"

#include <algorithm>

using namespace accx;

accx_event Arrivals::takeEvent() {
  if (!Idle.empty()) {
    accx_event E = Idle.back();
    Idle.pop_back();
    return E;
  }
  accx_event E = nullptr;
  return Owner.api().event_create(Handle, &E) == ACCX_OK ? E : nullptr;
}

bool Arrivals::settlePassed() {
  const size_t Before = Pending.size();
  std::erase_if(Pending, [&](const Arrival &A) {
    if (!passed(A.Copied))
      return false;
    Maps.settle(*A.P);
    return true;
  });
  return Pending.size() != Before;
}

bool Arrivals::end(accx_event Copied, Plan &P, bool QueueOk) {
  bool Done = true;
  auto At = std::find_if(Pending.begin(), Pending.end(),
                         [&](const Arrival &A) { return A.P == &P; });
  if (At != Pending.end()) {
    Done = QueueOk || passed(Copied);
    Pending.erase(At);
  }
  giveEvent(Copied);
  return Done;
}
