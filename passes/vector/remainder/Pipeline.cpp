//===- Pipeline.cpp - Where simd-remainder runs ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "vector/loops/JoinRanges.h"
#include "vector/loops/RowLoops.h"
#include "vector/remainder/Remainder.h"
#include "vector/remainder/Short.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

static cl::opt<bool> EnableRemainder(
    "accx-simd-remainder", cl::Hidden, cl::init(true),
    cl::desc("Run the remainders of vectorized loops as masked vectors"));

static cl::opt<bool>
    EnableRows("accx-simd-rows", cl::Hidden, cl::init(true),
               cl::desc("Run loops over several dimensions row by row"));

static cl::opt<bool>
    EnableJoin("accx-simd-join", cl::Hidden, cl::init(true),
               cl::desc("Run ranges that follow each other as one loop"));

namespace accx::vector {

static bool isWanted(OptimizationLevel Level) {
  return Level.getSpeedupLevel() >= 2 && Level.getSizeLevel() == 0;
}

void registerRemainder(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<RemainderPass>(Name, FPM) ||
               pipeline::addIfNamed<RowLoopsPass>(Name, FPM) ||
               pipeline::addIfNamed<JoinRangesPass>(Name, FPM);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, LoopPassManager &LPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<RemainderShortPass>(Name, LPM);
      });
  // Vectors of outer loops come behind.
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (EnableJoin && isWanted(Level))
          MPM.addPass(createModuleToFunctionPassAdaptor(JoinRangesPass()));
      });
  // The last place before the unroller that destroys short loops.
  PB.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &LPM, OptimizationLevel Level) {
        if (EnableRemainder && isWanted(Level))
          LPM.addPass(RemainderShortPass());
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (!isWanted(Level))
          return;
        if (EnableRows)
          FPM.addPass(RowLoopsPass());
        if (EnableRemainder)
          FPM.addPass(RemainderPass());
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (EnableRemainder && isWanted(Level))
          MPM.addPass(createModuleToFunctionPassAdaptor(RemainderForgetPass()));
      });
}

} // namespace accx::vector
