//===- Accesses.h - Reads and writes of a cached array ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a region's reads of its array, and its writes where these go to a copy.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_ACCESSES_H
#define ACCX_SMC_ACCESSES_H

#include "smc/Plan.h"
#include "smc/Region.h"

namespace accx::smc {

/// Fills \p A.Accesses.
Refusal findAccesses(const Region &R, ArrayPlan &A, llvm::ScalarEvolution &SE,
                     const llvm::LoopInfo &Loops,
                     const llvm::DominatorTree &DT);

} // namespace accx::smc

#endif // ACCX_SMC_ACCESSES_H
