//===- Replay.cpp - Launches that repeat, as graphs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Replay.h.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

using namespace accx;
using namespace accx::cuda;

accx_status cuda::launchNow(CUstream Stream, const ReadyLaunch &L) {
  size_t Bytes = L.Args.size_bytes();
  void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, L.Args.data(),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &Bytes, CU_LAUNCH_PARAM_END};
  // Blocks may start while the kernel before ends; theirs is to wait. Without
  // it the device is idle between kernels, and a launch takes the host longer.
  CUlaunchAttribute MayStart = {};
  MayStart.Id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  MayStart.Value.Number = 1;
  const CUlaunchConfig Config = {
      {L.Shape.Grid[0], L.Shape.Grid[1], L.Shape.Grid[2]},
      {L.Shape.Block[0], L.Shape.Block[1], L.Shape.Block[2]},
      L.SharedBytes,
      Stream,
      &MayStart,
      L.K->Env.Waits == 1 ? 1u : 0u};
  if (CUresult R = Cu.LaunchKernelEx(&Config, L.K->Function, nullptr, Extra))
    return L.K->D.failure(
        R,
        "launch of %u x %u x %u blocks of %u x %u x %u threads with %u bytes "
        "of shared memory",
        L.Shape.Grid[0], L.Shape.Grid[1], L.Shape.Grid[2], L.Shape.Block[0],
        L.Shape.Block[1], L.Shape.Block[2], L.SharedBytes);
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Segments: the driver's graphs
//===----------------------------------------------------------------------===//

Replay::Node::Node(const ReadyLaunch &L)
    : K(L.K), KernelId(L.K->Id), Shape(L.Shape), SharedBytes(L.SharedBytes),
      Args(L.Args.begin(), L.Args.end()) {}

bool Replay::Node::isLike(const ReadyLaunch &L) const {
  // The kernel that was recorded may be gone.
  return KernelId == L.K->Id && SharedBytes == L.SharedBytes &&
         Args.size() == L.Args.size() &&
         std::memcmp(&Shape, &L.Shape, sizeof(Shape)) == 0;
}

Replay::Segment::Segment(Segment &&Other) noexcept
    : Nodes(std::move(Other.Nodes)), Ends(Other.Ends),
      Graph(std::exchange(Other.Graph, nullptr)),
      Exec(std::exchange(Other.Exec, nullptr)) {}

Replay::Segment::~Segment() {
  // The driver keeps what runs until it has ended.
  if (Exec)
    Cu.GraphExecDestroy(Exec);
  if (Graph)
    Cu.GraphDestroy(Graph);
}

bool Replay::Segment::build() {
  CUstream Capture = nullptr;
  if (Cu.StreamCreate(&Capture, CU_STREAM_NON_BLOCKING))
    return false;
  bool Built = false;
  if (!Cu.StreamBeginCapture(Capture, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)) {
    Built = true;
    for (Node &N : Nodes) {
      int State = 0;
      const CUgraphNode *Last = nullptr;
      size_t NumLast = 0;
      Built = Built && launchNow(Capture, N.ready()) == ACCX_OK &&
              !Cu.StreamGetCaptureInfo(Capture, &State, nullptr, nullptr, &Last,
                                       &NumLast) &&
              NumLast == 1;
      if (!Built)
        break;
      N.Handle = *Last;
    }
    Built = !Cu.StreamEndCapture(Capture, &Graph) && Built &&
            !Cu.GraphInstantiate(&Exec, Graph, 0);
  }
  Cu.StreamDestroy(Capture);
  return Built;
}

accx_status Replay::Segment::launch(Device &D, CUstream Stream) {
  for (Node &N : Nodes) {
    if (!std::exchange(N.Changed, false))
      continue;
    size_t Bytes = N.Args.size() * sizeof(void *);
    void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, N.Args.data(),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &Bytes, CU_LAUNCH_PARAM_END};
    CUkernelNodeParams Params = {};
    Params.Function = N.K->Function;
    std::copy_n(N.Shape.Grid, 3, Params.Grid);
    std::copy_n(N.Shape.Block, 3, Params.Block);
    Params.SharedBytes = N.SharedBytes;
    Params.Extra = Extra;
    if (CUresult R = Cu.GraphExecKernelNodeSetParams(Exec, N.Handle, &Params))
      return D.failure(R, "new arguments of kernel '%s' in a graph", N.K->Name);
  }
  if (CUresult R = Cu.GraphLaunch(Exec, Stream))
    return D.failure(R, "launch of a graph of %zu kernels, the first is '%s'",
                     Nodes.size(), Nodes.front().K->Name);
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15;
  return Hash ^ Hash >> 32;
}

Replay::Symbol Replay::symbolOf(const ReadyLaunch &L) {
  uint64_t Hash = mix(L.K->Id, L.SharedBytes);
  for (unsigned I = 0; I < 3; ++I)
    Hash = mix(Hash, uint64_t(L.Shape.Grid[I]) << 32 | L.Shape.Block[I]);
  return Hash | 1;
}

