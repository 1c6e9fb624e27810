//===- Lanes.h - Instructions on several lanes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all emitters of vector code write alike: the numbers of lanes, masks of
// lanes, and an instruction on vectors that does in each lane what a scalar one
// does.
//
// The vectorizer finds the active lanes of a folded tail by comparing a vector
// of 64-bit lane numbers: eight comparisons for 64 bytes. Where masks are
// integers, a shift does; where they are vectors, lane numbers as wide as the
// data do.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LANES_H
#define ACCX_VECTOR_LANES_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

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

/// \p Lanes lanes, each active where its bit of \p Bits, an integer, is set.
llvm::Value *createMask(llvm::IRBuilderBase &Builder, llvm::Value *Bits,
                        unsigned Lanes);

/// Whether the target keeps masks in registers of their own.
bool hasMaskRegisters(const llvm::TargetTransformInfo &TTI,
                      llvm::LLVMContext &Context);

/// A mask of \p Lanes lanes with the first \p Count active, 0 < Count < Lanes,
/// or Count = Lanes where there are no more than 32.
/// \p Bits is the width of the data that it is for.
llvm::Value *createPrefixMask(llvm::IRBuilderBase &Builder, llvm::Value *Count,
                              unsigned Lanes, unsigned Bits, bool Registers);

} // namespace accx::vector

#endif // ACCX_VECTOR_LANES_H
