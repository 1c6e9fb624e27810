//===- Phases.cpp - Entering and leaving constructs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Phases.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Phases.h"

#include "image/Registry.h"
#include "mapping/Absent.h"
#include "mapping/Announce.h"
#include "mapping/Tail.h"
#include "report/KernelName.h"
#include "report/Prof.h"
#include "support/ThreadOwned.h"

#include <chrono>
#include <cinttypes>
#include <utility>

using namespace accx;

namespace {

/// Who finds null uses scratch of its own.
constinit thread_local ConstructScratch *ThreadScratch = nullptr;

/// Performs the plan with announcements in between.
Status performAll(ConstructQueue &Q, const Plan &P, Announcer *Say) {
  if (!Say) [[likely]]
    return perform(Q, P);
  for (const Operation &Op : P.Operations) {
    Say->before(Op);
    if (Status S = perform(Q, P, Op); S.failed())
      return S;
  }
  Say->finish();
  return Status();
}

void settle(Device &D, Plan &P) {
  std::lock_guard Lock(D.MapMutex);
  D.Maps.settle(P);
  D.notifyMapChanged();
}

/// "'a' at file:line:column: ", or nothing without debug information.
std::string variable(const void *Name) {
  SourceLocation At = SourceLocation::ofItem(Name);
  if (!At.Known)
    return "";
  return "'" + std::string(At.Name) + "' at " + At.text() + ": ";
}

void reportEnterFailure(Construct C, const EnterItem &Item,
                        const Status &Error) {
  const bool Extension = Error.code() == ErrorCode::Extension;
  const bool Absent =
      Item.Present && (Extension || Error.code() == ErrorCode::NotPresent);
  if (Extension)
    message("%s", Error.text().c_str());
  if (Absent)
    reportAbsent(C, Item.Host, Item.Name, AbsentFor::Map);
  if (!Extension && Error.code() != ErrorCode::NotPresent)
    error("%smapping %zu bytes failed: %s", variable(Item.Name).c_str(),
          Item.Host.size(), Error.text().c_str());
  if (inWordsOfLlvm(C.Loc))
    error("%sCall to getTargetPointer returned null pointer (%s).",
          variable(Item.Name).c_str(),
          Item.Present ? "'present' map type modifier"
                       : "device failure or illegal mapping");
}

/// Tells tools of entries that came.
void tellOfCreated(const Device &D, const ConstructScratch &S) {
  for (const EnterItem &I : S.Enter) {
    if (I.Result != Resolution::Created)
      continue;
    const prof::DataFacts Facts = {D.id(),
                                   I.Name,
                                   I.Host.size(),
                                   reinterpret_cast<void *>(I.Host.Begin),
                                   reinterpret_cast<void *>(I.Device),
                                   I.Implicit};
    prof::dataEvent(acc_ev_alloc, Facts);
    prof::dataEvent(acc_ev_create, Facts);
  }
}

/// Tells tools of entries that went.
void tellOfDeleted(const Device &D, const ConstructScratch &S) {
  for (const ExitItem &I : S.Exit) {
    if (I.Result != Resolution::Existing || !I.Last)
      continue;
    const uintptr_t Delta = I.Device - I.Host.Begin;
    const prof::DataFacts Facts = {
        D.id(), I.EntryName, I.Whole.size(),
        reinterpret_cast<void *>(I.Whole.Begin),
        reinterpret_cast<void *>(I.Whole.Begin + Delta)};
    prof::dataEvent(acc_ev_delete, Facts);
    prof::dataEvent(acc_ev_free, Facts);
  }
}

/// Fills S.Exit with what the construct has to leave.
void collectExit(ConstructScratch &S, bool Pinned) {
  S.Exit.clear();
  for (size_t I = 0; I < S.Items.size(); ++I) {
    ExitItem Item = exitItem(S.Items[I], Pinned ? S.Enter[I].Target : nullptr);
    // What the construct did not find on entry is not its to leave, even if
    // somebody mapped it meanwhile.
    if (Pinned && !Item.Pinned)
      Item.Count = Item.CopyOut = Item.Present = Item.Delete = false;
    if (Pinned && !S.Enter[I].Counted)
      Item.Count = false;
    Item.Unwritten = Pinned && !S.Unwritten.empty() && S.Unwritten[I];
    S.Exit.push_back(Item);
  }
}

/// Takes the copies out of the plan whose bytes are here; whether there were
/// any.
bool deliverResults(ConstructScratch &S) {
  return std::erase_if(S.P.Operations, [&](const Operation &Op) {
    return S.Results.deliver(Op);
  });
}

} // namespace

