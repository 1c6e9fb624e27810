//===- FunctionPipeline.h - Where simd-function runs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its names for -passes=, and its places in the pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SIMD_FUNCTIONPIPELINE_H
#define ACCX_SIMD_FUNCTIONPIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::simd {

void registerFunction(llvm::PassBuilder &PB);

} // namespace accx::simd

#endif // ACCX_SIMD_FUNCTIONPIPELINE_H
