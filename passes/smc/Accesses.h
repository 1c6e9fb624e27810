//===- Accesses.h - Reads of a cached array ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a region's reads of its array, and takes their addresses apart into
// the array's subscripts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_ACCESSES_H
#define ACCX_SMC_ACCESSES_H

#include "smc/Plan.h"

namespace accx::smc {

/// What control reaches from a region's beginning before its end.
struct Region {
  llvm::SmallVector<llvm::LoadInst *, 16> Loads;
  llvm::SmallVector<llvm::Instruction *, 16> Writes;
  /// Control leaves it only through its end.
  bool IsClosed = true;

  Region(llvm::CallInst &Begin, const llvm::LoopInfo &Loops,
         const llvm::DominatorTree &DT);
};

/// Fills \p A.Accesses.
Refusal findAccesses(const Region &R, ArrayPlan &A, llvm::ScalarEvolution &SE);

} // namespace accx::smc

#endif // ACCX_SMC_ACCESSES_H
