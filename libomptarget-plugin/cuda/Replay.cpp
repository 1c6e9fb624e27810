//===- Replay.cpp - Launches that repeat, as graphs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Replay.h.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace accx;
using namespace accx::cuda;

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15;
  return Hash ^ Hash >> 32;
}

Replay::Symbol Replay::symbolOf(const Step &S) {
  if (S.C) {
    uint64_t Hash = mix(S.C->Dst, uint64_t(S.Lane) << 32);
    return mix(mix(Hash, S.C->Src), S.C->Size) | 1;
  }
  if (!S.L)
    return Meeting;
  uint64_t Hash = mix(S.L->K->Id, uint64_t(S.Lane) << 32 | S.L->SharedBytes);
  for (unsigned I = 0; I < 3; ++I)
    Hash = mix(Hash, uint64_t(S.L->Shape.Grid[I]) << 32 | S.L->Shape.Block[I]);
  return Hash | 1;
}

/// Of the arguments.
uint64_t Replay::hashOf(const Step &S) {
  if (!S.L)
    return 0;
  uint64_t Hash = S.L->Args.size();
  for (void *Arg : S.L->Args)
    Hash = mix(Hash, reinterpret_cast<uintptr_t>(Arg));
  return Hash;
}

/// Whether the last \p P are as the \p P before them: \p Ago(0), Ago(1), ...
template <typename Fn> static bool endRepeats(unsigned P, Fn Ago) {
  unsigned I = 0;
  while (I < P && Ago(I) == Ago(I + P))
    ++I;
  return I == P;
}

/// The shortest row of symbols that the end of the history has twice.
unsigned Replay::findPeriod() const {
  const unsigned Most = unsigned(std::min<uint64_t>(MaxPeriod, Count / 2));
  for (unsigned P = 1; P <= Most; ++P)
    if (endRepeats(P, [&](unsigned I) { return ago(I); }))
      return P;
  return 0;
}

/// How many periods on the arguments are the same again; 1 if they never are.
unsigned Replay::periodsOfArguments() const {
  for (unsigned N = 1; N * Period <= MaxPeriod && 2 * N * Period <= Run; ++N)
    if (endRepeats(N * Period, [&](unsigned I) { return argumentsAgo(I); }))
      return N;
  return 1;
}

void Replay::note(Symbol What, uint64_t Args) {
  Symbols[Count % NumKept] = What;
  Arguments[Count % NumKept] = Args;
  ++Count;
  if (What == Boundary)
    BoundaryBefore = std::exchange(LastBoundary, Count);
  else if (What == Meeting)
    LastMeeting = Count;
  if (Period && ago(0) == ago(Period)) {
    ++Run;
    if (size() > 1)
      probe();
    return;
  }
  Period = findPeriod();
  Run = Period;
  IsKnown = false;
}

/// Whether the history ends with \p Row, which was turned by \p Turn symbols.
bool Replay::endsWith(std::span<const Symbol> Row, size_t Turn) const {
  const size_t Size = Row.size();
  for (size_t I = 0; I < Size; ++I)
    if (ago(unsigned(I)) != Row[(2 * Size - 1 - I - Turn) % Size])
      return false;
  return true;
}

/// Periods without boundaries are joined to graphs of at least so many kernels
/// and meetings.
unsigned Replay::joinedKernels() const {
  const uint64_t Num =
      std::clamp<uint64_t>(D.Env.GraphAfter / 2, MinKernels, MostKernels);
  return unsigned(size() > 1 ? ForMeetings * Num : Num);
}

uint64_t Replay::probesApart() const {
  return std::max<uint64_t>(8, D.Env.GraphAfter / 2);
}

/// Notes now and then how far the devices have to get: of rows between two
/// boundaries in the middle of one.
void Replay::probe() {
  const uint64_t Since = Count - LastBoundary;
  if (Followed || Count - Probed < probesApart() ||
      (LastBoundary && Since < Period && Since != Period / 2))
    return;
  Streams.probe();
  Probed = Count;
}

