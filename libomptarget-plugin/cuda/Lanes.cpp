//===- Lanes.cpp - Streams that meet --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Lanes.h.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "Device.h"

#include <algorithm>
#include <utility>

using namespace accx;
using namespace accx::cuda;

Lanes::~Lanes() {
  if (Probe)
    All.front().D->giveEvent(Probe);
}

void Lanes::probe() {
  const Lane &First = All.front();
  ContextScope Scope(First.D->context());
  if (!First.Stream || (!Probe && First.D->takeEvent(Probe)))
    return;
  Cu.EventRecord(Probe, First.Stream);
}

bool Lanes::hasPassedProbe() {
  ContextScope Scope(All.front().D->context());
  return !Probe || Cu.EventQuery(Probe) != CUDA_ERROR_NOT_READY;
}

/// Records what is on streams for which \p Ahead, and has others for which
/// \p Behind wait for it. All is recorded first: a wait is a way from device to
/// device, and none is to be behind another one.
template <typename AheadFn, typename BehindFn>
accx_status Lanes::follow(AheadFn Ahead, BehindFn Behind) {
  std::vector<std::pair<size_t, CUevent>> Passed;
  accx_status Status = ACCX_OK;
  for (size_t I = 0; I < size() && !Status; ++I) {
    if (!Ahead(I))
      continue;
    Lane &L = All[I];
    L.Touched = false;
    if (!L.Stream)
      continue;
    ContextScope Scope(L.D->context());
    CUevent E = nullptr;
    if ((Status = L.D->takeEvent(E)))
      break;
    Passed.emplace_back(I, E);
    if (CUresult R = Cu.EventRecord(E, L.Stream))
      Status = L.D->failure(R, "recording an event");
  }
  for (size_t I = 0; I < size(); ++I) {
    if (!All[I].Stream || !Behind(I))
      continue;
    ContextScope Scope(All[I].D->context());
    for (const auto &[Of, E] : Passed) {
      if (Of == I || Status)
        continue;
      if (CUresult R = Cu.StreamWaitEvent(All[I].Stream, E, 0))
        Status = All[I].D->failure(R, "waiting for an event");
    }
  }
  // A wait is for what was recorded when it was queued.
  for (const auto &[Of, E] : Passed)
    All[Of].D->giveEvent(E);
  return Status;
}

accx_status Lanes::settle() {
  const auto Everyone = [](size_t) { return true; };
  const bool Meet = std::exchange(Meets, false);
  if (Lead != None)
    if (accx_status S = follow(
            [Of = std::exchange(Lead, None)](size_t I) { return I == Of; },
            Everyone))
      return S;
  const auto IsTouched = [&](size_t I) { return All[I].Touched; };
  if (!Meet || std::none_of(All.begin(), All.end(),
                            [](const Lane &L) { return L.Touched; }))
    return ACCX_OK;
  if (size() <= MaxDirect)
    return follow(IsTouched, Everyone);
  // N (N - 1) waits take the one thread longer than a second way.
  const auto IsFirst = [](size_t I) { return I == 0; };
  const accx_status S = follow(IsTouched, IsFirst);
  return S ? S : follow(IsFirst, Everyone);
}

accx_status Lanes::launch(CUgraphExec Exec, size_t I, CUresult &Result) {
  Result = CUDA_SUCCESS;
  if (Lead != None && Lead != I)
    if (accx_status S = settle())
      return S;
  if (size() > 1)
    if (accx_status S = follow(
            [&](size_t Other) { return Other != I && All[Other].Touched; },
            [&](size_t To) { return To == I; }))
      return S;
  ContextScope Scope(All[I].D->context());
  Result = Cu.GraphLaunch(Exec, All[I].Stream);
  Meets = false;
  if (size() > 1)
    Lead = I;
  return ACCX_OK;
}
