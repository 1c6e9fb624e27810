//===- Pipeline.h - Where simd-function runs --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its names for -passes=, and its places in the pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_FUNCTIONS_PIPELINE_H
#define ACCX_VECTOR_FUNCTIONS_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::vector {

void registerFunction(llvm::PassBuilder &PB);

} // namespace accx::vector

#endif // ACCX_VECTOR_FUNCTIONS_PIPELINE_H
