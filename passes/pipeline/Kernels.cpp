//===- Kernels.cpp - Where passes on kernels run --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kernels.h. Passes that a tool asks for by name always run; the options
// here are for the pipelines of compilers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/Kernels.h"

#include "distribute/LoopParts.h"
#include "gpu/DependentLaunch.h"
#include "gridloop/GridLoop.h"
#include "gridloop/SerialRegions.h"
#include "gridloop/StaticSchedule.h"
#include "gridtune/CounterSums.h"
#include "gridtune/GridTune.h"
#include "offload/Annotations.h"
#include "offload/Kernel.h"
#include "pipeline/NamedPass.h"
#include "processor/ChunksOfOne.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;
using namespace accx::offload;

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

namespace accx::pipeline {

namespace {

/// Tunes and cleans up. The pipeline is the same for host code, which stays as
/// it is.
struct TuneGpuCodePass : PassInfoMixin<TuneGpuCodePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isGpuCode(M))
      return PreservedAnalyses::all();
    FunctionPassManager FPM;
    FPM.addPass(gridtune::GridTunePass());
    FPM.addPass(InstCombinePass());
    FPM.addPass(gridtune::CounterSumsPass());
    return createModuleToFunctionPassAdaptor(std::move(FPM)).run(M, MAM);
  }
};

} // namespace

bool parsePass(StringRef Name, ModulePassManager &MPM) {
  if (Name == gridtune::GridTunePass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(gridtune::GridTunePass()));
    return true;
  }
  if (Name == gridtune::CounterSumsPass::Name) {
    MPM.addPass(createModuleToFunctionPassAdaptor(gridtune::CounterSumsPass()));
    return true;
  }
  if (Name == processor::ChunksOfOnePass::Name) {
    MPM.addPass(
        createModuleToFunctionPassAdaptor(processor::ChunksOfOnePass()));
    return true;
  }
  return addIfNamed<gridloop::GridLoopPass>(Name, MPM) ||
         addIfNamed<gridloop::StaticSchedulePass>(Name, MPM) ||
         addIfNamed<gridloop::SerialRegionsPass>(Name, MPM) ||
         addIfNamed<gpu::DependentLaunchPass>(Name, MPM) ||
         addIfNamed<SpareKernelsPass>(Name, MPM) ||
         addIfNamed<DropSparesPass>(Name, MPM) ||
         addIfNamed<distribute::ReadPartsPass>(Name, MPM) ||
         addIfNamed<distribute::LoopPartsPass>(Name, MPM) ||
         addIfNamed<KernelPrinterPass>(Name, MPM);
}

void addFirst(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(SpareKernelsPass());
}

void addBeforeStrip(ModulePassManager &MPM) {
  MPM.addPass(distribute::ReadPartsPass());
}

void addLast(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(DropSparesPass());
}

void addToStart(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableStaticSchedule)
    MPM.addPass(gridloop::StaticSchedulePass());
  if (EnableChunksOfOne)
    MPM.addPass(
        createModuleToFunctionPassAdaptor(processor::ChunksOfOnePass()));
  if (EnableSerialRegions && Level != OptimizationLevel::O0)
    MPM.addPass(gridloop::SerialRegionsPass());
  if (EnableGridLoop && Level != OptimizationLevel::O0)
    MPM.addPass(gridloop::GridLoopPass());
}

void addToOptimizer(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(distribute::LoopPartsPass());
  if (EnableGridLoop && Level != OptimizationLevel::O0)
    MPM.addPass(TuneGpuCodePass());
}

void addToEnd(ModulePassManager &MPM, OptimizationLevel Level) {
  if (EnableDependentLaunch && Level != OptimizationLevel::O0)
    MPM.addPass(gpu::DependentLaunchPass());
}

} // namespace accx::pipeline
