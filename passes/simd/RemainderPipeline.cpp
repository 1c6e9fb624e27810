//===- RemainderPipeline.cpp - Where simd-remainder runs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of RemainderPipeline.h.
//
//===----------------------------------------------------------------------===//

#include "simd/RemainderPipeline.h"

#include "simd/Remainder.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableRemainder(
    "accx-simd-remainder", cl::Hidden, cl::init(false),
    cl::desc("Run the remainders of vectorized loops as masked vectors"));

namespace accx::simd {

void registerRemainder(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != RemainderPass::Name)
          return false;
        FPM.addPass(RemainderPass());
        return true;
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (EnableRemainder && Level.getSpeedupLevel() >= 2 &&
            Level.getSizeLevel() == 0)
          FPM.addPass(RemainderPass());
      });
}

} // namespace accx::simd
