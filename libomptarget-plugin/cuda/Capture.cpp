//===- Capture.cpp - Making graphs ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Capture.h.
//
//===----------------------------------------------------------------------===//

#include "Capture.h"

#include "Device.h"

#include <utility>

using namespace accx;
using namespace accx::cuda;

accx_status cuda::launchNow(CUstream Stream, const ReadyLaunch &L,
                            bool MayOverlap) {
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
      MayOverlap && L.K->Env.Waits == 1 ? 1u : 0u};
  if (CUresult R = Cu.LaunchKernelEx(&Config, L.K->Function, nullptr, Extra))
    return L.K->D.failure(
        R,
        "launch of %u x %u x %u blocks of %u x %u x %u threads with %u bytes "
        "of shared memory",
        L.Shape.Grid[0], L.Shape.Grid[1], L.Shape.Grid[2], L.Shape.Block[0],
        L.Shape.Block[1], L.Shape.Block[2], L.SharedBytes);
  return ACCX_OK;
}

bool PeerCopy::isApartFrom(const PeerCopy &Other) const {
  const auto Overlap = [](CUdeviceptr A, size_t SizeA, CUdeviceptr B,
                          size_t SizeB) {
    return A < B + SizeB && B < A + SizeA;
  };
  return !Overlap(Dst, Size, Other.Dst, Other.Size) &&
         !Overlap(Dst, Size, Other.Src, Other.Size) &&
         !Overlap(Src, Size, Other.Dst, Other.Size);
}

accx_status cuda::copyNow(CUstream Stream, const PeerCopy &C) {
  if (CUresult R = Cu.MemcpyPeerAsync(C.Dst, C.To->context(), C.Src,
                                      C.From->context(), C.Size, Stream))
    return C.From->failure(R, "copy of %zu bytes", C.Size);
  return ACCX_OK;
}

Capture::Capture(const Lanes &Streams, size_t Lead) : Lead(Lead) {
  for (size_t I = 0; I < Streams.size(); ++I)
    All.push_back({*Streams[I].D});
}

Capture::~Capture() {
  for (Captured &C : All) {
    ContextScope Scope(C.D.context());
    if (C.Stream)
      Cu.StreamDestroy(C.Stream);
  }
  // Others could not ask for such an event before they have recorded it.
  for (CUevent E : Events)
    Cu.EventDestroy(E);
}

/// Stream \p I waits for what is on \p Other.
bool Capture::wait(size_t I, size_t Other) {
  Captured &From = All[Other];
  CUevent Passed = nullptr;
  {
    ContextScope Scope(From.D.context());
    if (Cu.EventCreate(&Passed, CU_EVENT_DISABLE_TIMING))
      return false;
    Events.push_back(Passed);
    if (Cu.EventRecord(Passed, From.Stream))
      return false;
  }
  All[I].EndsInKernel = false;
  ContextScope Scope(All[I].D.context());
  return !Cu.StreamWaitEvent(All[I].Stream, Passed, 0);
}

bool Capture::begin() {
  for (Captured &C : All) {
    ContextScope Scope(C.D.context());
    if (Cu.StreamCreate(&C.Stream, CU_STREAM_NON_BLOCKING))
      return false;
  }
  {
    ContextScope Scope(All[Lead].D.context());
    if (Cu.StreamBeginCapture(All[Lead].Stream,
                              CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
      return false;
  }
  Begun = true;
  // Of one stream's graph the first kernel may start like any other.
  All[Lead].EndsInKernel = All.size() == 1;
  return othersWait();
}

bool Capture::launch(size_t I, const ReadyLaunch &L, CUgraphNode &Made) {
  Captured &C = All[I];
  ContextScope Scope(C.D.context());
  int State = 0;
  const CUgraphNode *Last = nullptr;
  size_t NumLast = 0;
  if (launchNow(C.Stream, L, std::exchange(C.EndsInKernel, true)) ||
      Cu.StreamGetCaptureInfo(C.Stream, &State, nullptr, nullptr, &Last,
                              &NumLast) ||
      NumLast != 1)
    return false;
  Made = *Last;
  return true;
}

bool Capture::copy(size_t I, const PeerCopy &P) {
  Captured &C = All[I];
  ContextScope Scope(C.D.context());
  C.EndsInKernel = false;
  // Addresses tell whose they are; not each driver captures what names devices.
  return !Cu.MemcpyDtoDAsync(P.Dst, P.Src, P.Size, C.Stream);
}

bool Capture::leadWaits() {
  for (size_t I = 0; I < All.size(); ++I)
    if (I != Lead && !wait(Lead, I))
      return false;
  return true;
}

bool Capture::othersWait() {
  for (size_t I = 0; I < All.size(); ++I)
    if (I != Lead && !wait(I, Lead))
      return false;
  return true;
}

bool Capture::meet() {
  // In a graph the way by the lead costs nothing.
  return leadWaits() && othersWait();
}

CUgraph Capture::end() {
  if (!Begun)
    return nullptr;
  const bool Whole = leadWaits();
  CUgraph Graph = nullptr;
  ContextScope Scope(All[Lead].D.context());
  if (Cu.StreamEndCapture(All[Lead].Stream, &Graph))
    return nullptr;
  if (!Whole && Graph)
    Cu.GraphDestroy(std::exchange(Graph, nullptr));
  return Graph;
}
