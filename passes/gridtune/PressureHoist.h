//===- PressureHoist.h - Values computed where inputs end -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `pressure-hoist`, at the end of the pipeline for NVIDIA GPUs: LLVM sinks
//   computations to their users, past branches. On the way all that they are
//   computed from stays in registers, where the result alone would do, and
//   ptxas moves nothing back across branches: a transform of 512 points took
//   255 registers for 80.
//
// ALGORITHM
//   For each block and the block that dominates it, if all paths from there
//   lead here and no loop is between:
//
//   1. Candidates: computations without effects whose operands are there.
//   2. Candidates that use each other's results, or values that nobody else
//      uses, belong together.
//   3. A group moves up if the values that end with it are wider, in all, than
//      those that come out of it.
//
//   What has moved goes on from there. No path gets more to compute.
//
//   Clang's code generator would sink results again, one without the others. In
//   functions where something has moved, an assembly statement without an
//   instruction uses them at the end of the block, if no more bits come out of
//   their group than end with it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_PRESSUREHOIST_H
#define ACCX_GRIDTUNE_PRESSUREHOIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace accx::gridtune {

struct PressureHoistPass : llvm::PassInfoMixin<PressureHoistPass> {
  static constexpr llvm::StringLiteral Name = "pressure-hoist";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_PRESSUREHOIST_H
