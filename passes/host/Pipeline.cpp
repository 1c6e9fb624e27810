//===- Pipeline.cpp - Where kernels of processors get lean ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "host/Pipeline.h"

#include "NamedPass.h"
#include "host/CheckAccess.h"
#include "host/Gangs.h"
#include "host/OneTeam.h"
#include "host/OrphanDistribute.h"
#include "host/SmallRegions.h"
#include "host/StaticShares.h"
#include "host/StreamStores.h"
#include "host/SumOrder.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool>
    Check("accx-check", cl::init(false), cl::Hidden,
          cl::desc("Let kernels of processors ask about what they access"));

static cl::opt<bool>
    EnableOneTeam("accx-one-team", cl::init(true), cl::Hidden,
                  cl::desc("Start kernels of processors without a league "
                           "where it would have one team"));

static cl::opt<bool>
    EnableSmallRegions("accx-small-regions", cl::init(true), cl::Hidden,
                       cl::desc("Run parallel regions that are soon done on "
                                "one thread in kernels of processors"));

static cl::opt<bool> EnableStaticShares(
    "accx-static-shares", cl::init(true), cl::Hidden,
    cl::desc("Compute a thread's share of a loop in kernels of processors"));

static cl::opt<bool>
    EnableSumOrder("accx-sum-order", cl::init(true), cl::Hidden,
                   cl::desc("Read what sums in kernels of processors add up "
                            "from its beginning on"));

static cl::opt<bool>
    EnableStreamStores("accx-stream-stores", cl::init(true), cl::Hidden,
                       cl::desc("Write arrays past the cache in kernels of "
                                "processors where they do not fit it"));

namespace accx::host {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  return addIfNamed<CheckAccessPass>(Name, MPM) ||
         addIfNamed<NameAccessesPass>(Name, MPM) ||
         addIfNamed<GangsPass>(Name, MPM) ||
         addIfNamed<OneTeamPass>(Name, MPM) ||
         addIfNamed<OrphanDistributePass>(Name, MPM) ||
         addIfNamed<SmallRegionsPass>(Name, MPM) ||
         addIfNamed<StaticSharesPass>(Name, MPM) ||
         addIfNamed<StreamStoresPass>(Name, MPM) ||
         addIfNamed<SumOrderPass>(Name, MPM);
}

void addBeforeStrip(ModulePassManager &MPM) { MPM.addPass(GangsPass()); }

void addToStart(ModulePassManager &MPM) { MPM.addPass(OrphanDistributePass()); }

void addFirst(ModulePassManager &MPM) {
  if (Check)
    MPM.addPass(NameAccessesPass());
}

void addChecks(ModulePassManager &MPM) {
  if (Check)
    MPM.addPass(CheckAccessPass());
}

void addToEnd(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level == OptimizationLevel::O0)
    return;
  if (EnableSumOrder)
    MPM.addPass(SumOrderPass());
  if (EnableOneTeam)
    MPM.addPass(OneTeamPass());
  if (EnableSmallRegions)
    MPM.addPass(SmallRegionsPass());
  if (EnableStaticShares)
    MPM.addPass(StaticSharesPass());
  // Vectors are there from -O2 on; shares tell of threads.
  if (EnableStreamStores && Level.getSpeedupLevel() >= 2)
    MPM.addPass(StreamStoresPass());
}

} // namespace accx::host