/// Whether devices that meet wait for what is launched, and not the other way
/// round: then they have done what they had a while ago. A boundary may be a
/// wait, so that what was noted ahead of the one before tells nothing.
bool Replay::isStarved() {
  if (size() == 1)
    return true;
  const bool InRounds = ago(0) == Boundary;
  if (Probed <= (InRounds ? BoundaryBefore : LastBoundary) ||
      (!InRounds && Count - Probed < probesApart() / 2))
    return false;
  if (Streams.hasPassedProbe())
    return true;
  Run = Period;
  return false;
}

/// Decides whether what comes next is to be followed or recorded.
void Replay::look() {
  if (!Period)
    return;
  // One with a boundary begins behind it, one with meetings behind one of them.
  const bool HasBoundary = LastBoundary && Count - LastBoundary < Period;
  const bool HasMeeting = LastMeeting && Count - LastMeeting < Period;
  if (HasBoundary ? ago(0) != Boundary : HasMeeting && ago(0) != Meeting)
    return;
  // Making a graph costs what launches cost for so long.
  const bool IsLong = Run >= D.Env.GraphAfter;
  for (const auto &P : Patterns) {
    if (P->Period.size() != Period)
      continue;
    if (endsWith(P->Period, 0)) {
      if (!P->Useless) {
        Followed = P.get();
        At = Next = NumOff = 0;
      }
      return;
    }
    for (size_t Turn = 1; Turn < Period && !IsKnown && IsLong; ++Turn)
      IsKnown = endsWith(P->Period, Turn);
  }
  if (IsKnown || !IsLong || !isStarved())
    return;

  std::vector<Symbol> Row(Period);
  for (unsigned I = 0; I < Period; ++I)
    Row[Period - 1 - I] = ago(I);
  Recorded = std::make_unique<Pattern>();
  Recorded->Period = std::move(Row);
  Recorded->HasBoundary = HasBoundary;
  Recorded->Alternates = periodsOfArguments();
  ToRecord = Period * Recorded->Alternates;
  if (!HasBoundary)
    ToRecord *= (joinedKernels() + ToRecord - 1) / ToRecord;
  NumRecorded = 0;
  Recorded->Segments.emplace_back();
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// \p S came, or null: a boundary.
void Replay::record(Symbol What, const Step *S) {
  if (What != Recorded->Period[NumRecorded % Recorded->Period.size()]) {
    Recorded.reset();
    return;
  }
  auto &Segments = Recorded->Segments;
  if (S)
    Segments.back().Nodes.emplace_back(*S);
  else
    Segments.back().Ends = true;
  if (++NumRecorded == ToRecord)
    finishRecording();
  else if (!S)
    Segments.emplace_back();
}

/// Parts long segments, so that the device need not wait for the last kernel.
/// Queues that meet meet between the parts, too.
void Replay::Pattern::split(bool Meets) {
  const size_t Most = Meets ? ForMeetings * MostKernels : MostKernels;
  std::vector<Segment> Parts;
  for (Segment &G : Segments) {
    auto From = G.Nodes.begin();
    size_t Size = HasBoundary ? FirstKernels : Most;
    for (; size_t(G.Nodes.end() - From) > Size + Size / 2;
         Size = std::min(2 * Size, Most)) {
      auto To = From + ptrdiff_t(Size);
      if (Meets)
        To = std::find_if(To - 1, G.Nodes.end(),
                          [](const Node &N) { return N.isMeeting(); });
      if (Meets && To != G.Nodes.end())
        ++To;
      Parts.emplace_back().Nodes.assign(std::make_move_iterator(From),
                                        std::make_move_iterator(To));
      From = To;
    }
    Segment &Last = Parts.emplace_back();
    Last.Nodes.assign(std::make_move_iterator(From),
                      std::make_move_iterator(G.Nodes.end()));
    Last.Ends = G.Ends;
  }
  Segments = std::move(Parts);
}

void Replay::finishRecording() {
  bool Any = false;
  Recorded->split(/*Meets=*/size() > 1);
  for (Segment &G : Recorded->Segments)
    if (G.numKernels() >= MinKernels)
      Any |= G.build(Streams);
  Recorded->Useless = !Any;
  if (Patterns.size() == MaxPatterns)
    Patterns.erase(Patterns.begin());
  Patterns.push_back(std::move(Recorded));
  if (!Any)
    return;
  Followed = Patterns.back().get();
  At = Next = NumOff = 0;
}

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

/// The next segment is due.
void Replay::goOn() {
  At = (At + 1) % unsigned(Followed->Segments.size());
  Next = 0;
}

accx_status Replay::perform(const Step &S) {
  if (!S.L && !S.C) {
    Streams.meet();
    return ACCX_OK;
  }
  if (accx_status Opened = Streams.open(S.Lane))
    return Opened;
  if (size() == 1) [[likely]]
    return launchNow(Streams[0].Stream, *S.L);
  ContextScope Scope(Streams[S.Lane].D->context());
  const CUstream Stream = Streams[S.Lane].Stream;
  return S.C ? copyNow(Stream, *S.C) : launchNow(Stream, *S.L);
}

accx_status Replay::perform(Node &N) {
  const ReadyLaunch Ready = N.ready();
  return perform({N.K ? &Ready : nullptr, N.Lane, N.Copy ? &*N.Copy : nullptr});
}

/// Takes \p S if it is what comes next.
accx_status Replay::follow(const Step &S, bool &Taken) {
  Taken = false;
  Segment &G = Followed->Segments[At];
  const auto Now = std::chrono::steady_clock::now();
  if (Next == G.Nodes.size() || !G.Nodes[Next].isLike(S) ||
      (NumOff && Now - LastLaunch > Gap))
    return leave();
  if (!Next && G.Exec && G.isStale()) {
    const Pattern *Old = Followed;
    const accx_status Left = leave();
    std::erase_if(Patterns, [=](auto &P) { return P.get() == Old; });
    IsKnown = false;
    return Left;
  }
  Node &N = G.Nodes[Next];
  if (S.L && !std::equal(N.Args.begin(), N.Args.end(), S.L->Args.begin())) {
    // The others that it takes turns with come first.
    if (!At && !Next && Followed->NumPassed < Followed->Alternates - 1) {
      ++Followed->NumPassed;
      return leave();
    }
    std::copy(S.L->Args.begin(), S.L->Args.end(), N.Args.begin());
    N.Changed = true;
  }
  Followed->NumPassed = 0;
  Taken = true;
  LastLaunch = Now;
  note(symbolOf(S), 0);
  ++Next;
  const bool IsLast = Next == G.Nodes.size();
  if (IsLast && !G.Ends)
    goOn();
  if (!G.Exec)
    return perform(N);
  ++NumOff;
  if (!IsLast)
    return ACCX_OK;
  NumOff = 0;
  ++Followed->NumGraphs;
  const accx_status Launched = G.launch(Streams);
  if (Launched) {
    Followed->Useless = true;
    Followed = nullptr;
  }
  return Launched;
}

/// Something else comes than what is followed.
accx_status Replay::leave() {
  Pattern &P = *std::exchange(Followed, nullptr);
  if (NumOff && ++P.NumMisses > MaxMisses + P.NumGraphs / 4)
    P.Useless = true;
  Segment &G = P.Segments[At];
  for (unsigned I = Next - std::exchange(NumOff, 0); I < Next; ++I)
    if (accx_status S = perform(G.Nodes[I]))
      return S;
  return ACCX_OK;
}

accx_status Replay::next(const Step &S) {
  Quiet = false;
  if (Followed) {
    bool Taken = false;
    if (accx_status Status = follow(S, Taken); Status || Taken)
      return Status;
  }
  const Symbol What = symbolOf(S);
  note(What, hashOf(S));
  if (Recorded)
    record(What, &S);
  else
    look();
  return perform(S);
}

accx_status Replay::boundary() {
  Quiet = true;
  accx_status S = ACCX_OK;
  const bool Expected = Followed && Followed->Segments[At].Ends &&
                        Next == Followed->Segments[At].Nodes.size();
  if (Followed && !Expected)
    S = leave();
  note(Boundary, 0);
  if (Expected) {
    goOn();
  } else if (Recorded) {
    record(Boundary, nullptr);
  } else {
    look();
  }
  return S;
}
