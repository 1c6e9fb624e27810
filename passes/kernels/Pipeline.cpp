//===- Pipeline.cpp - Where passes on kernels run -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pipeline.h. Passes that a tool asks for by name always run; the options
// here are for the pipelines of compilers.
//
//===----------------------------------------------------------------------===//

#include "kernels/Pipeline.h"

#include "NamedPass.h"
#include "kernels/Annotations.h"
#include "kernels/ChunksOfOne.h"
#include "kernels/CounterSums.h"
#include "kernels/DependentLaunch.h"
#include "kernels/GridLoop.h"
#include "kernels/GridTune.h"
#include "kernels/Kernel.h"
#include "kernels/LoopParts.h"
#include "kernels/SerialRegions.h"
#include "kernels/StaticSchedule.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;

static cl::opt<bool> EnableGridLoop("accx-grid-loop", cl::init(true),
                                    cl::Hidden,
                                    cl::desc("Make one loop of distribute and "
                                             "for on GPUs"));

static cl::opt<bool>
    EnableStaticSchedule("accx-static-schedule", cl::init(true), cl::Hidden,
                         cl::desc("Give loops of GPUs a static schedule where "
                                  "any is right"));

static cl::opt<bool>
    EnableChunksOfOne("accx-chunks-of-one", cl::init(true), cl::Hidden,
                      cl::desc("Keep loops with schedule(static, 1) from "
                               "losing iterations on processors"));

static cl::opt<bool>
    EnableSerialRegions("accx-serial-regions", cl::init(true), cl::Hidden,
                        cl::desc("Call nested parallel regions of GPUs as "
                                 "functions"));

static cl::opt<bool>
    EnableDependentLaunch("accx-dependent-launch", cl::init(true), cl::Hidden,
                          cl::desc("Let kernels of GPUs start while the one "
                                   "before them ends"));

namespace accx::kernels {

namespace {

/// Tunes and cleans up. The pipeline is the same for host code, which stays as
/// it is.
struct TuneGpuCodePass : PassInfoMixin<TuneGpuCodePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isGpuCode(M))
      return PreservedAnalyses::all();
    FunctionPassManager FPM;
    FPM.addPass(GridTunePass());
    FPM.addPass(InstCombinePass());
    FPM.addPass(CounterSumsPass());
    return createModuleToFunctionPassAdaptor(std::move(FPM)).run(M, MAM);
  }
};

} // namespace

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  if (Name == GridTunePass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(GridTunePass()));
    return true;
  }
  if (Name == CounterSumsPass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(CounterSumsPass()));
    return true;
  }
  if (Name == ChunksOfOnePass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(ChunksOfOnePass()));
    return true;
  }
  return addIfNamed<GridLoopPass>(Name, MPM) ||
         addIfNamed<StaticSchedulePass>(Name, MPM) ||
         addIfNamed<SerialRegionsPass>(Name, MPM) ||
         addIfNamed<DependentLaunchPass>(Name, MPM) ||
         addIfNamed<SpareKernelsPass>(Name, MPM) ||
         addIfNamed<DropSparesPass>(Name, MPM) ||
         addIfNamed<ReadPartsPass>(Name, MPM) ||
         addIfNamed<LoopPartsPass>(Name, MPM) ||
         addIfNamed<KernelPrinterPass>(Name, MPM);
}

void addFirst(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(SpareKernelsPass());
}

void addBeforeStrip(ModulePassManager &MPM) { MPM.addPass(ReadPartsPass()); }

void addLast(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(DropSparesPass());
}

void addToStart(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableStaticSchedule)
    MPM.addPass(StaticSchedulePass());
  if (EnableChunksOfOne)
    MPM.addPass(createModuleToFunctionPassAdaptor(ChunksOfOnePass()));
  if (EnableSerialRegions && Level != OptimizationLevel::O0)
    MPM.addPass(SerialRegionsPass());
  if (EnableGridLoop && Level != OptimizationLevel::O0)
    MPM.addPass(GridLoopPass());
}

void addToOptimizer(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(LoopPartsPass());
  if (EnableGridLoop && Level != OptimizationLevel::O0)
    MPM.addPass(TuneGpuCodePass());
}

void addToEnd(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableDependentLaunch && Level != OptimizationLevel::O0)
    MPM.addPass(DependentLaunchPass());
}

} // namespace accx::kernels
