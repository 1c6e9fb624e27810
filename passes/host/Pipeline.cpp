//===- Pipeline.cpp - Where kernels of processors get lean ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "host/Pipeline.h"

#include "NamedPass.h"
#include "host/OneTeam.h"
#include "host/SmallRegions.h"
#include "host/StaticShares.h"
#include "host/SumOrder.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

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

namespace accx::host {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  return addIfNamed<OneTeamPass>(Name, MPM) ||
         addIfNamed<SmallRegionsPass>(Name, MPM) ||
         addIfNamed<StaticSharesPass>(Name, MPM) ||
         addIfNamed<SumOrderPass>(Name, MPM);
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
}

} // namespace accx::host
