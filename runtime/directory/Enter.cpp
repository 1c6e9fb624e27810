//===- Enter.cpp - Constructs that map ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolving and creating entries for the items of a construct.
//
//===----------------------------------------------------------------------===//

#include "directory/Impl.h"

#include <cinttypes>
#include <cstdio>

namespace accx {

/// Holds on permanent entries are counted too: they forbid disassociation.
static void countUp(Node *N, bool Hold) {
  if (!N->Permanent || Hold)
    ++(Hold ? N->HoldCount : N->DynCount);
}

static void countDown(Node *N, bool Hold) {
  if (!N->Permanent || Hold)
    --(Hold ? N->HoldCount : N->DynCount);
}

/// Enters the first items, as long as they are there, exactly, and nothing is
/// to be copied: what nearly all constructs in a loop do. Returns how many.
size_t Directory::Impl::takePresent(std::span<EnterItem> Items) {
  size_t Num = 0;
  for (EnterItem &It : Items) {
    if (It.Slot || (It.CopyIn && It.Always))
      break;
    Node *N = Entries.exact(It.Host);
    if (!N || N->Busy)
      break;
    if (It.Count)
      countUp(N, It.Hold);
    N->Joined = true;
    It.Result = Resolution::Existing;
    It.Target = N;
    It.Device = It.Host.Begin + N->Delta;
    ++Num;
  }
  return Num;
}

/// As if the first \p Num items, all that takePresent() took, had not entered.
void Directory::Impl::untake(std::span<EnterItem> Items, size_t Num) {
  for (size_t I = 0; I < Num; ++I)
    if (Items[I].Count && Items[I].Counted && Items[I].Target)
      countDown(nodeOf(Items[I].Target), Items[I].Hold);
  for (EnterItem &It : Items) {
    It.Result = Resolution::Absent;
    It.Target = nullptr;
    It.Device = It.Host.Begin;
    It.Counted = true;
  }
}

void Directory::Impl::pinEntered(std::span<EnterItem> Items) {
  for (EnterItem &It : Items)
    if (It.Pin && It.Target) {
      ++It.Target->Pins;
      ++Entries.Pins;
    }
}

Outcome Directory::Impl::enter(std::span<EnterItem> Items, Plan &P,
                               Status &Error, size_t &FailedItem) {
  const size_t Num = takePresent(Items);
  if (Num < Items.size()) {
    Outcome O = enterRest(Items, Num, P, Error, FailedItem);
    if (O != Outcome::Done) {
      untake(Items, Num);
      return O;
    }
  }
  pinEntered(Items);
  return Outcome::Done;
}

bool Directory::Impl::enterPresent(std::span<EnterItem> Items) {
  size_t Num = takePresent(Items);
  for (; Num < Items.size(); ++Num) {
    EnterItem &It = Items[Num];
    if (It.Slot || (It.CopyIn && It.Always))
      break;
    Node *N = Entries.resolve(It.Host);
    if (N ? N->Busy
          : !It.Host.empty() || It.Present || It.MayShare ||
                Entries.leavingMeets(It.Host))
      break;
    It.Counted = !(N && It.Frame && !(N->Host == It.Host));
    if (N && It.Count && It.Counted)
      countUp(N, It.Hold);
    if (N)
      N->Joined = true;
    It.Result = N ? Resolution::Existing : Resolution::Absent;
    It.Target = N;
    It.Device = It.Host.Begin + (N ? N->Delta : 0);
  }
  if (Num < Items.size()) {
    untake(Items, Num);
    return false;
  }
  pinEntered(Items);
  return true;
}

Outcome Directory::Impl::enterRest(std::span<EnterItem> Items, size_t First,
                                   Plan &P, Status &Error, size_t &FailedItem) {
  Outcome O = Outcome::Done;
  for (size_t I = First; I < Items.size(); ++I) {
    EnterItem &It = Items[I];
    if (It.Slot) {
      HostRange Bytes{It.Slot, It.Slot + Shadows::PointerBytes};
      // A copy under way may be about to store what the pointer holds now.
      O = Entries.copiesOverlap(Bytes)
              ? Outcome::Wait
              : request({Bytes, It.Slot, It.Name, It.Place, It.Implicit,
                         /*Present=*/false, It.Hold, It.CountSlot, It.MayShare},
                        I, Error)
                    .Result;
    }
    if (O == Outcome::Done) {
      Answer A = {Outcome::Done, Resolution::Existing, nullptr, false};
      if (It.Frame)
        A.Target = entryOfMembers(Items, I);
      if (A.Target)
        A.Target->Joined = true;
      else
        A = request({It.Host, It.Base, It.Name, It.Place, It.Implicit,
                     It.Present, It.Hold, It.Count, It.MayShare, It.Frame,
                     It.NoCreate},
                    I, Error);
      O = A.Result;
      It.Result = A.How;
      It.Target = A.Target;
      It.Counted = A.Counted;
      It.Device = It.Host.Begin;
    }
    if (O != Outcome::Done) {
      FailedItem = I;
      break;
    }
  }
  if (O == Outcome::Done && !Created.empty())
    O = findLate(Items.subspan(First), Error);
  if (O == Outcome::Done && !Created.empty()) {
    O = Homes.place(Created, Links, Placed);
    if (O == Outcome::Failed) {
      FailedItem = First;
      for (const NewNote &New : News)
        if (New.Entry == Placed.Culprit)
          FailedItem = New.Item;
      Error = explain(Placed.Error.code(), Placed.Culprit->Host, Placed.Error);
    }
  }
  if (O == Outcome::Done)
    planEnter(Items, P);
  else
    undoEnter();

  Counts.clear();
  News.clear();
  Created.clear();
  Links.clear();
  Gaps.clear();
  SortedGaps.clear();
  Placed.clear();
  return O;
}

/// A pointer without a length points into what the construct maps wherever the
/// two stand in its list. It does not count there: leaving goes backwards, and
/// the entry has to go with the item that made it.
Outcome Directory::Impl::findLate(std::span<EnterItem> Items, Status &Error) {
  for (EnterItem &It : Items) {
    if (!It.Host.empty() || It.Result != Resolution::Absent)
      continue;
    const Answer A =
        request({It.Host, It.Base, It.Name, It.Place, It.Implicit, It.Present,
                 It.Hold, /*Count=*/false, It.MayShare},
                0, Error);
    if (A.Result != Outcome::Done)
      return A.Result;
    It.Result = A.How;
    It.Target = A.Target;
    It.Counted = !A.Target && It.Counted;
  }
  return Outcome::Done;
}

/// An entry at whose distance all members of \p Frame lie already; null if they
/// do not, or if one entry has all of the frame.
Node *Directory::Impl::entryOfMembers(std::span<const EnterItem> Items,
                                      size_t Frame) {
  const HostRange Hull = Items[Frame].Host;
  if (Entries.resolve(Hull))
    return nullptr;
  Node *First = nullptr;
  for (const EnterItem &Member : Items) {
    const HostRange Bytes =
        Member.Slot
            ? HostRange{Member.Slot, Member.Slot + Shadows::PointerBytes}
            : Member.Host;
    if (Member.Parent != static_cast<int32_t>(Frame) || Bytes.empty() ||
        !Hull.contains(Bytes))
      continue;
    Node *N = Entries.resolve(Bytes);
    if (!N || N->Fresh || (First && N->Delta != First->Delta))
      return nullptr;
    First = First ? First : N;
  }
  return First;
}

/// Finds or creates the entry of one item or slot.
Directory::Impl::Answer Directory::Impl::request(const Request &Q, size_t Item,
                                                 Status &Error) {
  auto Existing = [&](Node *N) -> Answer {
    if (N->Busy)
      return {Outcome::Wait};
    N->Joined = true;
    const bool Counted = !Q.Frame || N->Host == Q.Host;
    if (Q.Count && Counted) {
      Counts.push_back({N, N->DynCount, N->HoldCount});
      countUp(N, Q.Hold);
    }
    return {Outcome::Done, Resolution::Existing, N, Counted};
  };
  auto Fail = [&](ErrorCode Code) -> Answer {
    Error = explain(Code, Q.Host, Status());
    return {Outcome::Failed};
  };

  if (Q.Host.End < Q.Host.Begin)
    return Fail(ErrorCode::Invalid);
  bool Overlaps = !Q.Host.empty() && Entries.Live.overlaps(Q.Host);
  if (Overlaps || Q.Host.empty())
    if (Node *N = Entries.resolve(Q.Host))
      return Existing(N);
  bool Missing = Q.Present && !(Overlaps && Entries.Live.covers(Q.Host));
  // What the construct itself brought is no reason to stop at it.
  if (Overlaps && Q.Implicit && !Missing &&
      (Options.Strict || !Entries.onlyFresh(Q.Host)))
    return Existing(Entries.touched(Q.Host));

  // What is leaving may be why this did not resolve.
  if (Entries.leavingMeets(Q.Host))
    return {Outcome::Wait};
  if (Q.NoCreate)
    return {Outcome::Done, Resolution::Absent};
  if (!Overlaps && Q.MayShare)
    return {Outcome::Done, Resolution::Shared};
  if (Overlaps && Options.Strict)
    return Fail(ErrorCode::Extension);
  if (Missing)
    return Fail(ErrorCode::NotPresent);
  if (Q.Host.empty())
    return {Outcome::Done, Resolution::Absent};
  if (Overlaps && Entries.busyOverlaps(Q.Host))
    return {Outcome::Wait};
  return {Outcome::Done, Resolution::Created, create(Q, Item, Overlaps)};
}

Node *Directory::Impl::create(const Request &Q, size_t Item, bool Overlaps) {
  Node *N = Entries.create();
  N->Host = Q.Host;
  N->Base = Q.Base;
  N->Name = Q.Name;
  N->Place = Q.Place;
  (Q.Hold ? N->HoldCount : N->DynCount) = 1;
  N->Fresh = true;
  N->Joined = Overlaps;
  if (Overlaps)
    Entries.Live.forEachOverlap(Q.Host, [](Node *Old) {
      Old->Joined = true;
      return true;
    });
  size_t FirstGap = Gaps.size();
  if (Overlaps && Homes.plain())
    Entries.Live.gaps(Q.Host, [&](HostRange Gap) { Gaps.push_back(Gap); });
  else if (Overlaps)
    Entries.Live.walk(
        Q.Host, [&](Node *Old, HostRange) { Links.push_back({N, Old}); },
        [&](HostRange Gap) { Gaps.push_back(Gap); });
  else
    Gaps.push_back(Q.Host);
  Entries.link(N);
  News.push_back({N, Item, FirstGap, Gaps.size() - FirstGap});
  Created.push_back(N);
  return N;
}

void Directory::Impl::undoEnter() {
  for (size_t I = Counts.size(); I-- > 0;) {
    Counts[I].Entry->DynCount = Counts[I].Dyn;
    Counts[I].Entry->HoldCount = Counts[I].Hold;
  }
  for (size_t I = Created.size(); I-- > 0;) {
    Entries.unlink(Created[I]);
    Entries.destroy(Created[I]);
  }
}

Status Directory::Impl::explain(ErrorCode Code, HostRange R,
                                const Status &Cause) {
  std::string Text = describe(R);
  switch (Code) {
  case ErrorCode::NotPresent:
    return Status(Code, Text + " is not present on the device");
  case ErrorCode::Invalid:
    return Status(Code, Text + " ends before it begins");
  case ErrorCode::Extension: {
    Node *N = nullptr;
    Entries.Live.forEachOverlap(R, [&](Node *Other) {
      if (!Other->Fresh)
        N = Other;
      return !N;
    });
    // The words of LLVM's runtime, which tools match.
    char Line[192];
    std::snprintf(Line, sizeof(Line),
                  "explicit extension not allowed: host address specified is "
                  "0x%016" PRIxPTR " (%zu bytes), but device allocation maps "
                  "to host at 0x%016" PRIxPTR " (%zu bytes)",
                  R.Begin, R.size(), N ? N->Host.Begin : 0,
                  N ? N->Host.size() : 0);
    return Status(Code, Line);
  }
  default:
    return Status(Code, "no device memory for " + Text +
                            (Cause.failed() ? ": " + Cause.text() : ""));
  }
}

} // namespace accx
