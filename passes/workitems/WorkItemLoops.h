//===- WorkItemLoops.h - Blocks of iterations on processors -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `workitem-loops`: on devices that are processors, statements whose
//   iterations exchange data through a block's copy of an array (channel types
//   of fcw, docs/smc.md) become loops over the work-items of a block between
//   barriers.
//
// ALGORITHM
//   1. Prepare: variables become values, helper functions that get pointers
//      are inlined.
//   2. Plan: worksharing loop, blocks, arrays; accesses go to copies; stops.
//   3. Divergence: which branches work-items of a block take alike. Where they
//      do not, the place where they meet again becomes a stop.
//   4. Regions: the code between stops, and variables that live across them.
//   5. Emit: a loop over blocks with loops over work-items in place of the
//      worksharing loop's body.
//
//   What cannot be proved is a compilation error that names line and array, and
//   says why and what to do. There is no other code that would be right.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_WORKITEMLOOPS_H
#define ACCX_WORKITEMS_WORKITEMLOOPS_H

#include "llvm/IR/PassManager.h"

namespace accx::workitems {

class WorkItemLoopsPass : public llvm::PassInfoMixin<WorkItemLoopsPass> {
public:
  static constexpr llvm::StringLiteral Name = "workitem-loops";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_WORKITEMLOOPS_H
