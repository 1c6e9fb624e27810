//===- Operations.cpp - Calls that queue an operation of the host ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Operations.h"

#include "mapping/Phases.h"
#include "report/Activity.h"

#include <cerrno>

using namespace accx;
using acc::OperationCall;
using acc::OperationFn;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

int OperationCall::check() const {
  const bool IsQueue = Queue >= 0 || Queue == acc_async_noval ||
                       Queue == acc_async_sync || Queue == acc_async_default;
  return IsQueue && NumWait >= 0 && (NumWait == 0 || Wait) ? 0 : -EINVAL;
}

int OperationCall::findQueue(Device *D, AsyncQueue *&Found) const {
  Found = nullptr;
  if (const int Code = check())
    return Code;
  const int64_t Number = queueNumber(Queue, Self);
  if (!D || Number == asyncScope::None)
    return 0;
  auto Made = D->asyncQueue(Number);
  if (!Made.ok())
    return -ENOMEM;
  Found = *Made;
  return 0;
}

bool acc::takeEvents(int Num, const accx_event_t *Events,
                     std::vector<EventRef> &Out) {
  if (Num < 0 || (Num && !Events))
    return false;
  Out.reserve(static_cast<size_t>(Num));
  for (int I = 0; I < Num; ++I) {
    if (!Events[I])
      return false;
    Out.emplace_back(eventOf(Events[I]));
  }
  return true;
}

namespace {

/// Where \p Bytes at \p Address are for \p D.
enum class Owner { Host, Present, Partly, Device };

Owner ownerOf(Device &D, uintptr_t Address, size_t Bytes) {
  {
    std::lock_guard Lock(D.MapMutex);
    if (D.Maps.covered({Address, Address + Bytes}))
      return Owner::Present;
    if (D.Maps.find({Address, Address + 1}) ||
        D.Maps.find({Address + Bytes - 1, Address + Bytes}))
      return Owner::Partly;
  }
  const accx_plugin &Api = D.plugin().api();
  return D.plugin().canShare() &&
                 Api.memory_find(D.handle(), reinterpret_cast<void *>(Address),
                                 Bytes) == ACCX_OK
             ? Owner::Device
             : Owner::Host;
}

/// Appends the device's place of a row that is present, in as many sections as
/// it has different distances. False: another thread unmaps it.
bool addPresent(Device &D, uintptr_t At, uintptr_t End,
                acc::PlacedSections &Out) {
  std::unique_lock Lock(D.MapMutex);
  while (At < End) {
    Entry *E = D.Maps.find({At, At + 1});
    if (!E)
      return false;
    const uintptr_t Stop = std::min(End, E->Host.End);
    auto *Begin = reinterpret_cast<char *>(At + E->Delta);
    pinFor(*Out.Pins, Lock, E);
    Section *Last = Out.Sections.empty() ? nullptr : &Out.Sections.back();
    if (Last && Last->height == 1 &&
        static_cast<char *>(Last->address) + Last->width == Begin)
      Last->width += Stop - At;
    else
      Out.Sections.push_back({Begin, Stop - At, 1, 0});
    At = Stop;
  }
  return true;
}

/// The same for rows that one entry holds.
bool addUniform(Device &D, const accx_section &R, uintptr_t Begin,
                uintptr_t End, acc::PlacedSections &Out) {
  std::unique_lock Lock(D.MapMutex);
  Entry *E = D.Maps.find({Begin, End});
  if (!E)
    return false;
  Out.Sections.push_back(R);
  Out.Sections.back().address = reinterpret_cast<void *>(Begin + E->Delta);
  pinFor(*Out.Pins, Lock, E);
  return true;
}

} // namespace

bool acc::place(Device *D, const accx_section *Rows, int Num,
                PlacedSections &Out) {
  Out = {};
  bool Any = false;
  Owner All = Owner::Host;
  for (int I = 0; I < Num; ++I) {
    accx_section R = Rows[I];
    if (!R.width || !R.height)
      continue;
    if (R.height == 1)
      R.pitch = R.width;
    const auto Begin = reinterpret_cast<uintptr_t>(R.address);
    const uintptr_t End = Begin + R.pitch * (R.height - 1) + R.width;
    if (!D || D->unified()) {
      Out.Sections.push_back(R);
      continue;
    }
    // Rows may be present where the bytes between them are not.
    Owner O = ownerOf(*D, Begin, End - Begin);
    if (O == Owner::Partly && R.height > 1)
      O = ownerOf(*D, Begin, R.width);
    if (O == Owner::Partly || (Any && O != All))
      return false;
    Any = true;
    All = O;
    if (O != Owner::Present) {
      Out.Sections.push_back(R);
      continue;
    }
    if (!Out.Pins)
      Out.Pins = std::make_shared<ConstructTail>(*D);
    if (addUniform(*D, R, Begin, End, Out))
      continue;
    for (size_t Row = 0; Row < R.height; ++Row) {
      const uintptr_t At = Begin + Row * R.pitch;
      if (ownerOf(*D, At, R.width) != Owner::Present ||
          !addPresent(*D, At, At + R.width, Out))
        return false;
    }
  }
  Out.OnHost = All == Owner::Host ||
               (D && D->info().features & ACCX_FEATURE_HOST_REACHES);
  return true;
}

