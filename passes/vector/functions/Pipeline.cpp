//===- Pipeline.cpp - Where simd-function runs ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "vector/functions/Function.h"
#include "vector/loops/Columns.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableFunction(
    "accx-simd-function", cl::Hidden, cl::init(true),
    cl::desc("Make and call the vector variants of declare simd"));

static cl::opt<bool> EnableColumns(
    "accx-simd-columns", cl::Hidden, cl::init(true),
    cl::desc("Make lanes of loops whose inner loops go down columns"));

namespace accx::vector {

void registerFunction(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<SimdFunctionKeepPass>(Name, MPM) ||
               pipeline::addIfNamed<SimdFunctionPass>(Name, MPM) ||
               pipeline::addIfNamed<SimdFunctionFinishPass>(Name, MPM);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<ColumnsPass>(Name, FPM);
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

} // namespace accx::vector