ScratchLease::ScratchLease() {
  static thread_local ThreadOwned Owner(ThreadScratch);
  if (!ThreadScratch || ThreadScratch->InUse) [[unlikely]] {
    Own = std::make_unique<ConstructScratch>();
    S = Own.get();
  } else {
    S = ThreadScratch;
  }
  S->InUse = true;
  S->Results.clear();
}

void accx::awaitMapChange(Device &D, std::unique_lock<std::mutex> &Lock) {
  if (D.OnTheWay.settlePassed()) {
    D.notifyMapChanged();
    return;
  }
  ++D.MapWaiters;
  if (!D.hasAsyncQueues() && D.OnTheWay.empty()) {
    D.MapChanged.wait(Lock);
  } else {
    // Asynchronous constructs and copies end when somebody looks.
    Lock.unlock();
    if (D.hasAsyncQueues())
      D.reapAsyncQueues();
    Lock.lock();
    D.MapChanged.wait_for(
        Lock, std::chrono::microseconds(D.OnTheWay.empty() ? 100 : 10));
  }
  --D.MapWaiters;
}

void accx::pinFor(ConstructTail &T, std::unique_lock<std::mutex> &Lock,
                  Entry *E) {
  if (!E || E->Gone || (!T.Pins.empty() && T.Pins.back() == E))
    return;
  // Entering without counting leaves nothing but the pin.
  EnterItem Item;
  Item.Host = E->Host;
  Item.Base = E->Base;
  Item.Count = false;
  Item.Implicit = true;
  Item.Pin = true;
  Plan Nothing;
  Status Error;
  size_t Failed = 0;
  const Outcome O = askUntilDone(T.D, Lock, [&] {
    return T.D.Maps.enter({&Item, 1}, Nothing, Error, Failed);
  });
  if (O == Outcome::Done && Item.Target)
    T.Pins.push_back(Item.Target);
}

void accx::releaseIdleMemory(Device &D, Holding Held) {
  ActivityInfo Activity;
  Activity.Device = D.id();
  Activity.What = "release idle memory";
  ActivityScope Scope(ActivityKind::Allocation, Activity);
  if (Held == Holding::Nothing)
    D.drain();
  D.scratch().trim();
  std::lock_guard Lock(D.MapMutex);
  D.Maps.trim();
}

/// Lets the construct go on while the copies of \p P, which were queued, are on
/// their way. Null if they have to be waited for.
static accx_event letArrive(ConstructQueue &Q, Plan &P) {
  Device &D = Q.device();
  // Tools are told of constructs step by step; blocks are freed after a wait.
  if (Q.async() || D.info().features & ACCX_FEATURE_SYNCHRONOUS ||
      announcing() || !P.Freed.empty())
    return nullptr;
  std::unique_lock Lock(D.MapMutex);
  accx_event Copied = D.OnTheWay.takeEvent();
  if (!Copied)
    return nullptr;
  Lock.unlock();
  const bool Recorded =
      D.plugin().api().event_record(Copied, Q.handle()) == ACCX_OK;
  Lock.lock();
  if (!Recorded) {
    D.OnTheWay.giveEvent(Copied);
    return nullptr;
  }
  D.OnTheWay.add(Copied, P);
  // Who waits for the entries has to look at the event from now on.
  D.notifyMapChanged();
  return Copied;
}

/// Whether the construct may end before its copies.
static bool mayTrail(const ConstructQueue &Q, const ConstructScratch &S) {
  if (Q.async() || announcing() || !canTrail(Q.device(), S.P))
    return false;
  // What was there before may be used by its address without the directory, and
  // addresses that are given away are.
  for (size_t I = 0; I < S.Items.size(); ++I)
    if (S.Items[I].has(MapAlways) || S.Items[I].has(MapReturnParam))
      return false;
  return true;
}

