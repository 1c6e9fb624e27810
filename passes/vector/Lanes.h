//===- Lanes.h - Instructions on several lanes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all emitters of vector code write alike: the numbers of lanes, and an
// instruction on vectors that does in each lane what a scalar one does.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LANES_H
#define ACCX_VECTOR_LANES_H

#include "llvm/IR/IRBuilder.h"

namespace accx::vector {

/// \p First, \p First + \p Step, ... as \p Lanes integers of type \p T.
llvm::Constant *laneNumbers(llvm::Type *T, unsigned Lanes, int64_t Step = 1,
                            int64_t First = 0);

/// The operation of \p I, with its flags, on \p Operands; its result has type
/// \p T. Null for what is neither arithmetic, a comparison, a selection nor an
/// intrinsic that is overloaded by its result.
llvm::Value *createLike(llvm::IRBuilderBase &Builder,
                        const llvm::Instruction &I,
                        llvm::ArrayRef<llvm::Value *> Operands, llvm::Type *T);

} // namespace accx::vector

#endif // ACCX_VECTOR_LANES_H
