//===- Pipeline.cpp - Where work-items become loops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "workitems/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "workitems/WorkItemLoops.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableWorkItemLoops(
    "accx-workitem-loops", cl::init(true), cl::Hidden,
    cl::desc("Run the iterations of a block together on processors; without "
             "it programs end where they would have to"));

namespace accx::workitems {

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  return pipeline::addIfNamed<WorkItemLoopsPass>(Name, MPM) ||
         pipeline::addIfNamed<WorkItemPlanPrinterPass>(Name, MPM);
}

void addBeforeStrip(ModulePassManager &MPM) {
  if (EnableWorkItemLoops)
    MPM.addPass(WorkItemLoopsPass());
}

} // namespace accx::workitems
