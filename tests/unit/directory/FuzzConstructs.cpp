// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs of the random program: asked of both sides, compared, carried out.

#include "Fuzz.h"

#include <algorithm>
#include <cstring>

namespace accx::test {

void Fuzz::fail(const std::string &What) {
  if (Trouble.empty())
    Trouble = std::string(Setup.Name) + ", operation " +
              std::to_string(Number) + ": " + What;
}

unsigned Fuzz::idOf(const Entry *E) const {
  auto At = IdOf.find(E);
  return At == IdOf.end() ? 0 : At->second;
}

/// Forgets the real side of entries the model has no longer.
void Fuzz::dropGone() {
  for (auto At = RealOf.begin(); At != RealOf.end();) {
    if (Model.byId(At->first)) {
      ++At;
      continue;
    }
    // The address may be in use again.
    if (auto Back = IdOf.find(At->second);
        Back != IdOf.end() && Back->second == At->first)
      IdOf.erase(Back);
    DeltaOf.erase(At->first);
    At = RealOf.erase(At);
  }
}

bool Fuzz::tryEnter(std::vector<EnterItem> &Items, bool Insist) {
  ModelState After = Model;
  unsigned Id = NextId;
  Prediction X = predictEnter(After, Items, Setup.Options.Strict, Id);
  Plan P;
  Status Error;
  size_t FailedItem = ~size_t(0);
  uint64_t HeldBefore = Memory.held();
  Outcome O = D->enter(Items, P, Error, FailedItem);
  bool NoMemory = Memory.FailAfter < 0 && Memory.Failed;
  Memory.FailAfter = -1;
  Memory.Failed = false;
  ++Counts.Enters;

  if (O != Outcome::Done) {
    // What it found on the way counts as joined all the same.
    for (ModelEntry &E : Model.Entries)
      E.Joined |= After.byId(E.Id)->Joined;
    check(P.empty(), "a plan without a construct");
    check(Memory.held() == HeldBefore, "a failed construct holds memory");
    check(O != Outcome::Failed || (Error.failed() && !Error.text().empty() &&
                                   FailedItem < Items.size()),
          "a failure without an explanation");
  }
  if (NoMemory) {
    ++Counts.OutOfMemory;
    check(O == Outcome::Failed && Error.code() == ErrorCode::OutOfMemory,
          "lack of memory went unnoticed");
    return false;
  }
  // Growth of blocks waits for what the model does not know of, and cannot take
  // along permanent entries.
  if (O == Outcome::Wait && X.Result != Outcome::Wait && !Setup.Exact &&
      !idle() && !Insist) {
    ++Counts.GrowthWaits;
    return false;
  }
  if (O == Outcome::Failed && X.Result == Outcome::Done && !Setup.Exact &&
      Joined && Error.code() == ErrorCode::Extension)
    return false;
  if (O != X.Result) {
    fail("enter: outcome " + std::to_string(int(O)) + ", expected " +
         std::to_string(int(X.Result)) +
         (Error.failed() ? " (" + Error.text() + ")" : ""));
    return false;
  }
  if (O == Outcome::Wait) {
    ++Counts.Waits;
    check(!idle(), "nothing to wait for");
    return false;
  }
  if (O == Outcome::Failed) {
    ++Counts.Failures;
    check(Error.code() == X.Code, "failed for another reason");
    return false;
  }

  ++Counts.Done;
  Counts.Created += X.Created.size();
  Model = std::move(After);
  NextId = Id;
  // Where a pointer was attached the device holds something else from now on.
  Known &= ~(X.Fresh | Model.pointerBytes());
  for (unsigned New : X.Created) {
    Entry *E = D->find(Model.byId(New)->Host);
    if (!E || E->Host != Model.byId(New)->Host) {
      fail("a new entry is not there");
      return false;
    }
    RealOf[New] = E;
    IdOf[E] = New;
  }
  for (size_t I = 0; I < Items.size(); ++I) {
    const EnterItem &It = Items[I];
    check(It.Result == X.Items[I].How, "enter: resolution");
    unsigned Got = It.Target ? idOf(It.Target) : 0;
    check(Got == X.Items[I].Id, "enter: target");
    check(It.Device == It.Host.Begin + (It.Target ? It.Target->Delta : 0),
          "enter: device address");
  }
  bool Moves = false;
  for (const Operation &Op : P.Operations)
    Moves |= Op.Kind == Operation::WithinDevice;
  check(Moves || P.Freed.empty(), "memory freed without a move");
  for (auto &[Which, E] : RealOf) {
    const ModelEntry *M = Model.byId(Which);
    auto Old = DeltaOf.find(Which);
    if (M && !M->Leaving && Old != DeltaOf.end() && Old->second != E->Delta) {
      check(!Setup.Exact && Moves, "an entry moved for nothing");
      check(E->Busy, "an entry moves and is not busy");
    }
    DeltaOf[Which] = E->Delta;
  }
  checkPlan(P, X);
  if (!Trouble.empty())
    return false;

  Region R;
  for (size_t I = 0; I < Items.size(); ++I)
    if (Items[I].Pin && Items[I].Target)
      R.push_back({X.Items[I].Id, Items[I].Target, Items[I].Target->Delta,
                   Items[I].Host, -1, Items[I].Count, Items[I].Hold,
                   Items[I].Implicit});
  if (!R.empty())
    Regions.push_back(R);
  else if (Open.size() < 24)
    Open.push_back(Items);
  takePlan(std::move(P), X);
  return true;
}

void Fuzz::exit(std::vector<ExitItem> Items, std::vector<unsigned> Pinned) {
  ModelState After = Model;
  Prediction X = predictExit(After, Items, Pinned);
  Plan P;
  Status Error;
  size_t FailedItem = ~size_t(0);
  Outcome O = D->exit(Items, P, Error, FailedItem);
  ++Counts.Exits;
  if (O != X.Result)
    return fail("exit: outcome " + std::to_string(int(O)) + ", expected " +
                std::to_string(int(X.Result)));
  if (O == Outcome::Wait) {
    ++Counts.Waits;
    check(P.empty(), "a plan without a construct");
    check(!Flights.empty(), "nothing to wait for");
    return;
  }
  if (O == Outcome::Failed) {
    ++Counts.Failures;
    check(P.empty(), "a plan without a construct");
    check(Error.code() == X.Code && FailedItem < Items.size(),
          "failed for another reason");
    return;
  }
  ++Counts.Done;
  Counts.Left += X.Left.size();
  std::vector<unsigned> Leaving;
  for (Entry *E : P.Leaving)
    Leaving.push_back(idOf(E));
  for (size_t I = 0; I < Items.size(); ++I) {
    const ExitItem &It = Items[I];
    const Prediction::ItemResult &R = X.Items[I];
    check(It.Result == R.How, "exit: resolution");
    check(It.Last == R.Last, "exit: last");
    check(It.DynAfter == R.Dyn && It.HoldAfter == R.Hold, "exit: counts");
    const ModelEntry *Was = R.Id ? Model.byId(R.Id) : nullptr;
    check(It.Whole == (Was ? Was->Host : HostRange{}), "exit: whole entry");
    check(It.Permanent == (Was && Was->Permanent), "exit: permanent");
    if (!R.Id)
      continue;
    check(It.Device == It.Host.Begin + DeltaOf[R.Id], "exit: device address");
    bool Gone =
        std::find(X.Left.begin(), X.Left.end(), R.Id) != X.Left.end() &&
        std::find(Leaving.begin(), Leaving.end(), R.Id) == Leaving.end();
    check(Gone ? !It.Target : idOf(It.Target) == R.Id, "exit: target");
  }
  Model = std::move(After);
  checkPlan(P, X);
  // What leaves without copies is gone at once, but for copies of others.
  std::erase_if(Model.Entries, [&](const ModelEntry &E) {
    return E.Leaving && !E.Holds && !E.Busy &&
           std::find(X.Left.begin(), X.Left.end(), E.Id) != X.Left.end() &&
           std::find(Leaving.begin(), Leaving.end(), E.Id) == Leaving.end();
  });
  if (Trouble.empty())
    takePlan(std::move(P), X);
  dropGone();
}

void Fuzz::endRegion(size_t Which) {
  const Region &R = Regions[Which];
  for (const PinnedItem &It : R)
    if (ModelEntry *E = Model.byId(It.Id); E && !E->Leaving)
      check(It.Real->Delta == It.Delta, "a pinned entry moved");
  if (chance(15)) {
    // The construct failed.
    for (const PinnedItem &It : R)
      D->unpin(It.Real);
    Regions.erase(Regions.begin() + Which);
    return;
  }
  std::vector<ExitItem> Items;
  std::vector<unsigned> Ids;
  for (const PinnedItem &It : R) {
    ExitItem E;
    E.Host = It.Host;
    E.Pinned = It.Real;
    E.CopyOut = chance(60);
    E.Unwritten = chance(50);
    E.Always = chance(8);
    E.Count = It.Count;
    E.Hold = It.Hold;
    E.Implicit = It.Implicit;
    Items.push_back(E);
    Ids.push_back(It.Id);
  }
  // Pins end if the construct did not have to wait.
  for (unsigned Id : Ids)
    if (ModelEntry *E = Model.byId(Id); E && !E->Leaving && E->Busy) {
      exit(Items, Ids);
      return;
    }
  Regions.erase(Regions.begin() + Which);
  exit(Items, Ids);
}

void Fuzz::update() {
  std::vector<UpdateItem> Items(1 + below(3));
  for (UpdateItem &It : Items) {
    It.Host = nearRange();
    It.ToDevice = chance(50);
    It.FromDevice = !It.ToDevice || chance(10);
    It.Present = chance(5);
  }
  Prediction X = predictUpdate(Model, Items);
  Plan P;
  Status Error;
  size_t FailedItem = ~size_t(0);
  Outcome O = D->update(Items, P, Error, FailedItem);
  ++Counts.Updates;
  if (O != X.Result)
    return fail("update: outcome");
  if (O != Outcome::Done) {
    ++(O == Outcome::Wait ? Counts.Waits : Counts.Failures);
    check(P.empty(), "a plan without a construct");
    check(O != Outcome::Failed || Error.code() == X.Code,
          "failed for another reason");
    return;
  }
  ++Counts.Done;
  for (size_t I = 0; I < Items.size(); ++I) {
    check(Items[I].Result == X.Items[I].How, "update: resolution");
    check((Items[I].Target ? idOf(Items[I].Target) : 0) == X.Items[I].Id,
          "update: target");
  }
  checkPlan(P, X);
  if (Trouble.empty())
    takePlan(std::move(P), X);
}

/// Whether the operations are what the model wants, before any is done.
void Fuzz::checkPlan(const Plan &P, const Prediction &X) {
  Bytes To, From, Moved, Wrote;
  std::vector<uintptr_t> Stored;
  bool Attaching = false;
  for (const Operation &Op : P.Operations) {
    HostRange R{Op.Host, Op.Host + Op.Size};
    Bytes B = bytesOf(R);
    check(!R.empty(), "an empty operation");
    if (Op.Kind == Operation::Attach) {
      Attaching = true;
      Stored.push_back(Op.Host);
      const ModelPointer *Ptr = Model.pointerAt(Op.Host);
      check(Ptr && Op.Size == 8, "an attachment to no pointer");
      continue;
    }
    check(!Attaching, "a copy after an attachment");
    if (Op.Kind == Operation::WithinDevice) {
      check((Moved & B).none(), "a byte moves twice");
      check((To | From).none(), "a move after a copy");
      Moved |= B;
      ++Counts.Moves;
      continue;
    }
    ++Counts.Copies;
    size_t Last = 0;
    for (uint32_t I = 0; I < Op.NumSkips; ++I) {
      const Skip &S = P.Skips[Op.FirstSkip + I];
      check(I == 0 || S.Offset >= Last, "pointers out of order");
      Last = S.Offset + 8;
      check(Last <= Op.Size, "a pointer across an end");
      const ModelPointer *Ptr =
          X.Left.empty() ? Model.pointerAt(Op.Host + S.Offset) : nullptr;
      check(!X.Left.empty() || Ptr, "a skip without a pointer");
      B &= ~bytesOf({Op.Host + S.Offset, Op.Host + Last});
    }
    Bytes &Into = Op.Kind == Operation::ToDevice ? To : From;
    check(X.Repeats || (Into & B).none(), "a byte is copied twice");
    Into |= B;
  }
  check(To == X.ToDevice, "copies to the device");
  check(From == X.FromDevice, "copies from the device");
  Wrote = To | Moved;

  auto Has = [&](uintptr_t A) {
    return std::find(Stored.begin(), Stored.end(), A) != Stored.end();
  };
  auto ValueOf = [&](uintptr_t A) -> uintptr_t {
    for (const Operation &Op : P.Operations)
      if (Op.Kind == Operation::Attach && Op.Host == A)
        return Op.Device2;
    return 0;
  };
  for (uintptr_t A : X.Attach)
    check(Has(A), "a new pointer is not stored");
  for (uintptr_t A : Stored) {
    bool Wanted =
        std::find(X.Attach.begin(), X.Attach.end(), A) != X.Attach.end() ||
        std::find(X.Reattach.begin(), X.Reattach.end(), A) != X.Reattach.end();
    check(Wanted || Moved.any(), "a pointer is stored for nothing");
    Wrote |= bytesOf({A, A + 8});
  }
  for (uintptr_t A : X.Reattach) {
    // Several items may have had their way with it.
    bool Again = std::count(X.Reattach.begin(), X.Reattach.end(), A) > 1 ||
                 std::count(X.Attach.begin(), X.Attach.end(), A);
    if (!Has(A) || Again || !X.Created.empty() || Moved.any())
      continue;
    check(ValueOf(A) != StoredValue[A], "an unchanged pointer is stored");
  }
  for (uintptr_t A : Stored)
    StoredValue[A] = ValueOf(A);

  // Who maps these bytes next must be told to wait.
  for (unsigned Id : X.Created)
    if ((bytesOf(Model.byId(Id)->Host) & Wrote).any())
      check(RealOf[Id]->Busy, "a new entry is not busy");
  for (const Operation &Op : P.Operations) {
    if (Op.Kind == Operation::WithinDevice)
      continue;
    HostRange R{Op.Host, Op.Host + Op.Size};
    bool Safe = false;
    for (const std::vector<Entry *> *List : {&P.Busy, &P.Leaving, &P.Held})
      for (const Entry *E : *List)
        Safe |= E->Host.contains(R) && Op.Device == Op.Host + E->Delta;
    check(Safe, "nobody keeps the bytes of a copy");
  }
}

void Fuzz::takePlan(Plan &&P, const Prediction &X) {
  bool Moves = !P.Freed.empty();
  for (const Operation &Op : P.Operations)
    Moves |= Op.Kind == Operation::WithinDevice;
  Flight F;
  for (Entry *E : P.Busy) {
    ModelEntry *M = Model.byId(idOf(E));
    if (!M || M->Busy || !E->Busy)
      return fail("a busy entry that cannot be");
    bool Created =
        std::find(X.Created.begin(), X.Created.end(), M->Id) != X.Created.end();
    bool Attached = false;
    for (const Operation &Op : P.Operations)
      Attached |= Op.Kind == Operation::Attach &&
                  M->Host.contains({Op.Host, Op.Host + 8});
    check(Created || Attached || Moves, "busy for nothing");
    M->Busy = true;
    F.Busy.push_back(M->Id);
  }
  for (Entry *E : P.Leaving) {
    ModelEntry *M = Model.byId(idOf(E));
    if (!M || !M->Leaving || !E->Busy)
      return fail("a leaving entry that cannot be");
    M->Busy = true;
    F.Leaving.push_back(M->Id);
  }
  for (Entry *E : P.Held) {
    ModelEntry *M = Model.byId(idOf(E));
    if (!M)
      return fail("a held entry that cannot be");
    ++M->Holds;
    F.Held.push_back(M->Id);
  }
  F.P = std::move(P);
  if (!F.P.empty()) {
    Flights.push_back(std::move(F));
    if (chance(40))
      finish(Flights.size() - 1);
  }
}

/// Carries out the next step of a plan.
void Fuzz::perform(Flight &F) {
  if (F.Next == F.P.Operations.size())
    return;
  const Operation &Op = F.P.Operations[F.Next++];
  uint8_t *To = Memory.at(Op.Device, Op.Size);
  if (!To)
    return fail("an operation on memory that is not there");
  if (Op.Kind == Operation::Attach) {
    std::memcpy(To, &Op.Device2, 8);
    ++Counts.Attaches;
    return;
  }
  if (Op.Kind == Operation::WithinDevice) {
    uint8_t *From = Memory.at(Op.Device2, Op.Size);
    if (!From)
      return fail("a move out of memory that is not there");
    To = Memory.at(Op.Device, Op.Size);
    std::memmove(To, From, Op.Size);
    return;
  }
  size_t Base = offsetOf(Op.Host);
  uint32_t S = Op.FirstSkip, End = S + Op.NumSkips;
  for (size_t I = 0; I < Op.Size; ++I) {
    if (S < End && I == F.P.Skips[S].Offset) {
      if (Op.Kind == Operation::ToDevice) {
        uintptr_t Value = F.P.Skips[S].DeviceValue;
        std::memcpy(To + I, &Value, 8);
        uintptr_t Slot = Op.Host + I;
        if (Model.pointerAt(Slot))
          check(StoredValue[Slot] == Value, "a copy stores an old pointer");
      }
      I += 7;
      ++S;
      continue;
    }
    if (Op.Kind == Operation::ToDevice) {
      To[I] = Device[Base + I] = Host[Base + I];
      Known.set(Base + I);
    } else {
      check(!Known[Base + I] || To[I] == Device[Base + I],
            "the device's data are wrong");
      Host[Base + I] = To[I];
    }
  }
}

/// Carries out the rest of a plan and settles it.
void Fuzz::finish(size_t Which) {
  Flight F = std::move(Flights[Which]);
  Flights.erase(Flights.begin() + Which);
  while (F.Next < F.P.Operations.size() && Trouble.empty())
    perform(F);
  D->settle(F.P);
  check(F.P.empty(), "settle() left something");
  for (unsigned Id : F.Busy)
    Model.byId(Id)->Busy = false;
  for (unsigned Id : F.Leaving)
    Model.byId(Id)->Busy = false;
  for (unsigned Id : F.Held)
    --Model.byId(Id)->Holds;
  std::erase_if(Model.Entries, [](const ModelEntry &E) {
    return E.Leaving && !E.Busy && !E.Holds;
  });
  dropGone();
}

} // namespace accx::test