/// Gives up, if it may, where others have to come first or something fails.
static Status enter(Construct C, ConstructQueue &Q, ConstructScratch &S,
                    bool Pin, bool *GivesUp = nullptr) {
  Device &D = C.D;
  const bool Unified = Registry::get().sharesMemory(D);
  S.Enter.clear();
  S.Unwritten.clear();
  for (size_t I = 0; I < S.Items.size(); ++I) {
    S.Enter.push_back(enterItem(S.Items[I], Unified, Pin || Q.tail()));
    S.Enter.back().Place = C.Loc ? C.Loc->Source : nullptr;
  }
  if (S.Enter.empty())
    return Status();

  std::optional<Announcer> Say;
  S.P.clear();
  for (bool Retried = false;; Retried = true) {
    std::unique_lock Lock(D.MapMutex);
    Status Error;
    size_t Failed = 0;
    auto Ask = [&] { return D.Maps.enter(S.Enter, S.P, Error, Failed); };
    const Outcome O = GivesUp ? Ask() : askUntilDone(D, Lock, Ask);
    if (GivesUp && O != Outcome::Done) {
      *GivesUp = true;
      return Status();
    }
    if (O == Outcome::Done) {
      if (announcing()) [[unlikely]] {
        Say.emplace(D.id());
        Say->collect(S.Enter);
      }
      if (Q.tail() && !Pin)
        for (const EnterItem &I : S.Enter)
          if (I.Target)
            Q.tail()->Pins.push_back(I.Target);
      break;
    }
    Lock.unlock();
    if (Error.code() == ErrorCode::OutOfMemory && !Retried) {
      releaseIdleMemory(D, Holding::Nothing);
      continue;
    }
    reportEnterFailure(C, S.Enter[Failed], Error);
    return Error;
  }

  if (prof::enabled()) [[unlikely]]
    tellOfCreated(D, S);
  const bool Trails = !Pin && mayTrail(Q, S);
  Status Result = Trails
                      ? performTrailing(D, S.P, C.Loc ? C.Loc->Source : nullptr)
                      : performAll(Q, S.P, Say ? &*Say : nullptr);
  if (!S.P.empty()) {
    // Who pins has a kernel to follow.
    if (Pin && Result.ok() && (S.Copied = letArrive(Q, S.P)) != nullptr)
      return Result;
    if (!Trails)
      Result = finish(Q, S.P, std::move(Result));
    // Blocks that were moved away from are freed next.
    if (Q.tail() && !S.P.Freed.empty() && Result.ok())
      Result = Q.wait();
    settle(D, S.P);
  }
  if (Result.failed())
    error("%s", Result.text().c_str());
  return Result;
}

Status accx::enterItems(Construct C, ConstructQueue &Q, ConstructScratch &S) {
  return enter(C, Q, S, /*Pin=*/false);
}

std::optional<Status> accx::enterBeside(Construct C, ConstructQueue &Q,
                                        ConstructScratch &S,
                                        std::span<const HostRange> Gone) {
  if (announcing())
    return std::nullopt;
  for (size_t I = 0; I < S.Items.size(); ++I) {
    const MapItem &Item = S.Items[I];
    // Copies to what is there, and pointers in it, the regions may be reading;
    // what is gone may come again at the same address.
    if (Item.has(MapAlways | MapPtrAndObj | MapReturnParam) ||
        std::any_of(Gone.begin(), Gone.end(), [&](const HostRange &G) {
          return G.overlaps(Item.range());
        }))
      return std::nullopt;
  }
  bool GaveUp = false;
  Status Result = enter(C, Q, S, /*Pin=*/false, &GaveUp);
  if (GaveUp)
    return std::nullopt;
  return Result;
}

bool accx::leaveBeside(Construct C, ConstructScratch &S,
                       std::span<const Entry *const> Held) {
  if (announcing())
    return false;
  collectExit(S, /*Pinned=*/false);
  std::lock_guard Lock(C.D.MapMutex);
  if (!C.D.Maps.exitBeside(S.Exit, Held))
    return false;
  C.D.notifyMapChanged();
  return true;
}

Status accx::enterForLaunch(Construct C, ConstructQueue &Q,
                            ConstructScratch &S) {
  return enter(C, Q, S, /*Pin=*/true);
}

