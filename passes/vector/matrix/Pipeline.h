//===- Pipeline.h - Where simd-matrix runs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its name for -passes=, and its place in the pipelines of -O2 and above: where
// local variables are in registers, and loops are still loops. A matrix in a
// local array then goes to registers, too.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_PIPELINE_H
#define ACCX_VECTOR_MATRIX_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::vector {

void registerMatrix(llvm::PassBuilder &PB);

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_PIPELINE_H
