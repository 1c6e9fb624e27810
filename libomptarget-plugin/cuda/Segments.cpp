//===- Segments.cpp - Launches that start together ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graphs of Replay.h: what is in them, and their starts.
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include "Memory.h"
#include "Replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace accx;
using namespace accx::cuda;

Replay::Node::Node(const Step &S) : Lane(S.Lane) {
  if (S.C)
    Copy = *S.C;
  if (!S.L)
    return;
  K = S.L->K;
  KernelId = K->Id;
  Shape = S.L->Shape;
  SharedBytes = S.L->SharedBytes;
  Args.assign(S.L->Args.begin(), S.L->Args.end());
}

bool Replay::Node::isLike(const Step &S) const {
  if (S.C || Copy)
    return S.C && Copy && Lane == S.Lane && *Copy == *S.C;
  if (!S.L || !K)
    return !S.L && !K;
  // The kernel that was recorded may be gone.
  return Lane == S.Lane && KernelId == S.L->K->Id &&
         SharedBytes == S.L->SharedBytes && Args.size() == S.L->Args.size() &&
         std::memcmp(&Shape, &S.L->Shape, sizeof(Shape)) == 0;
}

Replay::Segment::Segment(Segment &&Other) noexcept
    : Nodes(std::move(Other.Nodes)), Ends(Other.Ends),
      Graph(std::exchange(Other.Graph, nullptr)),
      Exec(std::exchange(Other.Exec, nullptr)), HasCopies(Other.HasCopies),
      Frees(Other.Frees) {}

Replay::Segment::~Segment() {
  // The driver keeps what runs until it has ended.
  if (Exec)
    Cu.GraphExecDestroy(Exec);
  if (Graph)
    Cu.GraphDestroy(Graph);
}

size_t Replay::Segment::numKernels() const {
  return size_t(std::count_if(Nodes.begin(), Nodes.end(),
                              [](const Node &N) { return N.K != nullptr; }));
}

size_t Replay::Segment::numKernels(unsigned Lane) const {
  return size_t(std::count_if(Nodes.begin(), Nodes.end(), [=](const Node &N) {
    return N.K != nullptr && N.Lane == Lane;
  }));
}

const Replay::Node &Replay::Segment::first() const {
  return *std::find_if(Nodes.begin(), Nodes.end(),
                       [](const Node &N) { return N.K != nullptr; });
}

bool Replay::Segment::isNeedless(std::vector<Node>::const_iterator At,
                                 std::span<const PeerCopy> Ahead) const {
  for (++At; At != Nodes.end() && !At->isMeeting(); ++At)
    if (At->K || std::any_of(Ahead.begin(), Ahead.end(), [&](auto &Earlier) {
          return !At->Copy->isApartFrom(Earlier);
        }))
      return false;
  return true;
}

bool Replay::Segment::isStale() const {
  return HasCopies && Frees != NumFrees.load(std::memory_order_relaxed);
}

bool Replay::Segment::build(const Lanes &Streams) {
  Frees = NumFrees.load(std::memory_order_relaxed);
  const unsigned Lead = first().Lane;
  Capture C(Streams, Lead);
  bool Built = C.begin();
  // Since the last meeting; the begin of the graph is one.
  std::vector<PeerCopy> Copies;
  bool AnyKernels = false;
  for (auto At = Nodes.begin(); At != Nodes.end() && Built; ++At) {
    if (At->K) {
      AnyKernels = true;
      Built = C.launch(At->Lane, At->ready(), At->Handle);
    } else if (At->Copy) {
      HasCopies = true;
      Copies.push_back(*At->Copy);
      Built = C.copy(At->Lane, *At->Copy);
    } else if (AnyKernels || Copies.empty() || !isNeedless(At, Copies)) {
      AnyKernels = false;
      Copies.clear();
      Built = C.meet();
    }
  }
  Graph = C.end();
  ContextScope Scope(Streams[Lead].D->context());
  return Built && Graph && !Cu.GraphInstantiate(&Exec, Graph, 0);
}

accx_status Replay::Segment::launch(Lanes &Streams) {
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
    ContextScope Scope(N.K->D.context());
    if (CUresult R = Cu.GraphExecKernelNodeSetParams(Exec, N.Handle, &Params))
      return N.K->D.failure(R, "new arguments of kernel '%s' in a graph",
                            N.K->Name);
  }
  CUresult Result = CUDA_SUCCESS;
  if (accx_status S = Streams.launch(Exec, first().Lane, Result))
    return S;
  if (const Kernel &K = *first().K; Result)
    return K.D.failure(Result,
                       "launch of a graph of %zu kernels, the first is '%s'",
                       numKernels(), K.Name);
  for (unsigned Lane = 0; Lane < Streams.size(); ++Lane)
    Streams[Lane].D->NumReplayed.fetch_add(numKernels(Lane),
                                           std::memory_order_relaxed);
  return ACCX_OK;
}