//===----------------------------------------------------------------------===//
// Events of the program
//===----------------------------------------------------------------------===//

int acc::tell(Event &E, int Status) {
  if (Status < 0)
    if (AsyncQueue *Q = E.Of.load(std::memory_order_relaxed))
      Q->told(E.FailureId.load(std::memory_order_relaxed));
  return Status;
}

int acc::waitAndTell(const std::vector<EventRef> &Events) {
  int First = 0;
  for (const EventRef &E : Events) {
    const int S = tell(*E, E->wait());
    if (const QueueEventRef *Point = E->queuePoint(); Point && S == 0)
      E->Of.load(std::memory_order_relaxed)->passed(**Point);
    if (!First)
      First = S;
  }
  return First;
}

//===----------------------------------------------------------------------===//
// Queuing
//===----------------------------------------------------------------------===//

void acc::setPlace(AsyncQueue &Q, const Routine &Self) {
  const char *Place = operationPlace();
  Q.Source.store(Place ? Place : Self.Loc.Source, std::memory_order_relaxed);
}

namespace {

/// Carries out \p Op on the calling thread.
MoveResult runNow(Device *D, const OperationFn &Op) {
  if (!D)
    return Op(nullptr, nullptr);
  auto Queue = D->takeQueue();
  if (!Queue.ok())
    return {0, -ENOMEM, Queue.takeStatus().text(), false, nullptr};
  MoveResult R = Op(D, *Queue);
  D->giveQueue(*Queue);
  return R;
}

int carryOut(Device *D, Event &End, const std::vector<EventRef> &For,
             const OperationFn &Op) {
  if (std::string Why = awaitEvents(For); !Why.empty()) {
    End.finish(-ECANCELED, std::move(Why));
    return -ECANCELED;
  }
  End.stamp(Event::Submitted);
  MoveResult R = runNow(D, Op);
  End.finish(R.Code, std::move(R.Text));
  return R.Code;
}

/// Carries out \p Run on a queue's thread. \p MayRest: its last copies to the
/// device may be under way when it returns.
AsyncQueue::OperationEnd runOnQueue(Device *D, accx_queue On,
                                    const std::shared_ptr<OperationFn> &Run,
                                    bool MayRest) {
  const LeavingCopies May(MayRest);
  MoveResult R = (*Run)(D, On);
  AsyncQueue::OperationEnd End = {R.Code, std::move(R.Text), nullptr};
  if (R.Left) // Run keeps what is present until then.
    End.Rest = [Left = std::move(R.Left), Run](AsyncQueue::OperationEnd &With) {
      MoveResult Last;
      if (!Left->ended(Last))
        return false;
      With.Code = Last.Code;
      With.Text = std::move(Last.Text);
      return true;
    };
  return End;
}

/// \p Op as an activity of the traces.
OperationFn traced(const char *What, unsigned Queue, OperationFn Op) {
  return [=, Op = std::move(Op)](Device *D, accx_queue On) {
    ActivityInfo Activity;
    Activity.Device = D ? D->id() : -1;
    Activity.What = What;
    Activity.Queue = Queue;
    ActivityScope Scope(ActivityKind::Region, Activity);
    return Op(D, On);
  };
}

} // namespace

int acc::queueOperation(const OperationCall &Call, Device *D, const char *What,
                        OperationFn Op, Event::Callback AtEnd) {
  // The event may take the place of one that is waited for.
  std::vector<EventRef> For;
  const bool MakesSense =
      Call.check() == 0 && takeEvents(Call.NumWait, Call.Wait, For);
  if (Call.Event)
    *Call.Event = nullptr;
  if (!MakesSense)
    return -EINVAL;
  AsyncQueue *Queue = nullptr;
  if (const int Code = Call.findQueue(D, Queue))
    return Code;
  const EventRef End = EventRef::adopt(new Event);
  if (AtEnd)
    End->then(std::move(AtEnd));
  if (Call.Event)
    *Call.Event = EventRef(End).take();
  OperationFn Run = traced(What, Queue ? Queue->index() : 0, std::move(Op));
  if (!Queue)
    return carryOut(D, *End, For, Run);

  std::lock_guard Lock(Queue->Order);
  setPlace(*Queue, Call.Self);
  Queue->issueOperation(End, std::move(For),
                        [D, Run = std::make_shared<OperationFn>(
                                std::move(Run))](accx_queue On, bool MayRest) {
                          return runOnQueue(D, On, Run, MayRest);
                        });
  return 0;
}
