//===- MatrixPipeline.cpp - Where simd-matrix runs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of MatrixPipeline.h.
//
//===----------------------------------------------------------------------===//

#include "simd/MatrixPipeline.h"

#include "NamedPass.h"
#include "simd/Matrix.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableMatrix(
    "accx-simd-matrix", cl::Hidden, cl::init(true),
    cl::desc("Keep operations on small matrices in vector registers"));

namespace accx::simd {

void registerMatrix(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return addIfNamed<MatrixPass>(Name, FPM);
      });
  // The first place is before the loops are rotated; later ones find what
  // other passes made of the rest.
  PB.registerPeepholeEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (EnableMatrix && Level.getSpeedupLevel() >= 2 &&
            Level.getSizeLevel() == 0)
          FPM.addPass(MatrixPass());
      });
}

} // namespace accx::simd