Status accx::finishEntered(ConstructQueue &Q, ConstructScratch &S,
                           Status Queued, const char *KernelName) {
  const bool AllQueued = Queued.ok();
  Status Result = Q.finish(std::move(Queued));
  std::string Copies;
  if (S.Copied) {
    Device &D = Q.device();
    std::lock_guard Lock(D.MapMutex);
    const bool Arrived =
        D.OnTheWay.end(std::exchange(S.Copied, nullptr), S.P, Result.ok());
    if (!Arrived) [[unlikely]]
      Copies = namesOf(S.P);
    D.Maps.settle(S.P);
    D.notifyMapChanged();
  }
  if (Result.ok() || !AllQueued) [[likely]]
    return Result;
  // It is one of these.
  std::vector<std::string> Any;
  if (!Copies.empty())
    Any.push_back("copying " + Copies);
  Any.push_back(kernelPhrase(KernelName));
  if (const std::string Results = S.Results.names(); !Results.empty())
    Any.push_back("copying " + Results + " back");
  std::string Text = Any.front();
  for (size_t I = 1; I < Any.size(); ++I)
    Text += (I + 1 < Any.size() ? ", " : ", or ") + Any[I];
  return std::move(Result).within(Any.size() > 1 ? Text + " after it" : Text);
}

bool accx::enterPresent(Construct C, ConstructScratch &S) {
  S.Enter.clear();
  S.Unwritten.clear();
  if (announcing())
    return false;
  for (size_t I = 0; I < S.Items.size(); ++I)
    S.Enter.push_back(
        enterItem(S.Items[I], /*UnifiedMemory=*/false, /*Pin=*/true));
  std::lock_guard Lock(C.D.MapMutex);
  return C.D.Maps.enterPresent(S.Enter);
}

void accx::unpinItems(Construct C, ConstructScratch &S) {
  std::lock_guard Lock(C.D.MapMutex);
  for (EnterItem &I : S.Enter)
    if (I.Target)
      C.D.Maps.unpin(I.Target);
  C.D.notifyMapChanged();
}

Status accx::leaveItems(Construct C, ConstructQueue &Q, ConstructScratch &S,
                        bool Pinned) {
  Device &D = C.D;
  collectExit(S, Pinned);
  if (S.Exit.empty())
    return Status();

  std::optional<Announcer> Say;
  S.P.clear();
  if (Q.tail() && Pinned)
    for (ExitItem &I : S.Exit)
      if (I.Pinned) {
        // The pin goes on until the queue has passed.
        I.KeepPin = true;
        Q.tail()->Pins.push_back(I.Pinned);
      }
  {
    std::unique_lock Lock(D.MapMutex);
    if (Q.tail() && !Pinned) [[unlikely]]
      for (const ExitItem &I : S.Exit)
        pinFor(*Q.tail(), Lock, D.Maps.find(I.Host));
    Status Error;
    size_t Failed = 0;
    Outcome O = askUntilDone(D, Lock, [&] {
      S.Results.check();
      return D.Maps.exit(S.Exit, S.P, Error, Failed);
    });
    if (O == Outcome::Failed) {
      Lock.unlock();
      const ExitItem &Item = S.Exit[Failed];
      reportAbsent(C, Item.Host, Item.Name,
                   Item.NoParts ? AbsentFor::Exit : AbsentFor::Map);
      return Error;
    }
    if (announcing()) [[unlikely]] {
      Say.emplace(D.id());
      Say->collect(S.Exit);
    }
    if (Pinned)
      D.notifyMapChanged();
  }

  if (infoEnabled(InfoMappingChanged)) [[unlikely]]
    for (const ExitItem &I : S.Exit)
      if (I.Result == Resolution::Absent && !I.Host.empty() && !D.unified())
        info(D.id(),
             "No map entry for HstPtrBegin=0x%016" PRIxPTR
             ", Size=%zu, nothing to do, Name=%s\n",
             I.Host.Begin, I.Host.size(), itemName(I.Name).c_str());

  const bool Fetched = deliverResults(S);
  Status Result = performAll(Q, S.P, Say ? &*Say : nullptr);
  if (!S.P.empty()) {
    if (!Fetched || !S.P.Operations.empty())
      Result = finish(Q, S.P, std::move(Result));
    settle(D, S.P);
  }
  if (Say)
    Say->removed();
  if (prof::enabled()) [[unlikely]]
    tellOfDeleted(D, S);
  if (Result.failed())
    error("%s", Result.text().c_str());
  return Result;
}
