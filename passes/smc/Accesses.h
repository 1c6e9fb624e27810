//===- Accesses.h - Reads and writes of a cached array ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes addresses apart into an array's subscripts, and finds a region's reads
// of its array, and its writes where these go to a copy.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_ACCESSES_H
#define ACCX_SMC_ACCESSES_H

#include "smc/Plan.h"

namespace accx::smc {

/// Reads the array that \p Begin declares: all of \p A that does not depend on
/// blocks. False if numbers are no constants.
bool readArray(llvm::CallInst &Begin, ArrayPlan &A);

/// The terms of \p Address, if it is derived from \p A's base in a known way.
/// Bytes within an element count as dimension A.Rank; of an array of one
/// dimension all do.
std::optional<llvm::SmallVector<Term, 4>>
splitAddress(llvm::Value *Address, const ArrayPlan &A,
             const llvm::DataLayout &Layout);

/// Whether \p Address may be derived from \p A's base.
bool mayBeIn(const llvm::Value *Address, const ArrayPlan &A);

/// Fills \p A.Accesses.
Refusal findAccesses(const blocks::Region &R, ArrayPlan &A,
                     llvm::ScalarEvolution &SE, const llvm::LoopInfo &Loops,
                     const llvm::DominatorTree &DT);

} // namespace accx::smc

#endif // ACCX_SMC_ACCESSES_H
