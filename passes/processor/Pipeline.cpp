//===- Pipeline.cpp - Where kernels of processors get lean ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "processor/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "processor/CheckAccess.h"
#include "processor/Gangs.h"
#include "processor/OneTeam.h"
#include "processor/OrphanDistribute.h"
#include "processor/SmallRegions.h"
#include "processor/StaticShares.h"
#include "processor/StreamStores.h"
#include "processor/SumOrder.h"

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

namespace accx::processor {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  return pipeline::addIfNamed<CheckAccessPass>(Name, MPM) ||
         pipeline::addIfNamed<NameAccessesPass>(Name, MPM) ||
         pipeline::addIfNamed<GangsPass>(Name, MPM) ||
         pipeline::addIfNamed<OneTeamPass>(Name, MPM) ||
         pipeline::addIfNamed<OrphanDistributePass>(Name, MPM) ||
         pipeline::addIfNamed<SmallRegionsPass>(Name, MPM) ||
         pipeline::addIfNamed<StaticSharesPass>(Name, MPM) ||
         pipeline::addIfNamed<StreamStoresPass>(Name, MPM) ||
         pipeline::addIfNamed<SumOrderPass>(Name, MPM);
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

} // namespace accx::processor
