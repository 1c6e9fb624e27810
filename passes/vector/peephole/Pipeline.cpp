//===- Pipeline.cpp - Where simd-gather, simd-complex run -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "vector/peephole/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "vector/peephole/CallOrder.h"
#include "vector/peephole/ComplexSums.h"
#include "vector/peephole/GatherPairs.h"
#include "vector/peephole/SharedSums.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableGather("accx-simd-gather", cl::Hidden,
                                  cl::init(true),
                                  cl::desc("Gather neighbours as one element"));
static cl::opt<bool> EnableComplex(
    "accx-simd-complex", cl::Hidden, cl::init(true),
    cl::desc("Keep pairs together in sums of products of complex numbers"));
static cl::opt<bool> EnableSums(
    "accx-simd-sums", cl::Hidden, cl::init(true),
    cl::desc("Add vectors whose lanes are all added before the lanes are"));
static cl::opt<bool>
    EnableCalls("accx-simd-calls", cl::Hidden, cl::init(true),
                cl::desc("Put a call that waits for nothing between two of "
                         "which one waits for the other"));

namespace accx::vector {

void registerPairs(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<GatherPairsPass>(Name, FPM) ||
               pipeline::addIfNamed<ComplexSumsPass>(Name, FPM) ||
               pipeline::addIfNamed<SharedSumsPass>(Name, FPM) ||
               pipeline::addIfNamed<CallOrderPass>(Name, FPM);
      });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level.getSpeedupLevel() < 2)
          return;
        FunctionPassManager FPM;
        if (EnableGather)
          FPM.addPass(GatherPairsPass());
        if (EnableComplex)
          FPM.addPass(ComplexSumsPass());
        // Behind what looks for pairs in single sums.
        if (EnableSums)
          FPM.addPass(SharedSumsPass());
        if (EnableCalls)
          FPM.addPass(CallOrderPass());
        MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
      });
}

} // namespace accx::vector