uint64_t Replay::hashOf(std::span<void *const> Args) {
  uint64_t Hash = Args.size();
  for (void *Arg : Args)
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
  if (!What)
    LastBoundary = Count;
  if (Period && ago(0) == ago(Period)) {
    ++Run;
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

/// Periods without boundaries are joined to graphs of at least so many kernels.
unsigned Replay::joinedKernels() const {
  return unsigned(std::clamp<uint64_t>(D.Env.GraphAfter / 2, MinKernels, 32));
}

/// Decides whether what comes next is to be followed or recorded.
void Replay::look() {
  if (!Period)
    return;
  // One with a boundary begins behind it.
  const bool HasBoundary = LastBoundary && Count - LastBoundary < Period;
  if (HasBoundary && ago(0) != 0)
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
  if (IsKnown || !IsLong)
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

/// \p L came, or null: a boundary.
void Replay::record(Symbol What, const ReadyLaunch *L) {
  if (What != Recorded->Period[NumRecorded % Recorded->Period.size()]) {
    Recorded.reset();
    return;
  }
  auto &Segments = Recorded->Segments;
  if (L)
    Segments.back().Nodes.emplace_back(*L);
  else
    Segments.back().Ends = true;
  if (++NumRecorded == ToRecord)
    finishRecording();
  else if (!L)
    Segments.emplace_back();
}

/// Parts long segments, so that the device need not wait for the last kernel.
void Replay::Pattern::split() {
  std::vector<Segment> Parts;
  for (Segment &G : Segments) {
    auto From = G.Nodes.begin();
    size_t Size = HasBoundary ? FirstKernels : MostKernels;
    for (size_t Left = G.Nodes.size(); Left > Size + Size / 2;
         Left -= Size, Size = std::min<size_t>(2 * Size, MostKernels)) {
      auto To = From + ptrdiff_t(Size);
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
  Recorded->split();
  for (Segment &G : Recorded->Segments)
    if (G.Nodes.size() >= MinKernels)
      Any |= G.build();
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

/// Takes \p L if it is what comes next.
accx_status Replay::follow(const ReadyLaunch &L, bool &Taken) {
  Taken = false;
  Segment &G = Followed->Segments[At];
  const auto Now = std::chrono::steady_clock::now();
  if (Next == G.Nodes.size() || !G.Nodes[Next].isLike(L) ||
      (NumOff && Now - LastLaunch > std::chrono::microseconds(D.Env.GraphGap)))
    return leave();
  Node &N = G.Nodes[Next];
  if (!std::equal(N.Args.begin(), N.Args.end(), L.Args.begin())) {
    // The others that it takes turns with come first.
    if (!At && !Next && Followed->NumPassed < Followed->Alternates - 1) {
      ++Followed->NumPassed;
      return leave();
    }
    std::copy(L.Args.begin(), L.Args.end(), N.Args.begin());
    N.Changed = true;
  }
  Followed->NumPassed = 0;
  Taken = true;
  LastLaunch = Now;
  note(symbolOf(L), 0);
  ++Next;
  const bool IsLast = Next == G.Nodes.size();
  if (IsLast && !G.Ends)
    goOn();
  if (!G.Exec)
    return launchNow(Stream, N.ready());
  ++NumOff;
  if (!IsLast)
    return ACCX_OK;
  NumOff = 0;
  ++Followed->NumGraphs;
  if (accx_status S = G.launch(D, Stream)) {
    Followed->Useless = true;
    Followed = nullptr;
    return S;
  }
  D.NumReplayed.fetch_add(G.Nodes.size(), std::memory_order_relaxed);
  return ACCX_OK;
}

/// Something else comes than what is followed.
accx_status Replay::leave() {
  Pattern &P = *std::exchange(Followed, nullptr);
  if (NumOff && ++P.NumMisses > MaxMisses + P.NumGraphs / 4)
    P.Useless = true;
  Segment &G = P.Segments[At];
  for (unsigned I = Next - std::exchange(NumOff, 0); I < Next; ++I)
    if (accx_status S = launchNow(Stream, G.Nodes[I].ready()))
      return S;
  return ACCX_OK;
}

accx_status Replay::launch(const ReadyLaunch &L) {
  Quiet = false;
  if (Followed) {
    bool Taken = false;
    if (accx_status S = follow(L, Taken); S || Taken)
      return S;
  }
  const Symbol What = symbolOf(L);
  note(What, hashOf(L.Args));
  if (Recorded)
    record(What, &L);
  else
    look();
  return launchNow(Stream, L);
}

accx_status Replay::boundary() {
  Quiet = true;
  accx_status S = ACCX_OK;
  const bool Expected = Followed && Followed->Segments[At].Ends &&
                        Next == Followed->Segments[At].Nodes.size();
  if (Followed && !Expected)
    S = leave();
  note(0, 0);
  if (Expected) {
    goOn();
  } else if (Recorded) {
    record(0, nullptr);
  } else {
    look();
  }
  return S;
}
