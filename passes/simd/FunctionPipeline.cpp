//===- FunctionPipeline.cpp - Where simd-function runs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of FunctionPipeline.h.
//
//===----------------------------------------------------------------------===//

#include "simd/FunctionPipeline.h"

#include "NamedPass.h"
#include "simd/Columns.h"
#include "simd/Function.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableFunction(
    "accx-simd-function", cl::Hidden, cl::init(true),
    cl::desc("Make and call the vector variants of declare simd"));

static cl::opt<bool> EnableColumns(
    "accx-simd-columns", cl::Hidden, cl::init(true),
    cl::desc("Make lanes of loops whose inner loops go down columns"));

namespace accx::simd {

void registerFunction(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return addIfNamed<SimdFunctionKeepPass>(Name, MPM) ||
               addIfNamed<SimdFunctionPass>(Name, MPM) ||
               addIfNamed<SimdFunctionFinishPass>(Name, MPM);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return addIfNamed<ColumnsPass>(Name, FPM);
      });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (EnableFunction && Level != OptimizationLevel::O0)
          MPM.addPass(SimdFunctionKeepPass());
      });
  // At -O0, too: other translation units count on the variants.
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (EnableFunction && EnableColumns && Level.getSpeedupLevel() >= 2 &&
            Level.getSizeLevel() == 0)
          MPM.addPass(createModuleToFunctionPassAdaptor(ColumnsPass()));
        if (EnableFunction)
          MPM.addPass(SimdFunctionPass());
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        if (EnableFunction)
          MPM.addPass(SimdFunctionFinishPass());
      });
}

} // namespace accx::simd
