//===- Loop.cpp - A loop that several devices share -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the parts of a planned loop, in order with everything else.
//
//===----------------------------------------------------------------------===//

#include "distribute/Loop.h"

#include "device/AsyncQueue.h"
#include "device/HeldLaunches.h"
#include "device/LoopEnds.h"
#include "mapping/ByValue.h"
#include "mapping/Launch.h"
#include "mapping/Reduced.h"
#include "report/Report.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>

using namespace accx;

namespace {

/// The queue of each device for parts of loops that no construct queues
/// elsewhere; OpenACC's numbers are above it.
constexpr int64_t LoopQueue = INT64_MIN + 1;

/// The region's arguments for one part.
class PartArguments {
  std::vector<void *> Bases, Begins;
  std::vector<int64_t> Types;
  KernelArgs Own;
  ReducedVariables Reduced;

  void setLiteral(int Arg, int64_t Value) {
    Bases[Arg] = Begins[Arg] = reinterpret_cast<void *>(Value);
  }

public:
  /// Parts of loops that meet may start together with those of the next loops.
  PartArguments(const KernelArgs &Args, bool Meets)
      : Bases(Args.BasePtrs, Args.BasePtrs + Args.NumArgs),
        Begins(Args.Ptrs, Args.Ptrs + Args.NumArgs),
        Types(Args.Types, Args.Types + Args.NumArgs), Own(Args) {
    Own.Flags &= ~(KernelArgs::NoWait | (Meets ? 0 : KernelArgs::Late));
  }

  /// Nothing of argument \p Arg comes back: it is as it was.
  void dropCopyOut(int Arg) { Types[Arg] &= ~int64_t(MapFrom); }
  /// Array \p Arg is the one at \p Address of the device.
  void useAddress(int Arg, uintptr_t Address) {
    setLiteral(Arg, static_cast<int64_t>(Address));
    Types[Arg] = MapLiteral | MapTargetParam;
  }
  /// The bytes at \p Slot stand for those of the variable \p Variable.
  void useSlot(uintptr_t Variable, size_t Bytes, void *Slot) {
    for (size_t I = 0; I < Begins.size(); ++I) {
      const auto Begin = reinterpret_cast<uintptr_t>(Begins[I]);
      if (Types[I] & (MapLiteral | MapPrivate) || Begin < Variable ||
          Begin >= Variable + Bytes)
        continue;
      const ptrdiff_t Move = reinterpret_cast<uintptr_t>(Slot) - Variable;
      Begins[I] = static_cast<char *>(Begins[I]) + Move;
      if (!(Types[I] & MapPtrAndObj))
        Bases[I] = static_cast<char *>(Bases[I]) + Move;
    }
  }
  /// A kernel of \p D touches the variable \p Arg once, where it need not be
  /// copied from; deliver() brings it to the host.
  void reduce(Device &D, int Arg) {
    void *Place =
        Reduced.add(D, Begins[Arg], static_cast<size_t>(Own.Sizes[Arg]));
    if (!Place)
      return;
    setLiteral(Arg, reinterpret_cast<intptr_t>(Place));
    Types[Arg] = PassedAsIs;
  }
  void deliver() { Reduced.deliver(); }
  /// The arguments of iterations \p R of \p Iterations.
  const KernelArgs &of(const IterationRange &R, int64_t Iterations, int First,
                       int Last) {
    const __int128 Trips = Own.TripCount;
    setLiteral(First, R.Begin);
    setLiteral(Last, R.End);
    Part = Own;
    Part.BasePtrs = Bases.data();
    Part.Ptrs = Begins.data();
    Part.Types = Types.data();
    Part.TripCount = static_cast<uint64_t>(
        (Trips * (R.End - R.Begin) + Iterations - 1) / Iterations);
    return Part;
  }

private:
  KernelArgs Part;
};

/// What part of a loop on \p Queue reads through it reads from a copy on its
/// own device. The queue's work is in order, so that one copy serves all loops.
Status copyWalks(const LoopPlan &P, const KernelArgs &Args, AsyncQueue &Queue,
                 PartArguments &Own) {
  Device &D = Queue.device();
  for (const LoopPlan::Walk &W : P.Walks) {
    const SpreadArray &A = *W.Array;
    const auto Index = static_cast<size_t>(A.indexOf(D));
    const uintptr_t Room = A.isAllOf(Index) ? 0 : A.roomForCopy(Index);
    if (!Room)
      continue;
    const size_t Begin = W.Range.Begin - A.Host.Begin;
    const size_t End = W.Range.End - A.Host.Begin;
    std::lock_guard Order(Queue.Order);
    size_t From = 0;
    for (const SpreadPart &Part : A.Parts) {
      const size_t First = std::max(Begin, std::exchange(From, Part.End));
      if (First >= std::min(End, Part.End))
        continue;
      if (Status S = D.copy(
              Queue.handle(),
              {ACCX_WITHIN_DEVICE, reinterpret_cast<void *>(Room + First),
               reinterpret_cast<void *>(A.deviceAddress() + First),
               std::min(End, Part.End) - First, 1, 0, 0, nullptr},
              Args.Names ? Args.Names[W.Item] : nullptr);
          S.failed())
        return S;
    }
    Own.useAddress(W.Item, reinterpret_cast<uintptr_t>(Args.BasePtrs[W.Item]) -
                               A.Host.Begin + Room);
  }
  return Status();
}

} // namespace

