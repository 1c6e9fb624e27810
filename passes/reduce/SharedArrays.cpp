//===- SharedArrays.cpp - Arrays that a block's threads reduce ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the one region of a kernel whose arrays blocks may share, and keeps
// what was taken out of each reduction. Work on one kernel is in
// KernelArrays.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/SharedArrays.h"

#include "offload/DeviceCalls.h"
#include "reduce/BlockFold.h"
#include "reduce/KernelArrays.h"
#include "reduce/NarrowPlan.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace accx::offload;

static cl::opt<bool> Enable("accx-reduce-arrays", cl::init(true), cl::Hidden,
                            cl::desc("Reduce arrays in shared memory"));

namespace accx::reduce {

SharedArrays::SharedArrays(Module &M, FunctionAnalysisManager &FAM,
                           bool MayRound)
    : FAM(FAM), MayRound(MayRound), Available(sharedBytesLeft(M)) {}

/// The one region of \p Kernel, all of whose threads run it, with one
/// reduction; and the one over teams, if there is one.
static const ParallelRegion *findRegion(const KernelPlan &Kernel,
                                        const Reduction *&OverTeams) {
  const ParallelRegion *Found = nullptr;
  for (const TeamsPart &Part : Kernel.Parts) {
    for (const Reduction &R : Part.Reductions) {
      if (!R.AcrossTeams || OverTeams || R.Call->getFunction() != Kernel.Kernel)
        return nullptr;
      OverTeams = &R;
    }
    for (const ParallelRegion &Region : Part.Regions) {
      if (Found)
        return nullptr;
      Found = &Region;
    }
  }
  const bool Fits = Found && Found->Body && Found->Reductions.size() == 1 &&
                    !Found->Body->hasOptNone() && !Found->IsConditional &&
                    isOnlyBodyOf(*Found->Body, *Found->Call) &&
                    Kernel.hasAllThreads(*Found) &&
                    (!OverTeams || Found->Call->getFunction() == Kernel.Kernel);
  return Fits ? Found : nullptr;
}

bool SharedArrays::take(const KernelPlan &Kernel) {
  const Reduction *OverTeams = nullptr;
  const ParallelRegion *Region = findRegion(Kernel, OverTeams);
  if (!Enable || !Region || !Kernel.isSpmd() || Kernel.Kernel->hasOptNone())
    return false;
  KernelArrays Arrays(Kernel, *Region, FAM, MayRound, Available);
  if (!Arrays.matchPlans(OverTeams))
    return false;
  Arrays.cleanUp();
  // Lists may have become others.
  if (Arrays.matchPlans(OverTeams)) {
    Arrays.choose();
    if (Arrays.emit()) {
      Taken[Arrays.inTeam().Call] = Arrays.taken(/*OverTeams=*/false);
      if (OverTeams) {
        Taken[Arrays.overTeams().Call] = Arrays.taken(/*OverTeams=*/true);
        Ends[Arrays.overTeams().Call] = Arrays.end();
      }
    }
  }
  return true;
}

bool SharedArrays::narrow(ReductionPlan &Plan) const {
  const auto Known = Taken.find(Plan.Call);
  if (Known == Taken.end())
    return true;
  if (Known->second.all())
    return false;
  reduce::narrow(Plan, Known->second);
  return true;
}

} // namespace accx::reduce
