//===- Entries.cpp - How ranges resolve to entries ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of resolution of Directory.h over the indices.
//
//===----------------------------------------------------------------------===//

#include "directory/Entries.h"

namespace accx {

Node *EntrySet::resolve(HostRange R) const {
  if (!R.empty()) {
    // The table is large; sizes may tell that looking there is in vain.
    Node *N = Live.mayHave(R.size()) ? exact(R) : nullptr;
    return N ? N : Live.smallestContaining(R);
  }
  if (Node *N = Live.smallestContaining({R.Begin, R.Begin + 1}))
    return N;
  // The base of a section that starts further on.
  Node *N = Live.next(R.Begin);
  return N && N->Base && N->Base <= R.Begin ? N : nullptr;
}

Node *EntrySet::touched(HostRange R) const {
  if (Node *N = Live.smallestContaining({R.Begin, R.Begin + 1}))
    return N;
  Node *N = Live.next(R.Begin);
  return N && N->Host.Begin < R.End ? N : nullptr;
}

bool EntrySet::onlyFresh(HostRange R) const {
  bool Only = true;
  Live.forEachOverlap(R, [&](Node *N) {
    Only = N->Fresh;
    return Only;
  });
  return Only;
}

void EntrySet::setBusy(Node *N) {
  N->Busy = true;
  N->PrevBusy = nullptr;
  N->NextBusy = FirstBusy;
  if (FirstBusy)
    FirstBusy->PrevBusy = N;
  FirstBusy = N;
  ++NumBusy;
}

void EntrySet::clearBusy(Node *N) {
  N->Busy = false;
  (N->PrevBusy ? N->PrevBusy->NextBusy : FirstBusy) = N->NextBusy;
  if (N->NextBusy)
    N->NextBusy->PrevBusy = N->PrevBusy;
  --NumBusy;
}

bool EntrySet::busyOverlaps(HostRange R) const {
  // Few are busy, as a rule, and many may overlap.
  if (NumBusy <= 32) {
    for (Node *N = FirstBusy; N; N = N->NextBusy)
      if (N->Host.overlaps(R))
        return true;
    return false;
  }
  auto Idle = [](Node *N) { return !N->Busy; };
  return !Departed.forEachOverlap(R, Idle) || !Live.forEachOverlap(R, Idle);
}

bool EntrySet::leavingMeets(HostRange R) const {
  if (Departed.empty())
    return false;
  if (R.empty())
    ++R.End;
  return !Departed.forEachOverlap(
      R, [](Node *N) { return !N->Busy && !N->Holds; });
}

} // namespace accx