void *DistributedLoop::addSlots(const void *Variable, size_t Bytes) {
  size_t All = 0;
  if (__builtin_mul_overflow(Bytes, numSlots(), &All))
    return nullptr;
  Slots S = {reinterpret_cast<uintptr_t>(Variable), Bytes,
             std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[All])};
  if (!S.Copies)
    return nullptr;
  for (unsigned I = 0; I < numSlots(); ++I)
    std::memcpy(S.Copies.get() + I * Bytes, Variable, Bytes);
  AllSlots.push_back(std::move(S));
  return AllSlots.back().Copies.get();
}

/// Devices that have a part.
static unsigned ownersOf(std::span<const IterationRange> Ranges) {
  std::set<unsigned> Owners;
  for (const IterationRange &R : Ranges)
    Owners.insert(R.Owner);
  return static_cast<unsigned>(Owners.size());
}

/// The queues meet, by events where there is no other way: each waits for what
/// is on all others so far.
static void joinQueues(std::span<AsyncQueue *const> Queues) {
  if (AsyncQueue::meet(Queues))
    return;
  const std::shared_ptr<const LoopEnd> End = LoopEnd::of(Queues);
  // All points come first: none is to be behind a wait for another one.
  for (const LoopEnd::Part &P : End->Parts)
    (void)End->pointOf(P);
  for (AsyncQueue *Q : Queues) {
    std::lock_guard Order(Q->Order);
    End->holdBack(*Q);
  }
}

/// Waits for all of them, also if one failed: others still use the program's
/// memory. A failure ends the program.
static Status waitFor(std::span<AsyncQueue *const> Queues) {
  const Device *Failed = nullptr;
  QueueOutcome First;
  for (AsyncQueue *Q : Queues)
    if (QueueOutcome O = Q->wait(); O.Result.failed() && !Failed) {
      Failed = &Q->device();
      First = std::move(O);
    }
  if (Failed)
    reportAsyncFailure(*Failed, First);
  return Status();
}

Status DistributedLoop::run(Construct C, const void *HostPtr,
                            const KernelArgs &Args, const RunRegion &Run) {
  NumUsed = 0;
  const bool Queued = asyncScope::current() != asyncScope::None;
  LoopPlan P = planLoop(C, HostPtr, Args,
                        {Devices, Schedule, Iterations, slotRanges(), Queued});
  if (P.Lost.failed()) {
    error("%s", P.Lost.text().c_str());
    return std::move(P.Lost);
  }
  if (P.Ranges.empty()) {
    if (!P.Why.empty())
      tellWhole(C, P);
    if (!Queued)
      held::start();
    return Run({P.Whole ? *P.Whole : C.D, C.Loc}, Args);
  }
  return runParts(C, Args, Run, P);
}

std::vector<HostRange> DistributedLoop::slotRanges() const {
  std::vector<HostRange> Ranges;
  Ranges.reserve(AllSlots.size());
  for (const Slots &S : AllSlots)
    Ranges.push_back({S.Variable, S.Variable + S.Bytes});
  return Ranges;
}

Status DistributedLoop::runParts(Construct C, const KernelArgs &Args,
                                 const RunRegion &Run, const LoopPlan &P) {
  const bool Queued = asyncScope::current() != asyncScope::None;
  const int64_t Number = Queued ? asyncScope::current() : LoopQueue;
  std::vector<AsyncQueue *> Queues;
  for (Device *D : Devices) {
    auto Q = D->asyncQueue(Number);
    if (!Q.ok())
      return Q.takeStatus();
    Queues.push_back(*Q);
  }
  // Otherwise each part follows the loops before by their ends.
  const bool Meets = AsyncQueue::canMeet(Queues);
  if (Queued || Meets)
    joinQueues(Queues);
  // What is on its way to devices that see the same arrays comes first.
  for (Device *D : P.Seen)
    if (std::find(Devices.begin(), Devices.end(), D) == Devices.end())
      D->settleCopies();

  NumUsed = AllSlots.empty() ? 0 : numSlots();
  std::vector<std::unique_ptr<PartArguments>> ArgsOf(Devices.size());
  {
    asyncScope::Scope Scope(Number);
    PartsScope Parts(ownersOf(P.Ranges));
    for (const IterationRange &R : P.Ranges) {
      auto &Own = ArgsOf[R.Owner];
      if (!Own) {
        Own = std::make_unique<PartArguments>(Args, Meets);
        for (int Arg : P.OnlyRead)
          Own->dropCopyOut(Arg);
        for (const Slots &S : AllSlots)
          Own->useSlot(S.Variable, S.Bytes, S.Copies.get() + R.Owner * S.Bytes);
        for (int Arg : P.Reduced)
          Own->reduce(*Devices[R.Owner], Arg);
        // Constructs on other queues may use the copy at the same time.
        if (!Queued)
          if (Status S = copyWalks(P, Args, *Queues[R.Owner], *Own); S.failed())
            return S;
      }
      const LoopPlan::Numbers &N = P.NumbersOf[R.Owner];
      if (Status S = Run({*Devices[R.Owner], C.Loc},
                         Own->of(R, Iterations, N.First, N.Last));
          S.failed()) {
        error("the part on device %d of a distributed loop failed",
              Devices[R.Owner]->id());
        return S;
      }
    }
  }
  if (Queued)
    joinQueues(Queues);
  // Slots are combined when this construct ends.
  if (NumUsed || (P.MustWait && !Queued)) {
    Status S = waitFor(Queues);
    for (const auto &Own : ArgsOf)
      if (Own && S.ok())
        Own->deliver();
    return S;
  }
  if (Queued)
    return Status();
  const std::shared_ptr<const LoopEnd> End = LoopEnd::of(Queues);
  for (Device *D : P.Seen)
    D->loops().add(End);
  return Status();
}
