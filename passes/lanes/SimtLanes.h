//===- SimtLanes.h - Vector loops across lanes of a warp --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `simt-lanes`: threads of a block become workers times lanes. A loop over
//   threads deals its iterations out to groups of 2 to 32 neighbouring threads,
//   and a vector loop inside it, which Clang runs serially in each thread, to
//   the threads of a group.
//
//     w = 4 * block + warp      row w
//       v = lane, + 32, ...       its elements, neighbours at the same time
//       shuffles                  the row's sum, in all lanes
//       lane 0: y[w] = sum
//
//   Vector loops are those that the front end marked (OpenACC's vector below
//   worker), and `omp simd` loops whose accesses are contiguous.
//
// ALGORITHM, a function at a time, after grid-loop
//   1. Notes on Clang's own code (Prepare.h).
//   2. Variables become values: SROA, EarlyCSE, SimplifyCFG.
//   3. A plan for each nest (Plan.h), or the reason why there is none.
//   4. The nest beside its copy (Emit.h): teams of fewer threads than a group
//      has run the copy.
//
//   Loops that are refused stay as they were: serial, and right.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_SIMTLANES_H
#define ACCX_LANES_SIMTLANES_H

#include "llvm/IR/PassManager.h"

namespace accx::lanes {

class SimtLanesPass : public llvm::PassInfoMixin<SimtLanesPass> {
  /// The passes that follow inline all they can.
  bool MayInline;

public:
  explicit SimtLanesPass(bool MayInline = true) : MayInline(MayInline) {}

  static constexpr llvm::StringLiteral Name = "simt-lanes";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::lanes

#endif // ACCX_LANES_SIMTLANES_H
