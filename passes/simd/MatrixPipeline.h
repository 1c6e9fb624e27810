//===- MatrixPipeline.h - Where simd-matrix runs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its name for -passes=, and its place in the pipelines of -O2 and above: where
// local variables are in registers, and loops are still loops. A matrix in a
// local array then goes to registers, too.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SIMD_MATRIXPIPELINE_H
#define ACCX_SIMD_MATRIXPIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::simd {

void registerMatrix(llvm::PassBuilder &PB);

} // namespace accx::simd

#endif // ACCX_SIMD_MATRIXPIPELINE_H
