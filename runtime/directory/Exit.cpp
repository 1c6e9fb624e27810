//===- Exit.cpp - Constructs that unmap -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting entries down, and the copies of what leaves.
//
//===----------------------------------------------------------------------===//

#include "directory/Impl.h"

#include <algorithm>

namespace accx {

/// Tells the caller what \p It resolved to.
static void note(ExitItem &It, Node *N) {
  It.Result = Resolution::Existing;
  It.Target = N;
  It.Device = It.Host.Begin + N->Delta;
  It.Whole = N->Host;
  It.EntryName = N->Name;
  It.Permanent = N->Permanent;
}

/// As if \p Items had not been resolved.
static void unresolve(std::span<ExitItem> Items) {
  for (ExitItem &It : Items) {
    It.Result = Resolution::Absent;
    It.Target = nullptr;
    It.Last = false;
  }
}

Outcome Directory::Impl::exit(std::span<ExitItem> Items, Plan &P, Status &Error,
                              size_t &FailedItem) {
  // As in enter(): everything is there, exactly, and stays.
  size_t Rest = Items.size();
  while (Rest) {
    ExitItem &It = Items[Rest - 1];
    if (It.Delete || (It.CopyOut && It.Always))
      break;
    Node *N = It.Pinned ? nodeOf(It.Pinned) : Entries.exact(It.Host);
    if (!N || N->Busy || N->Gone)
      break;
    if (It.Count && (!N->Permanent || It.Hold)) {
      uint64_t &C = It.Hold ? N->HoldCount : N->DynCount;
      if (C == 0 || N->totalCount() == 1)
        break;
      --C;
    }
    note(It, N);
    It.Last = false;
    It.DynAfter = N->DynCount;
    It.HoldAfter = N->HoldCount;
    --Rest;
  }
  if (Rest) {
    Outcome O = exitRest(Items, Rest, P, Error, FailedItem);
    if (O != Outcome::Done) {
      for (size_t I = Rest; I < Items.size(); ++I) {
        Node *N = nodeOf(Items[I].Target);
        if (Items[I].Count && (!N->Permanent || Items[I].Hold))
          ++(Items[I].Hold ? N->HoldCount : N->DynCount);
      }
      unresolve(Items);
      return O;
    }
  } else {
    for (ExitItem &It : Items)
      if (It.Pinned && !It.KeepPin)
        unpin(nodeOf(It.Pinned));
  }
  return Outcome::Done;
}

/// Handles the first \p Num items; the others needed nothing but a count.
Outcome Directory::Impl::exitRest(std::span<ExitItem> Items, size_t Num,
                                  Plan &P, Status &Error, size_t &FailedItem) {
  Outcome O = Outcome::Done;
  for (size_t I = Num; I-- > 0 && O == Outcome::Done;) {
    O = exitItem(Items[I], Error);
    if (O != Outcome::Done)
      FailedItem = I;
  }
  if (O == Outcome::Done) {
    planExit(Items, P);
    finishExit(Items, P);
  } else {
    undoExit();
  }
  clearExit();
  return O;
}

void Directory::Impl::clearExit() {
  Counts.clear();
  Left.clear();
  Gaps.clear();
  SortedGaps.clear();
}

/// Counts down for \p It, as if the regions under way had ended. False if they
/// have to.
bool Directory::Impl::countBeside(ExitItem &It,
                                  std::span<const Entry *const> Held,
                                  std::vector<Node *> &Going) {
  Node *N = Entries.exact(It.Host);
  if (!N || N->Busy || It.Frame || (It.CopyOut && It.Always))
    return false;
  note(It, N);
  It.Last = false;
  if (It.Count && (!N->Permanent || It.Hold)) {
    // Regions count, they do not hold.
    const auto OfRegions = static_cast<uint64_t>(
        std::count(Held.begin(), Held.end(), static_cast<const Entry *>(N)));
    uint64_t &C = It.Hold ? N->HoldCount : N->DynCount;
    const uint64_t Least = It.Hold ? 0 : OfRegions;
    if (C <= Least)
      return false;
    Counts.push_back({N, N->DynCount, N->HoldCount});
    C = It.Delete ? Least : C - 1;
    if (!N->Permanent && N->totalCount() == OfRegions) {
      // What the regions do not have is used in ways that nobody knows of.
      if (It.CopyOut || OfRegions == 0)
        return false;
      It.Last = true;
      Going.push_back(N);
    }
  }
  It.DynAfter = N->DynCount;
  It.HoldAfter = N->HoldCount;
  return true;
}

bool Directory::Impl::exitBeside(std::span<ExitItem> Items,
                                 std::span<const Entry *const> Held) {
  std::vector<Node *> Going;
  size_t Rest = Items.size();
  while (Rest && countBeside(Items[Rest - 1], Held, Going))
    --Rest;
  // A member is copied out when its struct leaves.
  const bool Copies =
      std::any_of(Items.begin(), Items.end(), [](const ExitItem &It) {
        return It.CopyOut && It.Parent >= 0;
      });
  if (Rest || (Copies && !Going.empty())) {
    undoExit();
    clearExit();
    unresolve(Items);
    return false;
  }
  for (Node *N : Going) {
    N->DynCount = N->HoldCount = 0;
    leave(N);
  }
  Plan Nothing;
  finishExit(Items, Nothing);
  clearExit();
  return true;
}

/// Whether something of \p R is present. A pointer that came with what it
/// points to is nothing that the program has mapped.
bool Directory::Impl::hasParts(HostRange R) const {
  bool Found = false;
  Entries.Live.forEachOverlap(R, [&](Node *N) {
    bool Pointer = false;
    Attached.forEachIn(N->Host, [&](Shadow *S) {
      Pointer |= S->Slot == N->Host;
      return true;
    });
    Found |= !Pointer;
    return !Found;
  });
  return Found;
}

Outcome Directory::Impl::exitItem(ExitItem &It, Status &Error) {
  It.Result = Resolution::Absent;
  It.Target = nullptr;
  It.Device = It.Host.Begin;
  It.Last = false;
  It.Whole = {};
  It.EntryName = nullptr;
  It.Permanent = false;
  It.DynAfter = It.HoldAfter = 0;

  Node *N = nullptr;
  if (It.Pinned) {
    N = nodeOf(It.Pinned);
    // Somebody else deleted it.
    if (N->Gone || N->Leaving)
      return Outcome::Done;
  } else {
    N = Entries.resolve(It.Host);
    bool Missing =
        !N && It.Present && (It.Host.empty() || !Entries.Live.covers(It.Host));
    if (!N && !Missing && It.Implicit && !It.Host.empty())
      N = Entries.touched(It.Host);
    if (!N) {
      if (Entries.leavingMeets(It.Host))
        return Outcome::Wait;
      const bool Parts = It.NoParts && hasParts(It.Host);
      if (!Missing && !Parts)
        return Outcome::Done;
      Error = Parts ? Status(ErrorCode::NotPresent,
                             describe(It.Host) + " is present in parts only")
                    : explain(ErrorCode::NotPresent, It.Host, Status());
      return Outcome::Failed;
    }
  }
  if (N->Busy)
    return Outcome::Wait;

  note(It, N);
  const bool Own = !It.Frame || It.Pinned || N->Host == It.Host;
  if (It.Count && Own && (!N->Permanent || It.Hold)) {
    Counts.push_back({N, N->DynCount, N->HoldCount});
    uint64_t &C = It.Hold ? N->HoldCount : N->DynCount;
    C = It.Delete || C == 0 ? 0 : C - 1;
    It.Last = !N->Permanent && N->totalCount() == 0;
  }
  It.DynAfter = N->DynCount;
  It.HoldAfter = N->HoldCount;
  if (It.Last)
    leave(N);
  return Outcome::Done;
}

/// Takes \p N out and notes which bytes no entry covers any more.
void Directory::Impl::leave(Node *N) {
  Entries.unlink(N);
  Homes.depart(N);
  N->Leaving = true;
  N->Touched = false;
  N->Group = Left.size();
  size_t FirstGap = Gaps.size();
  if (Entries.Live.overlaps(N->Host))
    Entries.Live.gaps(N->Host, [&](HostRange R) { Gaps.push_back(R); });
  else
    Gaps.push_back(N->Host);
  Left.push_back({N, FirstGap, Gaps.size() - FirstGap});
}

void Directory::Impl::undoExit() {
  for (size_t I = Left.size(); I-- > 0;) {
    Node *N = Left[I].Entry;
    N->Leaving = false;
    N->Group = 0;
    Entries.link(N);
    Homes.comeBack(N);
  }
  for (size_t I = Counts.size(); I-- > 0;) {
    Counts[I].Entry->DynCount = Counts[I].Dyn;
    Counts[I].Entry->HoldCount = Counts[I].Hold;
  }
}

/// Plans copies once it is known all that leaves: a member comes before the
/// struct that takes it along.
void Directory::Impl::planExit(std::span<ExitItem> Items, Plan &P) {
  for (size_t I = Items.size(); I-- > 0;) {
    ExitItem &It = Items[I];
    if (!It.CopyOut || !It.Target)
      continue;
    Node *N = nodeOf(It.Target);
    HostRange R{std::max(It.Host.Begin, N->Host.Begin),
                std::min(It.Host.End, N->Host.End)};
    if (R.End <= R.Begin)
      continue;
    bool Any = false;
    if (It.Always) {
      Any = planCopy(P, Operation::FromDevice, R, N->Delta, It.Name);
    } else if (It.Parent >= 0) {
      // Components of a mapper name parents across array elements; what
      // counts is whether the entry goes, by whichever item.
      Entry *Struct = Items[It.Parent].Target;
      if (N->Leaving || (Struct && nodeOf(Struct)->Leaving)) {
        sortGaps();
        Any = planCommon(P, Operation::FromDevice, R, SortedGaps, N->Delta,
                         It.Name);
      }
    } else if (It.Last && !(It.Unwritten && !N->Joined)) {
      const LeftNote &L = Left[N->Group];
      Any =
          planCommon(P, Operation::FromDevice, R,
                     {Gaps.data() + L.FirstGap, L.NumGaps}, N->Delta, It.Name);
    }
    if (!Any)
      continue;
    if (N->Leaving)
      N->Touched = true;
    else
      hold(P, N);
  }
}

void Directory::Impl::finishExit(std::span<ExitItem> Items, Plan &P) {
  if (!Attached.empty())
    for (HostRange R : Gaps)
      pruneShadows(R);
  for (ExitItem &It : Items) {
    // What is freed here is not for the caller to see.
    if (It.Target && nodeOf(It.Target)->Leaving && !nodeOf(It.Target)->Touched)
      It.Target = nullptr;
    if (It.Pinned && !It.KeepPin)
      unpin(nodeOf(It.Pinned));
  }
  for (const LeftNote &L : Left) {
    Node *N = L.Entry;
    N->Group = 0;
    if (N->Touched) {
      Entries.setBusy(N);
      Entries.Departed.insert(N);
      P.Leaving.push_back(N);
    } else if (N->Pins) {
      N->Leaving = false;
      N->Gone = true;
      Entries.Departed.insert(N);
    } else {
      Homes.leave(N);
      Entries.destroy(N);
    }
  }
}

} // namespace accx
