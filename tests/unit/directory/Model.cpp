// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mapping rules, each as directly as it can be said.

#include "Model.h"

#include <algorithm>

namespace accx::test {

ModelEntry *ModelState::byId(unsigned Id) {
  for (ModelEntry &E : Entries)
    if (E.Id == Id)
      return &E;
  return nullptr;
}

ModelEntry *ModelState::live(HostRange R) {
  for (ModelEntry &E : Entries)
    if (!E.Leaving && E.Host == R)
      return &E;
  return nullptr;
}

/// The smallest live entry that contains R; of equals the one that starts
/// first.
static ModelEntry *smallest(ModelState &S, HostRange R) {
  ModelEntry *Best = nullptr;
  for (ModelEntry &E : S.Entries) {
    if (E.Leaving || !E.Host.contains(R))
      continue;
    if (!Best || E.Host.size() < Best->Host.size() ||
        (E.Host.size() == Best->Host.size() && E.Host.Begin < Best->Host.Begin))
      Best = &E;
  }
  return Best;
}

/// The live entry that starts next after A, the smallest of them.
static ModelEntry *nextAfter(ModelState &S, uintptr_t A) {
  ModelEntry *Best = nullptr;
  for (ModelEntry &E : S.Entries) {
    if (E.Leaving || E.Host.Begin <= A)
      continue;
    if (!Best || E.Host.Begin < Best->Host.Begin ||
        (E.Host.Begin == Best->Host.Begin && E.Host.End < Best->Host.End))
      Best = &E;
  }
  return Best;
}

ModelEntry *ModelState::resolve(HostRange R) {
  if (!R.empty())
    return smallest(*this, R); // An equal one is the smallest.
  if (ModelEntry *E = smallest(*this, {R.Begin, R.Begin + 1}))
    return E;
  ModelEntry *E = nextAfter(*this, R.Begin);
  return E && E->Base && E->Base <= R.Begin ? E : nullptr;
}

Bytes ModelState::covered() const {
  Bytes B;
  for (const ModelEntry &E : Entries)
    if (!E.Leaving)
      B.set(E.Host);
  return B;
}

bool ModelState::covers(HostRange R) const {
  // Go right as far as entries carry.
  for (bool Further = true; Further && !R.empty();) {
    Further = false;
    for (const ModelEntry &E : Entries)
      if (!E.Leaving && E.Host.Begin <= R.Begin && R.Begin < E.Host.End) {
        R.Begin = std::min(R.End, E.Host.End);
        Further = true;
      }
  }
  return R.empty();
}

Bytes ModelState::pointerBytes() const {
  Bytes B;
  for (const ModelPointer &P : Pointers)
    B.set({P.Slot, P.Slot + 8});
  return B;
}

void ModelState::checkPointers() {
  Bytes Covered = covered();
  std::erase_if(Pointers, [&](const ModelPointer &P) {
    return (bytesOf({P.Slot, P.Slot + 8}) & Covered).none();
  });
  for (ModelPointer &P : Pointers) {
    P.Broken |= !covers({P.Slot, P.Slot + 8});
    P.Valid &= covers(P.Pointee);
  }
}

ModelPointer *ModelState::pointerAt(uintptr_t Slot) {
  for (ModelPointer &P : Pointers)
    if (P.Slot == Slot)
      return &P;
  return nullptr;
}

template <typename F>
static bool anyOverlap(const ModelState &S, HostRange R, F &&Which) {
  for (const ModelEntry &E : S.Entries)
    if (Which(E) && E.Host.overlaps(R))
      return true;
  return false;
}

static bool anyLiveOverlap(const ModelState &S, HostRange R) {
  return anyOverlap(S, R, [](const ModelEntry &E) { return !E.Leaving; });
}

/// Entries on their way out that a range without an entry might have meant.
static bool leavingMeets(const ModelState &S, HostRange R) {
  if (R.empty())
    ++R.End;
  return anyOverlap(S, R, [](const ModelEntry &E) { return E.Leaving; });
}

/// The entry that an implicit map of R, which is in no entry, stands for.
static ModelEntry *touched(ModelState &S, HostRange R) {
  if (ModelEntry *E = smallest(S, {R.Begin, R.Begin + 1}))
    return E;
  ModelEntry *E = nextAfter(S, R.Begin);
  return E && E->Host.overlaps(R) ? E : nullptr;
}

namespace {
struct Wanted {
  HostRange Host;
  uintptr_t Base;
  bool Implicit, Present, Hold, Count, MayShare;
};
struct Got {
  Outcome Result = Outcome::Done;
  ErrorCode Code = ErrorCode::Unknown;
  Resolution How = Resolution::Absent;
  unsigned Id = 0;
  Bytes Fresh;
};
} // namespace

/// \p Before: the last entry that was there before the construct.
static Got map(ModelState &S, const Wanted &W, bool Strict, unsigned Before,
               unsigned &NextId) {
  Got G;
  ModelEntry *E = S.resolve(W.Host);
  bool Overlaps = anyLiveOverlap(S, W.Host);
  bool Missing = W.Present && !E && (W.Host.empty() || !S.covers(W.Host));
  bool Older = anyOverlap(S, W.Host, [&](const ModelEntry &X) {
    return !X.Leaving && X.Id <= Before;
  });
  if (!E && !Missing && W.Implicit && Overlaps && (Strict || Older))
    E = touched(S, W.Host);
  if (E) {
    if (E->Busy) {
      G.Result = Outcome::Wait;
      return G;
    }
    E->Joined = true;
    if (W.Count && (!E->Permanent || W.Hold))
      ++(W.Hold ? E->Hold : E->Dyn);
    G.How = Resolution::Existing;
    G.Id = E->Id;
    return G;
  }
  if (leavingMeets(S, W.Host)) {
    G.Result = Outcome::Wait;
  } else if (W.MayShare && !Overlaps) {
    G.How = Resolution::Shared;
  } else if (Strict && Overlaps) {
    G.Result = Outcome::Failed;
    G.Code = ErrorCode::Extension;
  } else if (Missing) {
    G.Result = Outcome::Failed;
    G.Code = ErrorCode::NotPresent;
  } else if (W.Host.empty()) {
    G.How = Resolution::Absent;
  } else if (anyOverlap(S, W.Host,
                        [](const ModelEntry &X) { return X.Busy; })) {
    G.Result = Outcome::Wait;
  } else {
    G.Fresh = bytesOf(W.Host) & ~S.covered();
    ModelEntry New;
    New.Id = G.Id = ++NextId;
    New.Host = W.Host;
    New.Base = W.Base;
    (W.Hold ? New.Hold : New.Dyn) = 1;
    New.Joined = Overlaps;
    for (ModelEntry &Old : S.Entries)
      Old.Joined |= !Old.Leaving && Old.Host.overlaps(W.Host);
    S.Entries.push_back(New);
    G.How = Resolution::Created;
  }
  return G;
}

Prediction predictEnter(ModelState &S, std::span<const EnterItem> Items,
                        bool Strict, unsigned &NextId) {
  Prediction P;
  const unsigned Before = NextId;
  Bytes &Fresh = P.Fresh;
  std::vector<Bytes> Own(Items.size());
  auto Take = [&](const Got &G) {
    P.Result = G.Result;
    P.Code = G.Code;
    Fresh |= G.Fresh;
    if (G.How == Resolution::Created)
      P.Created.push_back(G.Id);
    return G.Result == Outcome::Done;
  };
  for (size_t I = 0; I < Items.size(); ++I) {
    const EnterItem &It = Items[I];
    if (It.Slot) {
      HostRange Slot{It.Slot, It.Slot + 8};
      for (const ModelEntry &E : S.Entries)
        if ((E.Busy || E.Holds) && E.Host.overlaps(Slot)) {
          P.Result = Outcome::Wait;
          return P;
        }
      if (!Take(map(S,
                    {Slot, It.Slot, It.Implicit, /*Present=*/false, It.Hold,
                     It.CountSlot, It.MayShare},
                    Strict, Before, NextId)))
        return P;
    }
    Got G = map(S,
                {It.Host, It.Base, It.Implicit, It.Present, It.Hold, It.Count,
                 It.MayShare},
                Strict, Before, NextId);
    if (!Take(G))
      return P;
    P.Items.push_back({G.How, G.Id});
    Own[I] = G.Fresh;
  }
  // Without a length an item finds what comes behind it, too, uncounted.
  for (size_t I = 0; I < Items.size() && !P.Created.empty(); ++I) {
    const EnterItem &It = Items[I];
    if (!It.Host.empty() || P.Items[I].How != Resolution::Absent)
      continue;
    Got G = map(S,
                {It.Host, It.Base, It.Implicit, It.Present, It.Hold,
                 /*Count=*/false, It.MayShare},
                Strict, Before, NextId);
    if (!Take(G))
      return P;
    P.Items[I] = {G.How, G.Id};
  }

  // Memory of the program's own cannot be extended.
  for (unsigned Id : P.Created)
    for (const ModelEntry &E : S.Entries)
      if (E.Foreign && !E.Leaving && E.Host.overlaps(S.byId(Id)->Host)) {
        P.Result = Outcome::Failed;
        P.Code = ErrorCode::Extension;
        return P;
      }

  // A pointer that was on the device in part only is whole again.
  for (ModelPointer &Ptr : S.Pointers)
    for (unsigned Id : P.Created)
      if (S.byId(Id)->Host.contains({Ptr.Slot, Ptr.Slot + 8})) {
        (Ptr.Broken ? P.Attach : P.Reattach).push_back(Ptr.Slot);
        Ptr.Broken = false;
      }
  for (size_t I = 0; I < Items.size(); ++I) {
    const EnterItem &It = Items[I];
    if (!It.Slot || !P.Items[I].Id || !S.resolve({It.Slot, It.Slot + 8}))
      continue;
    HostRange Pointee = It.Host;
    if (Pointee.empty()) {
      Pointee.Begin =
          std::max(Pointee.Begin, S.byId(P.Items[I].Id)->Host.Begin);
      Pointee.End = Pointee.Begin + 1;
    }
    if (S.pointerAt(It.Slot))
      P.Reattach.push_back(It.Slot);
    else
      P.Attach.push_back(It.Slot);
    std::erase_if(S.Pointers, [&](const ModelPointer &Ptr) {
      return Ptr.Slot < It.Slot + 8 && It.Slot < Ptr.Slot + 8;
    });
    S.Pointers.push_back({It.Slot, Pointee, It.Base, S.covers(Pointee)});
  }
  // A pointer may have been overwritten by a later one.
  std::erase_if(P.Attach, [&](uintptr_t A) { return !S.pointerAt(A); });

  for (size_t I = 0; I < Items.size(); ++I) {
    const EnterItem &It = Items[I];
    if (!It.CopyIn || !P.Items[I].Id)
      continue;
    Bytes Wanted = bytesOf(It.Host) & bytesOf(S.byId(P.Items[I].Id)->Host);
    P.Repeats |= It.Always || It.Parent >= 0;
    if (It.Always)
      P.ToDevice |= Wanted;
    else if (It.Parent >= 0)
      P.ToDevice |= Wanted & Fresh;
    else
      P.ToDevice |= Own[I];
  }
  P.ToDevice &= ~S.pointerBytes();
  return P;
}

Prediction predictExit(ModelState &S, std::span<const ExitItem> Items,
                       std::span<const unsigned> Pinned) {
  Prediction P;
  P.Items.resize(Items.size());
  const Bytes Pointers = S.pointerBytes();
  std::vector<Bytes> Own(Items.size());
  std::vector<HostRange> Target(Items.size());
  std::vector<bool> Stays(Items.size());
  Bytes Vacated;
  for (size_t I = Items.size(); I-- > 0;) {
    const ExitItem &It = Items[I];
    ModelEntry *E = nullptr;
    if (Pinned[I]) {
      E = S.byId(Pinned[I]);
      if (!E || E->Leaving)
        continue;
    } else {
      E = S.resolve(It.Host);
      bool Missing =
          !E && It.Present && (It.Host.empty() || !S.covers(It.Host));
      if (!E && !Missing && It.Implicit && anyLiveOverlap(S, It.Host))
        E = touched(S, It.Host);
      if (!E && leavingMeets(S, It.Host)) {
        // What leaves by this construct is not waited for.
        bool Others = false;
        HostRange R = It.Host;
        R.End += R.empty();
        for (ModelEntry &X : S.Entries)
          Others |=
              X.Leaving && X.Host.overlaps(R) &&
              std::find(P.Left.begin(), P.Left.end(), X.Id) == P.Left.end();
        if (Others) {
          P.Result = Outcome::Wait;
          return P;
        }
      }
      if (Missing) {
        P.Result = Outcome::Failed;
        P.Code = ErrorCode::NotPresent;
        return P;
      }
      if (!E)
        continue;
    }
    if (E->Busy) {
      P.Result = Outcome::Wait;
      return P;
    }
    Prediction::ItemResult &R = P.Items[I];
    R.How = Resolution::Existing;
    R.Id = E->Id;
    Target[I] = E->Host;
    Stays[I] = It.Unwritten && !E->Joined;
    if (It.Count && (!E->Permanent || It.Hold)) {
      uint64_t &C = It.Hold ? E->Hold : E->Dyn;
      if (It.Delete)
        C = 0;
      else if (C)
        --C;
      R.Last = !E->Permanent && E->Dyn + E->Hold == 0;
    }
    R.Dyn = E->Dyn;
    R.Hold = E->Hold;
    if (R.Last) {
      E->Leaving = true;
      P.Left.push_back(E->Id);
      Own[I] = bytesOf(E->Host) & ~S.covered();
      Vacated |= Own[I];
    }
  }

  auto Leaves = [&](unsigned Id) {
    return std::find(P.Left.begin(), P.Left.end(), Id) != P.Left.end();
  };
  for (size_t I = 0; I < Items.size(); ++I) {
    const ExitItem &It = Items[I];
    if (!It.CopyOut || !P.Items[I].Id)
      continue;
    Bytes Wanted = bytesOf(It.Host) & bytesOf(Target[I]);
    P.Repeats |= It.Always || It.Parent >= 0;
    if (It.Always)
      P.FromDevice |= Wanted;
    else if (It.Parent >= 0) {
      if (Leaves(P.Items[I].Id) || Leaves(P.Items[It.Parent].Id))
        P.FromDevice |= Wanted & Vacated;
    } else if (P.Items[I].Last && !Stays[I])
      P.FromDevice |= Wanted & Own[I];
  }
  P.FromDevice &= ~Pointers;

  S.checkPointers();
  return P;
}

Prediction predictUpdate(ModelState &S, std::span<const UpdateItem> Items) {
  Prediction P;
  P.Repeats = true;
  P.Items.resize(Items.size());
  for (size_t I = 0; I < Items.size(); ++I) {
    const UpdateItem &It = Items[I];
    ModelEntry *E = S.resolve(It.Host);
    if (E ? E->Busy : leavingMeets(S, It.Host)) {
      P.Result = Outcome::Wait;
      return P;
    }
    if (!E && It.Present && (It.Host.empty() || !S.covers(It.Host))) {
      P.Result = Outcome::Failed;
      P.Code = ErrorCode::NotPresent;
      return P;
    }
    if (!E)
      continue;
    P.Items[I] = {Resolution::Existing, E->Id};
    if (It.ToDevice)
      P.ToDevice |= bytesOf(It.Host);
    if (It.FromDevice)
      P.FromDevice |= bytesOf(It.Host);
  }
  P.ToDevice &= ~S.pointerBytes();
  P.FromDevice &= ~S.pointerBytes();
  return P;
}

} // namespace accx::test
