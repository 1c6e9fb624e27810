//===- Pipeline.cpp - Where regions meet shared memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "smc/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "smc/Notes.h"
#include "smc/SmcTile.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool>
    EnableSmcTile("accx-smc-tile", cl::init(true), cl::Hidden,
                  cl::desc("Keep arrays in shared memory where "
                           "directives say so"));

namespace accx::smc {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  return pipeline::addIfNamed<KeepPass>(Name, MPM) ||
         pipeline::addIfNamed<SmcTilePass>(Name, MPM) ||
         pipeline::addIfNamed<SmcPlanPrinterPass>(Name, MPM);
}

void addBeforeStrip(ModulePassManager &MPM, OptimizationLevel Level) {
  MPM.addPass(KeepPass(EnableSmcTile && Level != OptimizationLevel::O0));
}

void addToStart(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableSmcTile && Level != OptimizationLevel::O0)
    MPM.addPass(SmcTilePass());
}

} // namespace accx::smc
