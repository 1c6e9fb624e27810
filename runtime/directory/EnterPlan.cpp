//===- EnterPlan.cpp - Plans of constructs that map -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that follow from what entering a construct changed.
//
//===----------------------------------------------------------------------===//

#include "directory/Impl.h"

#include <algorithm>

namespace accx {

static HostRange common(HostRange A, HostRange B) {
  uintptr_t Begin = std::max(A.Begin, B.Begin);
  return {Begin, std::max(Begin, std::min(A.End, B.End))};
}

void Directory::Impl::setBusy(Plan &P, Node *N) {
  if (N->Busy)
    return;
  Entries.setBusy(N);
  P.Busy.push_back(N);
}

/// Moves come first, so that copies find their destination; pointers last, so
/// that no copy overwrites them.
void Directory::Impl::planEnter(std::span<EnterItem> Items, Plan &P) {
  size_t Before = P.Operations.size();
  for (EnterItem &It : Items)
    if (It.Target)
      It.Device = It.Host.Begin + It.Target->Delta;
  planMoves(P);
  planPointers(Items);
  const NewNote *New = News.data(), *NewEnd = New + News.size();
  for (size_t I = 0; I < Items.size(); ++I) {
    // The note of the item's slot, if there is one, precedes its own.
    const NewNote *Own = nullptr;
    for (; New != NewEnd && New->Item == I; ++New)
      if (New->Entry == Items[I].Target &&
          Items[I].Result == Resolution::Created)
        Own = New;
    planCopyIn(Items[I], Own, P);
  }
  planAttaches(P);

  for (Node *N : Created) {
    N->Fresh = false;
    if (P.Operations.size() > Before)
      setBusy(P, N);
  }
  for (Node *N : Placed.Moved)
    setBusy(P, N);
  P.Freed.insert(P.Freed.end(), Placed.Freed.begin(), Placed.Freed.end());
}

void Directory::Impl::planMoves(Plan &P) {
  for (const Move &M : Placed.Moves) {
    Operation Op{};
    Op.Kind = Operation::WithinDevice;
    Op.Host = M.Host.Begin;
    Op.Device = M.Host.Begin + M.NewDelta;
    Op.Device2 = M.Host.Begin + M.OldDelta;
    Op.Size = M.Host.size();
    P.Operations.push_back(Op);
  }
}

/// Brings the attached pointers up to date and notes which have to be stored.
void Directory::Impl::planPointers(std::span<EnterItem> Items) {
  if (!Attached.empty()) {
    for (const Move &M : Placed.Moves)
      Attached.forEachInto(M.Host, [&](Shadow *S) {
        if (S->Value == S->Base + M.OldDelta) {
          S->Value = S->Base + M.NewDelta;
          ToAttach.push_back(S->Slot.Begin);
        }
        return true;
      });
    if (Attached.anyBroken())
      for (Node *N : Created)
        Attached.forEachIn(N->Host, [&](Shadow *S) {
          if (S->Broken && N->Host.contains(S->Slot)) {
            Attached.setBroken(S, false);
            ToAttach.push_back(S->Slot.Begin);
          }
          return true;
        });
  }
  for (EnterItem &It : Items) {
    if (!It.Slot || !It.Target)
      continue;
    HostRange Slot{It.Slot, It.Slot + Shadows::PointerBytes};
    // Shared, or an implicit map of which only a part is there.
    if (!Entries.Live.smallestContaining(Slot))
      continue;
    // Without a length it may have been found by its base, before the entry.
    HostRange Pointee = It.Host;
    if (Pointee.empty()) {
      Pointee.Begin = std::max(Pointee.Begin, It.Target->Host.Begin);
      Pointee.End = Pointee.Begin + 1;
    }
    if (Attached.set(It.Slot, Pointee, It.Base, It.Base + It.Target->Delta))
      ToAttach.push_back(It.Slot);
  }
}

void Directory::Impl::planCopyIn(EnterItem &It, const NewNote *New, Plan &P) {
  if (!It.CopyIn || !It.Target)
    return;
  Node *N = nodeOf(It.Target);
  if (It.Always) {
    if (planCopy(P, Operation::ToDevice, common(It.Host, N->Host), N->Delta,
                 It.Name) &&
        !N->Fresh)
      hold(P, N);
  } else if (It.Parent >= 0) {
    sortGaps();
    planCommon(P, Operation::ToDevice, common(It.Host, N->Host), SortedGaps,
               N->Delta, It.Name);
  } else if (New) {
    planCommon(P, Operation::ToDevice, It.Host,
               {&Gaps[0] + New->FirstGap, New->NumGaps}, N->Delta, It.Name);
  }
}

void Directory::Impl::sortGaps() {
  if (!SortedGaps.empty() || Gaps.empty())
    return;
  SortedGaps = Gaps;
  std::sort(SortedGaps.begin(), SortedGaps.end(),
            [](HostRange A, HostRange B) { return A.Begin < B.Begin; });
}

void Directory::Impl::planAttaches(Plan &P) {
  std::sort(ToAttach.begin(), ToAttach.end());
  ToAttach.erase(std::unique(ToAttach.begin(), ToAttach.end()), ToAttach.end());
  for (uintptr_t Slot : ToAttach) {
    HostRange Bytes{Slot, Slot + Shadows::PointerBytes};
    Node *N = Entries.Live.smallestContaining(Bytes);
    Attached.forEachIn(Bytes, [&](Shadow *S) {
      if (S->Slot == Bytes && !N) {
        // Stored when it is in one piece again.
        Attached.setBroken(S, true);
      } else if (S->Slot == Bytes) {
        Operation Op{};
        Op.Kind = Operation::Attach;
        Op.Host = Slot;
        Op.Device = Slot + N->Delta;
        Op.Device2 = S->Value;
        Op.Size = Shadows::PointerBytes;
        Op.Name = N->Name;
        P.Operations.push_back(Op);
        setBusy(P, N);
      }
      return true;
    });
  }
  ToAttach.clear();
}

} // namespace accx
