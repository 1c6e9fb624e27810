//===- Subscripts.h - Addresses as subscripts of an array -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes addresses apart into an array's subscripts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_SUBSCRIPTS_H
#define ACCX_SMC_SUBSCRIPTS_H

#include "smc/Plan.h"

namespace accx::smc {

/// The terms of \p Address, if it is derived from \p A's base in a known way.
/// Bytes within an element count as dimension A.Dims.size(); of an array of one
/// dimension all do.
std::optional<llvm::SmallVector<Term, 4>>
splitAddress(llvm::Value *Address, const ArrayPlan &A,
             const llvm::DataLayout &Layout);

/// Whether \p Address may be derived from \p A's base.
bool mayBeIn(const llvm::Value *Address, const ArrayPlan &A);

/// The numbers of marker \p Begin that say what array it is: all of \p A that
/// does not depend on blocks. False if they are no constants.
bool readArray(llvm::CallInst &Begin, ArrayPlan &A);

} // namespace accx::smc

#endif // ACCX_SMC_SUBSCRIPTS_H
