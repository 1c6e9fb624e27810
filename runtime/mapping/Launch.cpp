//===- Launch.cpp - Launching a kernel with its descriptor ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launch.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Launch.h"

#include "mapping/Phases.h"
#include "report/KernelName.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <algorithm>

using namespace accx;

thread_local constinit unsigned PartsScope::Current = 0;

Status LaunchResources::takeWorkspace(ConstructQueue &Q, const Descriptor &Desc,
                                      uint64_t Bytes) {
  auto Taken =
      withMemory(D, Holding::Entries, [&] { return D.scratch().take(Bytes); });
  if (!Taken.ok())
    return Taken.takeStatus().within("workspace of " + std::to_string(Bytes) +
                                     " bytes");
  Workspace = *Taken;
  const uint64_t Zeroed = std::min<uint64_t>(Desc.Raw.zeroed_bytes, Bytes);
  if (!Zeroed)
    return Status();
  return D.fill(Q.handle(), Workspace.Address, 0, 1, Zeroed);
}

bool LaunchResources::coversAll(const Kernel::Step &Step,
                                std::span<void *const> Args,
                                const LaunchRequest &Request) {
  // Of a part of a loop the trip count says how many rows it has.
  if (Request.NumTeams || (D.info().features & ACCX_FEATURE_BOUNDED_TEAMS))
    return false;
  const auto Shape =
      Step.Desc->wholeGeometry(Request.TripCount, D.info(), Args);
  if (!Shape || (Request.ThreadLimit && Request.ThreadLimit < Shape->block[0]))
    return false;
  Geometry = *Shape;
  return true;
}

Status LaunchResources::launchStep(ConstructQueue &Q, const Kernel::Step &Step,
                                   std::vector<void *> &Args,
                                   const LaunchRequest &Request,
                                   accx_kernel_geometry *Geometry) {
  accx_launch L = {};
  L.has_environment = Request.HasEnvironment;
  L.num_teams = Request.NumTeams;
  L.thread_limit = Request.ThreadLimit;
  L.trip_count = Request.TripCount;
  L.num_parts = PartsScope::current();
  L.may_wait = Request.MayWait;
  L.shared_bytes = std::max<uint32_t>(
      Request.DynamicSharedBytes,
      static_cast<uint32_t>(Environment::get().SharedMemorySize));
  const size_t Own = Args.size();
  if (Step.Desc) {
    if (!Step.Desc->wholeGrid())
      *Geometry = Step.Desc->geometry(Request.TripCount, D.info(), Args);
    std::copy(std::begin(Geometry->grid), std::end(Geometry->grid), L.grid);
    std::copy(std::begin(Geometry->block), std::end(Geometry->block), L.block);
    L.exact_block = Step.Desc->exactBlock();
    L.shared_bytes += Step.Desc->Raw.dynamic_shared_bytes;
    if (Step.Desc->passWorkspace())
      Args.push_back(Workspace.Address);
    if (Step.Desc->passGeometry())
      Args.push_back(Geometry);
  }
  L.args = Args.data();
  L.num_args = static_cast<uint32_t>(Args.size());
  if (infoEnabled(InfoPluginKernel)) [[unlikely]]
    plain("\"PluginInterface\" device %d info: Launching kernel %s with %u "
          "blocks and %u threads in %s mode\n",
          D.id(), Step.Name.c_str(),
          L.grid[0] ? L.grid[0] : std::max(L.num_teams, 1u),
          L.block[0] ? L.block[0] : std::max(L.thread_limit, 1u), "Generic");
  Status S =
      D.launch(Q.handle(), Step.Handle, L, Step.Name.c_str(), Request.Loc);
  Args.resize(Own);
  return S;
}

Status LaunchResources::launch(ConstructQueue &Q, Kernel &K,
                               std::vector<void *> &Args,
                               const LaunchRequest &Request) {
  if (Status S = K.resolve(); S.failed())
    return S;
  if (const auto &Desc = K.descriptor(); Desc && Desc->usesWorkspace()) {
    const uint32_t Grid = Desc->grid(Request.TripCount, D.info());
    if (Status S = takeWorkspace(Q, *Desc, Desc->workspaceBytes(Grid));
        S.failed())
      return std::move(S).within(kernelPhrase(K.name()));
  }
  if (const Kernel::Step *Whole = K.wholeGrid();
      Whole && coversAll(*Whole, Args, Request)) {
    Status S = launchStep(Q, *Whole, Args, Request, &Geometry);
    return S.failed() ? std::move(S).within(kernelPhrase(K.name())) : Status();
  }
  const auto &Steps = K.steps();
  if (Steps.size() > 1)
    Geometries.resize(Steps.size());
  for (size_t I = 0; I < Steps.size(); ++I)
    if (Status S = launchStep(Q, Steps[I], Args, Request,
                              Geometries.empty() ? &Geometry : &Geometries[I]);
        S.failed()) [[unlikely]]
      return std::move(S).within(kernelPhrase(K.steps()[I].Name.c_str()));
  return Status();
}
