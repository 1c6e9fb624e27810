//===- Pipeline.cpp - Where vector loops meet lanes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "lanes/Pipeline.h"

#include "lanes/Mark.h"
#include "lanes/SimtLanes.h"
#include "pipeline/NamedPass.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableSimtLanes("accx-simt-lanes", cl::init(true),
                                     cl::Hidden,
                                     cl::desc("Run vector loops across lanes "
                                              "of warps on GPUs"));

namespace accx::lanes {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  if (Name == MarkPass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(MarkPass()));
    return true;
  }
  return pipeline::addIfNamed<SimtLanesPass>(Name, MPM);
}

void addBeforeStrip(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableSimtLanes && Level != OptimizationLevel::O0)
    MPM.addPass(createModuleToFunctionPassAdaptor(MarkPass()));
}

void addToStart(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableSimtLanes && Level != OptimizationLevel::O0)
    MPM.addPass(SimtLanesPass(Level.getSpeedupLevel() > 1));
}

} // namespace accx::lanes
