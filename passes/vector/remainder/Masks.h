//===- Masks.h - Masks of the first lanes -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The vectorizer finds the active lanes of a folded tail by comparing a
//   vector of 64-bit lane numbers: eight comparisons for 64 bytes. Where masks
//   are integers, a shift does; where they are vectors, lane numbers as wide as
//   the data do.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_MASKS_H
#define ACCX_VECTOR_REMAINDER_MASKS_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

/// Whether the target keeps masks in registers of their own.
bool hasMaskRegisters(const llvm::TargetTransformInfo &TTI,
                      llvm::LLVMContext &Context);

/// A mask of \p Lanes lanes with the first \p Count active, 0 < Count < Lanes,
/// or Count = Lanes where there are no more than 32.
/// \p Bits is the width of the data that it is for.
llvm::Value *createPrefixMask(llvm::IRBuilderBase &Builder, llvm::Value *Count,
                              unsigned Lanes, unsigned Bits, bool Registers);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_MASKS_H
