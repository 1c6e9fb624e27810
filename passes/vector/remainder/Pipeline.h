//===- Pipeline.h - Where simd-remainder runs -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its names for -passes=, and its places in the pipelines of -O2 and above:
// right before LLVM's own vectorizer, and short loops right before the
// unroller.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_PIPELINE_H
#define ACCX_VECTOR_REMAINDER_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::vector {

void registerRemainder(llvm::PassBuilder &PB);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_PIPELINE_H
