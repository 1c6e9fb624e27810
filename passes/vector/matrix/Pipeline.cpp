//===- Pipeline.cpp - Where simd-matrix runs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registration of Pipeline.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Pipeline.h"

#include "pipeline/NamedPass.h"
#include "vector/matrix/Matrix.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> EnableMatrix(
    "accx-simd-matrix", cl::Hidden, cl::init(true),
    cl::desc("Keep operations on small matrices in vector registers"));

namespace accx::vector {

void registerMatrix(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return pipeline::addIfNamed<MatrixPass>(Name, FPM);
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

} // namespace accx::vector
