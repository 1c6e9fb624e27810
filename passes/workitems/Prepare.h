//===- Prepare.h - Loops with regions, as values ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's code keeps every variable in memory. Here those of a function with
// regions become values, except for the counters of worksharing loops, by which
// the loops are known, and variables that outlive iterations, whose order of
// accesses must remain.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_PREPARE_H
#define ACCX_WORKITEMS_PREPARE_H

#include "offload/WorkLoop.h"

#include "llvm/IR/PassManager.h"

#include <vector>

namespace accx::workitems {

/// The worksharing loops of \p F that have regions with channels.
std::vector<offload::WorkLoop> prepare(llvm::Function &F,
                                       llvm::FunctionAnalysisManager &FAM);

/// The loops of that kind that are left.
std::vector<offload::WorkLoop>
findRegionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

// Parts of it.

/// Unrolls loops of few steps inside of those with \p Headers.
void unrollSteps(llvm::Function &F, llvm::ArrayRef<llvm::BasicBlock *> Headers,
                 llvm::FunctionAnalysisManager &FAM);
/// Branches of \p Nest that choose between cheap values become selects.
void flattenChoices(const llvm::Loop &Nest);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_PREPARE_H
