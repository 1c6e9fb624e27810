//===- Fused.cpp - Blocks for groups of entries ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which entries have to lie together, and the blocks they get.
//
//===----------------------------------------------------------------------===//
//
// ALGORITHM
//   1. Every new entry starts a group. What overlaps it joins the group: new
//      entries, whole blocks, and entries of windows, which bring along what
//      overlaps them in turn.
//   2. What has the same base joins, unless the hull would be absurdly larger
//      than its parts.
//   3. A group of new entries only that lies in the hull of a block or of
//      another group joins that: it may be reached through a pointer into the
//      array around it.
//   4. A group that is one block and fits in it takes its place there. Any
//   other
//      gets a block for its hull; this must wait while somebody uses the old
//      ones. All memory is taken before anything is changed.
//
//===----------------------------------------------------------------------===//

#include "directory/Placement.h"

#include <algorithm>

namespace accx {

static HostRange hullOf(HostRange A, HostRange B) {
  return {std::min(A.Begin, B.Begin), std::max(A.End, B.End)};
}

/// Groups count from 1: 0 in the scratch fields is none.
uint32_t Placement::newGroup(HostRange Hull, uint64_t Parts, bool Bound) {
  Groups.push_back({uint32_t(Groups.size()), Hull, Parts, Bound});
  return Groups.size() - 1;
}

uint32_t Placement::rootOf(uint32_t G) {
  while (Groups[G].Parent != G)
    G = Groups[G].Parent = Groups[Groups[G].Parent].Parent;
  return G;
}

void Placement::unite(uint32_t A, uint32_t B) {
  A = rootOf(A);
  B = rootOf(B);
  if (A == B)
    return;
  // The older root stays, so that what comes out does not depend on addresses.
  if (B < A)
    std::swap(A, B);
  Groups[B].Parent = A;
  Groups[A].Hull = hullOf(Groups[A].Hull, Groups[B].Hull);
  Groups[A].Parts += Groups[B].Parts;
  Groups[A].Bound |= Groups[B].Bound;
}

uint32_t Placement::groupOf(Block *B) {
  if (!B->Group) {
    B->Group = newGroup(B->Host, B->LiveBytes, true);
    Involved.push_back(B);
  }
  return B->Group;
}

bool Placement::absurd(uint32_t A, uint32_t B) {
  const Group &X = Groups[rootOf(A)], &Y = Groups[rootOf(B)];
  uint64_t Size = hullOf(X.Hull, Y.Hull).size();
  return &X != &Y && Size > (uint64_t(64) << 20) &&
         Size / 64 > X.Parts + Y.Parts;
}

/// Puts \p E into group \p G with all that must stay with it. False if \p E
/// cannot be moved.
bool Placement::touch(Node *E, uint32_t G) {
  if (!E->Where) {
    if (!E->Fresh)
      return false;
  } else if (E->Where->Kind == Home::BlockKind) {
    unite(G, groupOf(static_cast<Block *>(E->Where)));
    return true;
  } else if (!E->Group) {
    if (E->Permanent)
      return false;
    E->Group = newGroup(E->Host, E->Host.size(), true);
    Pulled.push_back(E);
  }
  unite(G, E->Group);
  return true;
}

bool Placement::gatherOverlaps(std::span<const Link> Links,
                               PlacementResult &R) {
  for (const Link &L : Links) {
    if (L.New->Where || touch(L.Old, L.New->Group))
      continue;
    R.Culprit = L.New;
    return false;
  }
  return true;
}

void Placement::gatherBases() {
  if (Candidates.size() > 1) {
    std::vector<Node *> Order(Candidates);
    std::sort(Order.begin(), Order.end(), [](Node *A, Node *B) {
      return A->Base != B->Base ? A->Base < B->Base
                                : A->Host.Begin < B->Host.Begin;
    });
    for (size_t I = 1; I < Order.size(); ++I)
      if (Order[I]->Base && Order[I]->Base == Order[I - 1]->Base &&
          !absurd(Order[I]->Group, Order[I - 1]->Group))
        unite(Order[I]->Group, Order[I - 1]->Group);
  }
  for (Node *N : Candidates)
    gatherMates(N);
}

void Placement::gatherMates(Node *N) {
  if (!N->Base)
    return;
  for (BaseGroup *B = SameBase.find(N->Base); B; B = B->Next) {
    if (B->Where->Kind == Home::BlockKind) {
      uint32_t G = groupOf(static_cast<Block *>(B->Where));
      if (!absurd(N->Group, G))
        unite(N->Group, G);
      continue;
    }
    for (Node *E = B->First; E; E = E->NextMate) {
      if (E->Permanent)
        continue;
      uint32_t G =
          E->Group ? E->Group : newGroup(E->Host, E->Host.size(), true);
      if (absurd(N->Group, G))
        continue;
      unite(N->Group, G);
      if (E->Group)
        continue;
      E->Group = G;
      Pulled.push_back(E);
    }
  }
}

/// Entries that leave a window take along what overlaps them and their array.
bool Placement::pullNeighbours(PlacementResult &R) {
  for (size_t I = 0; I < Pulled.size(); ++I) {
    Node *E = Pulled[I];
    bool Ok = Entries.Live.forEachOverlap(
        E->Host, [&](Node *O) { return O == E || touch(O, E->Group); });
    if (!Ok) {
      R.Culprit = Candidates.front();
      return false;
    }
    gatherMates(E);
  }
  return true;
}

void Placement::nestGroups() {
  if (!Blocks.empty())
    for (Node *N : Candidates) {
      uint32_t G = rootOf(N->Group);
      if (Groups[G].Bound)
        continue;
      if (Block *B = Blocks.smallestContaining(Groups[G].Hull))
        unite(G, groupOf(B));
    }
  if (Candidates.size() < 2)
    return;
  std::vector<uint32_t> Roots;
  for (uint32_t G = 1; G < Groups.size(); ++G)
    if (Groups[G].Parent == G)
      Roots.push_back(G);
  std::sort(Roots.begin(), Roots.end(), [&](uint32_t A, uint32_t B) {
    HostRange X = Groups[A].Hull, Y = Groups[B].Hull;
    if (X.Begin != Y.Begin)
      return X.Begin < Y.Begin;
    return X.End != Y.End ? X.End > Y.End : A < B;
  });
  uint32_t Widest = 0;
  for (uint32_t G : Roots) {
    if (Widest && !Groups[G].Bound &&
        Groups[G].Hull.End <= Groups[rootOf(Widest)].Hull.End)
      unite(Widest, G);
    else if (!Widest || Groups[G].Hull.End > Groups[rootOf(Widest)].Hull.End)
      Widest = G;
  }
}

/// Lists the members of each group side by side.
void Placement::collect() {
  Members.clear();
  for (Node *N : Candidates)
    Members.push_back({rootOf(N->Group), N, nullptr});
  for (Node *E : Pulled)
    Members.push_back({rootOf(E->Group), E, nullptr});
  for (Block *B : Involved)
    Members.push_back({rootOf(B->Group), nullptr, B});
  if (Members.size() > 1)
    std::sort(Members.begin(), Members.end(),
              [](const GroupMember &A, const GroupMember &B) {
                return A.Root < B.Root;
              });
  Rooms.clear();
  for (size_t I = 0; I < Members.size();) {
    size_t End = I + 1;
    while (End < Members.size() && Members[End].Root == Members[I].Root)
      ++End;
    // A block alone was looked at and left alone.
    if (End - I > 1 || Members[I].Entry)
      Rooms.push_back({I, End, {}, nullptr, 0, 0, false});
    I = End;
  }
}

/// Finds room for one group: \p Rm.Into, or memory for a new block.
Outcome Placement::prepare(Room &Rm, PlacementResult &R) {
  std::span<GroupMember> All(&Members[Rm.First], Rm.End - Rm.First);
  unsigned NumBlocks = 0;
  bool Pulls = false;
  Block *Only = nullptr;
  Node *New = nullptr;
  HostRange Hull{~uintptr_t(0), 0};
  for (GroupMember &M : All) {
    if (M.Old) {
      ++NumBlocks;
      Only = M.Old;
      continue;
    }
    Hull = hullOf(Hull, M.Entry->Host);
    if (M.Entry->Where)
      Pulls = true;
    else
      New = M.Entry;
  }
  if (NumBlocks == 1 && !Pulls && Only->Host.contains(Hull)) {
    Rm.Into = Only;
    return Outcome::Done;
  }

  // What moves must not be in use by others, and must be ours. A kernel may
  // follow attached pointers to entries that it did not map itself: before
  // those pointers change everything has to come to rest.
  Outcome O = Outcome::Done;
  const bool Quiet = Entries.quiet();
  auto Check = [&](Node *E) {
    if (!Quiet && O == Outcome::Done)
      Attached.forEachInto(E->Host, [&](Shadow *S) {
        if (S->Value == S->Base + E->Delta)
          O = Outcome::Wait;
        return O == Outcome::Done;
      });
    if (E->Permanent) {
      R.Culprit = New;
      R.Error = Status(ErrorCode::Extension, "");
      O = Outcome::Failed;
    } else if ((E->Busy || E->Pins) && O == Outcome::Done) {
      O = Outcome::Wait;
    }
  };
  for (GroupMember &M : All) {
    if (M.Entry && M.Entry->Where) {
      Check(M.Entry);
      // In a block the departed are members.
      if (O == Outcome::Done && Entries.leavingMeets(M.Entry->Host))
        O = Outcome::Wait;
    }
    for (Node *E = M.Old ? M.Old->Members : nullptr; E; E = E->NextMember) {
      Check(E);
      Hull = hullOf(Hull, E->Host);
    }
  }
  if (O != Outcome::Done)
    return O;
  Rm.Hull = Hull;
  // Distances are multiples of 256, so that device addresses have the host
  // addresses' alignment.
  R.Error = takeMemory(Hull.size() + Hull.Begin % 256, Rm.Memory, Rm.MemorySize,
                       Rm.Reused);
  if (R.Error.failed()) {
    R.Culprit = New;
    return Outcome::Failed;
  }
  return Outcome::Done;
}

/// Reports moves of the bytes in \p Ranges, each byte once.
void Placement::moveRanges(std::vector<HostRange> &Ranges, uintptr_t Old,
                           uintptr_t New, PlacementResult &R) {
  std::sort(Ranges.begin(), Ranges.end(),
            [](HostRange A, HostRange B) { return A.Begin < B.Begin; });
  for (size_t I = 0; I < Ranges.size();) {
    HostRange Whole = Ranges[I++];
    while (I < Ranges.size() && Ranges[I].Begin <= Whole.End)
      Whole.End = std::max(Whole.End, Ranges[I++].End);
    R.Moves.push_back({Whole, Old, New});
  }
}

void Placement::apply(const Room &Rm, PlacementResult &R) {
  Block *To = Rm.Into;
  if (!To) {
    To = BlockStorage.create();
    To->Host = Rm.Hull;
    To->Memory = Rm.Memory;
    To->MemorySize = Rm.MemorySize;
    To->Delta = Rm.Memory - (Rm.Hull.Begin - Rm.Hull.Begin % 256);
    Blocks.insert(To);
    BlockBytes += Rm.MemorySize;
  }
  for (size_t I = Rm.First; I < Rm.End; ++I) {
    Block *From = Members[I].Old;
    if (!From || From == To)
      continue;
    Ranges.clear();
    uintptr_t OldDelta = From->Delta;
    while (Node *E = From->Members) {
      Ranges.push_back(E->Host);
      clearPlace(E);
      setPlace(E, To);
      R.Moved.push_back(E);
    }
    moveRanges(Ranges, OldDelta, To->Delta, R);
    R.Freed.push_back(From->Memory);
    Retired.push_back({From->Memory, From->MemorySize});
    Blocks.remove(From);
    BlockStorage.destroy(From);
  }
  // Windows differ in distance: entries of one after those of another.
  for (size_t I = Rm.First; I < Rm.End;) {
    uintptr_t OldDelta = 0;
    Home *From = nullptr;
    Ranges.clear();
    size_t Rest = Rm.End;
    for (size_t J = I; J < Rm.End; ++J) {
      Node *E = Members[J].Entry;
      if (!E || E->Where == To)
        continue;
      if (E->Where && !From) {
        From = E->Where;
        OldDelta = From->Delta;
      }
      if (E->Where && E->Where != From) {
        Rest = std::min(Rest, J);
        continue;
      }
      if (E->Where) {
        // A new entry has nothing to move yet.
        if (!E->Fresh) {
          Ranges.push_back(E->Host);
          R.Moved.push_back(E);
        }
        clearPlace(E);
      }
      setPlace(E, To);
    }
    moveRanges(Ranges, OldDelta, To->Delta, R);
    I = Rest;
  }
}

Outcome Placement::fuse(std::span<const Link> Links, PlacementResult &R) {
  startBases();
  Groups.clear();
  Pulled.clear();
  Involved.clear();
  newGroup({}, 0, false);
  for (Node *N : Candidates)
    N->Group = newGroup(N->Host, N->Host.size(), false);

  bool Movable = gatherOverlaps(Links, R);
  if (Movable) {
    gatherBases();
    Movable = pullNeighbours(R);
  }
  if (Movable) {
    nestGroups();
    collect();
  }
  for (Node *N : Candidates)
    N->Group = 0;
  for (Node *E : Pulled)
    E->Group = 0;
  for (Block *B : Involved)
    B->Group = 0;
  if (!Movable) {
    R.Error = Status(ErrorCode::Extension, "");
    return Outcome::Failed;
  }

  Outcome O = Outcome::Done;
  for (size_t I = 0; O == Outcome::Done && I < Rooms.size(); ++I)
    O = prepare(Rooms[I], R);
  for (const Room &Rm : Rooms) {
    if (O == Outcome::Done)
      apply(Rm, R);
    else if (Rm.Memory && Rm.Reused)
      keepIdle(Rm.Memory, Rm.MemorySize);
    else if (Rm.Memory)
      Memory.release(Rm.Memory);
  }
  return O;
}

} // namespace accx
